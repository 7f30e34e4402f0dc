// How calls ended, counted in memory and written together: at most once a second, at once after a failure. While nothing
// fails, nothing is written.

import { type Clock, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { MESSAGE_BYTES } from "../pipeline/fault.ts";
import { type CallEnd, judge } from "../services/breaker.ts";
import { healthOf, readServices, type ServiceRow, saveService } from "../services/service.sql.ts";
import type { KnownServices } from "./known-services.ts";

/** `at` by this process's own clock. */
export type Report = CallEnd;

/** More would not change what comes of it; those who came last say most. */
const REPORTS_MOST = 2_000;
/** Somebody else keeps writing to the same row: leave it for the next round. */
const TRIES = 10;

export interface ReportPorts {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly known: KnownServices;
}

export class ServiceReports {
  readonly #ports: ReportPorts;
  #pending = new Map<string, Report[]>();

  constructor(ports: ReportPorts) {
    this.#ports = ports;
  }

  /** True when it should be written at once. */
  add(service: string, told: Report): boolean {
    // It is stored with the service and shown to everybody.
    const report = told.message === undefined ? told : { ...told, message: safeText(told.message, MESSAGE_BYTES) };
    const reports = this.#pending.get(service);
    if (reports === undefined) this.#pending.set(service, [report]);
    else if (reports.push(report) > REPORTS_MOST) reports.shift();
    const isRamping = this.#ports.known.row(service)?.ramp != null;
    const isNews = report.verdict !== "success" && (report.verdict !== "none" || report.retryAfterMs !== undefined);
    return report.probe !== undefined || isNews || isRamping;
  }

  /** Judges what is pending by rows just read. True when something opened or closed. */
  async flush(rows: readonly ServiceRow[]): Promise<boolean> {
    const byName = new Map(rows.map((row) => [row.name, row]));
    let turned = false;
    for (const name of [...this.#pending.keys()]) {
      const row = byName.get(name);
      const reports = this.#pending.get(name) ?? [];
      this.#pending.delete(name);
      if (row === undefined) continue;
      try {
        turned = (await this.#write(row, reports)) || turned;
      } catch (error) {
        this.#putBack(name, reports);
        throw error;
      }
    }
    return turned;
  }

  async #write(read: ServiceRow, reports: readonly Report[]): Promise<boolean> {
    const { db, clock, known } = this.#ports;
    const { name } = read;
    const { rules } = known.rule(name);
    let row: ServiceRow | undefined = read;
    for (let tries = 0; tries < TRIES && row !== undefined; tries += 1) {
      const here = clock.monotonic();
      const { now } = row;
      const ends = reports.map((report) => ({ ...report, at: now - (here - report.at) }));
      const judged = judge(healthOf(row), ends, rules, now);
      if (!judged.isChanged) return false;
      if (await saveService(db, row, judged)) {
        const [saved] = await readServices(db, [name]);
        if (saved !== undefined) known.see(saved);
        return judged.turned !== null;
      }
      [row] = await readServices(db, [name]);
    }
    this.#putBack(name, reports);
    return false;
  }

  #putBack(name: string, reports: readonly Report[]): void {
    this.#pending.set(name, [...reports, ...(this.#pending.get(name) ?? [])].slice(-REPORTS_MOST));
  }
}
