// Everything outside, as this process deals with it: clients, breakers, rates, reports and probes. Which service is down is
// known to be at most a second old here; what is claimed is decided in the database, where it is exact.

import { type Clock, type Logger, type Loop, loop, type Service as Running, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { toFault, transient, unavailable } from "../pipeline/fault.ts";
import type { Stage } from "../pipeline/stage.ts";
import { listServices, readServices, registerService, type ServiceRow } from "../services/service.sql.ts";
import { blamedOn, refusedByRate, refusedDown, verdictOn } from "../services/verdict.ts";
import { KnownServices, type ServiceRule } from "./known-services.ts";
import type { Measures } from "./measures.ts";
import { type CallOptions, within } from "./service-call.ts";
import { type GivenClients, ServiceClients } from "./service-clients.ts";
import { type Prober, Probes } from "./service-probes.ts";
import { type Report, ServiceReports } from "./service-reports.ts";
import { ServiceTokens } from "./service-tokens.ts";
import { ServiceVisits } from "./service-visits.ts";

export interface ServicesPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly stages: readonly Stage[];
  readonly clients: GivenClients;
  readonly measures: Pick<Measures, "called">;
  epoch(): string;
  /** The services of all lanes this process knows of. */
  laneServices(): readonly string[];
  /** A breaker opened or closed: valves have to be read anew, and somebody may go on. */
  turned(): void;
  /** Claims one item from behind an open breaker whose probe is ours. False when there is none. */
  letThrough(service: string): Promise<boolean>;
}

const ROUND_MS = 1_000;
/** As long as the longest wait between two tries: a success that lies further back says nothing of now. */
const LATELY_MS = 35 * 60_000;

export class Services implements Running {
  readonly #ports: ServicesPorts;
  readonly #clients: ServiceClients;
  readonly #known: KnownServices;
  readonly #tokens: ServiceTokens;
  readonly #reports: ServiceReports;
  readonly #probes: Probes;
  readonly #loop: Loop;
  #current = Promise.resolve();
  #next: Promise<void> | undefined;
  /** What visits do with them. */
  readonly visits: ServiceVisits;

  constructor(ports: ServicesPorts) {
    this.#ports = ports;
    this.#clients = new ServiceClients(ports.clients);
    this.#known = new KnownServices(ports.clock, ports.stages);
    this.#tokens = new ServiceTokens(ports);
    this.#reports = new ServiceReports({ ...ports, known: this.#known });
    this.#probes = new Probes({
      ...ports,
      known: this.#known,
      clients: this.#clients,
      report: (name, report) => this.#report(name, report),
    });
    this.visits = new ServiceVisits({
      ...ports,
      known: this.#known,
      call: (...given) => this.call(...given),
      report: (name, report) => this.#report(name, report),
    });
    const failed = (error: unknown) => ports.log.warn("services.failed", { error: safeText(error, 300) });
    this.#loop = loop(ports.clock, ROUND_MS, () => this.#nextRound(), failed);
  }

  async start(): Promise<void> {
    for (const { name, rules } of this.#known.declared()) {
      await registerService(this.#ports.db, name, rules);
      if (!this.has(name)) this.#ports.log.warn("services.no-client", { service: name });
    }
    await this.refresh();
    await this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#probes.stop();
    // What was counted last; nothing but a breaker that stays open a little longer depends on it.
    await this.#nextRound();
  }

  has(name: string): boolean {
    return this.#clients.has(name);
  }

  client(name: string): unknown {
    return this.#clients.client(name);
  }

  /** As the worker's row says it. */
  clientNames(): string[] {
    return this.#clients.names();
  }

  isOpen(name: string): boolean {
    return this.#known.row(name)?.is_open ?? false;
  }

  /** `held`: whoever needs it has to go through its lane. It is down, comes back slowly, or only others can reach it. */
  standing(name: string): "unknown" | "well" | "held" {
    const row = this.#known.row(name);
    if (row === undefined) return "unknown";
    return row.is_open || row.ramp !== null || !this.has(name) ? "held" : "well";
  }

  isWellFor(name: string, item: string): boolean {
    return this.#known.isWellFor(name, item, LATELY_MS);
  }

  /** Asked to call a service once, through `call` and on nobody's behalf, instead of letting an item through. */
  onProbe(prober: Prober): void {
    this.#probes.prober = prober;
  }

  /** Reads how all services stand. True when one opened or closed. */
  async refresh(): Promise<boolean> {
    return (await this.#read()).turned;
  }

  /** Refused at once while the breaker is open. Throws faults only, each naming the service. */
  async call<Result>(
    called: string | ServiceRule,
    item: string | null,
    work: (client: unknown) => Promise<Result>,
    options: CallOptions = {},
  ): Promise<Result> {
    const name = typeof called === "string" ? called : called.name;
    const row = await this.#rowOf(called);
    const { clock, measures } = this.#ports;
    const took = (ms: number) => measures.called(name, options.place, ms);
    // The look that is the probe: whoever asked for it tells what came of it.
    if (item === null && this.#probes.mayAsk(name)) return await within(work(this.client(name)), options, clock, took);
    this.#admit(name, row, item, options);
    if (row.limit_count !== null && !options.isPaid && options.probe === undefined) {
      await this.#tokens.take(name, options.signal);
      // It may have gone down while this one waited for its place.
      this.#admit(name, this.#known.row(name) ?? row, item, options);
    }
    const era = this.#known.row(name)?.changed_at ?? row.changed_at;
    const base = { item, era, probe: options.probe };
    const ended = this.#known.called(name);
    try {
      const result = await within(work(this.client(name)), options, clock, took);
      this.#known.succeeded(name, item);
      await this.#reportSoon(name, { ...base, at: clock.monotonic(), verdict: "success" });
      return result;
    } catch (error) {
      const { signal } = options;
      const fault = toFault(signal?.aborted ? signal.reason : error);
      if (fault.kind === "unavailable" && item !== null) this.#known.failed(name, item);
      // Told to stop by us; only when time ran out had the service its chance.
      const verdict = signal?.aborted && fault.code !== "TIMEOUT" ? "none" : verdictOn(fault, name);
      const { retryAfterMs, code, message } = blamedOn(fault, name);
      if (verdict === "none" && retryAfterMs !== undefined && fault.service === name)
        this.#known.press(name, retryAfterMs);
      await this.#reportSoon(name, { ...base, at: clock.monotonic(), verdict, retryAfterMs, code, message });
      throw fault;
    } finally {
      ended();
    }
  }

  #admit(name: string, row: ServiceRow, item: string | null, options: CallOptions): void {
    if (options.signal?.aborted) {
      const at = this.#ports.clock.monotonic();
      // It says nothing, but somebody else may probe now.
      if (options.probe !== undefined)
        this.#report(name, { item, era: row.changed_at, at, verdict: "none", probe: options.probe });
      throw options.signal.reason;
    }
    if (!this.has(name)) {
      const message = `this worker was given no client for ${name}`;
      throw unavailable("NO_CLIENT", message, { service: name, breaker: "none" });
    }
    if (options.probe !== undefined) return;
    if (row.is_open)
      throw refusedDown(name, `${name} is not answering${row.message === null ? "" : `: ${row.message}`}`);
    const busyMs = this.#known.busyMs(name);
    if (busyMs > 0) throw refusedByRate(name, busyMs);
    // What is on nobody's behalf are a few looks, which see to it that what is outside already is not forgotten.
    if (row.ramp !== null && item !== null && !options.isInside && this.#known.callsOf(name) >= row.ramp)
      throw refusedDown(name, `${name} has just come back and is spared`);
  }

  async #rowOf(called: string | ServiceRule): Promise<ServiceRow> {
    const name = typeof called === "string" ? called : called.name;
    if (typeof called !== "string") this.#known.learn(called);
    const known = this.#known.row(name);
    if (known !== undefined) return known;
    const { db } = this.#ports;
    await registerService(db, name, this.#known.rule(name).rules);
    const [row] = await readServices(db, [name]);
    if (row === undefined) throw transient("UNKNOWN", `service ${name} could not be registered`, { breaker: "none" });
    this.#known.see(row);
    return row;
  }

  #report(name: string, report: Report): void {
    if (report.probe !== undefined) this.#probes.ended(name);
    if (this.#reports.add(name, report)) this.#loop.wake();
  }

  /** A probe's end and a failure are written before the visit goes on: what becomes of its item depends on them. */
  async #reportSoon(name: string, report: Report): Promise<void> {
    const isNews = this.#reports.add(name, report);
    if (report.probe !== undefined) this.#probes.ended(name);
    if (report.probe !== undefined || report.verdict === "failure" || report.verdict === "open")
      await this.#nextRound();
    else if (isNews) this.#loop.wake();
  }

  /**
   * The next one that begins; all who ask meanwhile share it. One after the other: a report that one has taken along to be
   * written is not known yet to another that reads at the same time.
   */
  #nextRound(): Promise<void> {
    this.#next ??= this.#current.then(async () => {
      this.#current = this.#next ?? this.#current;
      this.#next = undefined;
      await this.#round().catch((error: unknown) => {
        this.#ports.log.warn("services.failed", { error: safeText(error, 300) });
      });
    });
    return this.#next;
  }

  async #round(): Promise<void> {
    const { rows, turned } = await this.#read();
    const wrote = await this.#reports.flush(rows);
    if (turned || wrote) this.#ports.turned();
    this.#probes.look();
  }

  async #read(): Promise<{ rows: readonly ServiceRow[]; turned: boolean }> {
    const rows = await listServices(this.#ports.db);
    const turned = this.#known.seeAll(rows);
    // Only now: of one that stages merely call, the code tells nothing before they do, and the database knows it.
    for (const name of this.#ports.laneServices()) if (this.has(name)) await this.#rowOf(name);
    return { rows, turned };
  }
}
