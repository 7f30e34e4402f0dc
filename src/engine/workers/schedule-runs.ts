// Schedules at work. Nobody leads: every process looks, and of those that find one due the first to commit makes the run.

import { type Clock, type Logger, type Loop, loop, type Random, type Service, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { isRefused } from "../db/errors.ts";
import { persistently } from "../db/persistently.ts";
import { makeRun } from "../intake/make-run.ts";
import { stepOf } from "../intake/planned.ts";
import type { Placed, PlacedByName } from "../intake/recurring.ts";
import { type DueSchedule, dueSchedules, failSchedule } from "../intake/schedule.sql.ts";
import { scheduledSubmission } from "../intake/scheduled.ts";
import type { Submission } from "../intake/submission.ts";
import { backoffDelayMs } from "../pipeline/backoff.ts";
import { MESSAGE_BYTES, toFault } from "../pipeline/fault.ts";
import type { Schedule } from "../pipeline/schedule.ts";

export interface ScheduleRunsPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly schedules: PlacedByName<Schedule>;
  /** Items became ready. */
  moved(): void;
}

const LOOK_EVERY_MS = 1_000;
const BACKOFF = { baseMs: 10_000, capMs: 300_000, jitterMs: 0, jitterShare: 0.1 };

export class ScheduleRuns implements Service {
  readonly #ports: ScheduleRunsPorts;
  readonly #loop: Loop;
  readonly #under = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(ports: ScheduleRunsPorts) {
    this.#ports = ports;
    const failed = (error: unknown) => ports.log.warn("schedules.failed", { error: safeText(error, 300) });
    this.#loop = loop(ports.clock, LOOK_EVERY_MS, () => this.#look(), failed);
  }

  async start(): Promise<void> {
    if (this.#ports.schedules.size > 0) await this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop.stop();
    await Promise.all(this.#under.values());
  }

  /** Begins what is due, and waits for none of it: the inputs of one may take their time. */
  async #look(): Promise<void> {
    const { db, schedules, log } = this.#ports;
    const idle = [...schedules.values()].map(({ what }) => what).filter(({ name }) => !this.#under.has(name));
    if (idle.length === 0) return;
    for (const due of await dueSchedules(
      db,
      idle.map(({ name, times }) => ({ name, rule: times.rule })),
    )) {
      const placed = schedules.get(due.name);
      if (placed === undefined) continue;
      const running = this.#run(placed, due)
        .catch((error: unknown) => log.warn("schedule.lost", { schedule: due.name, error: safeText(error, 300) }))
        .finally(() => this.#under.delete(due.name));
      this.#under.set(due.name, running);
    }
  }

  async #run({ what, first }: Placed<Schedule>, due: DueSchedule): Promise<void> {
    const { db, clock, random, log, moved } = this.#ports;
    const step = stepOf(what.times, what.missed, due.next_at.getTime(), due.now_ms);
    const at = step.run === null ? null : new Date(step.run);
    let submission: Submission | null;
    try {
      const ports = { clock, stopping: this.#stopping.signal };
      submission = at === null ? null : await scheduledSubmission(what, first, at, ports);
    } catch (error) {
      return await this.#failed(due, error);
    }
    const move = { next: step.next === null ? null : new Date(step.next), last: at, missed: step.missed };
    try {
      if (!(await persistently(() => makeRun(db, due, move, submission, random)))) return;
    } catch (error) {
      // With the database away the next look finds out whether it was made.
      if (!isRefused(error)) throw error;
      return await this.#failed(due, error);
    }
    log.info("schedule.ran", { schedule: what.name, at, missed: step.missed });
    moved();
    // There may be more to make up for.
    this.#loop.wake();
  }

  async #failed(due: DueSchedule, error: unknown): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { db, random, log } = this.#ports;
    const fault = toFault(error);
    const { kind, code } = fault;
    const message = safeText(fault.message, MESSAGE_BYTES);
    const againInMs = backoffDelayMs(BACKOFF, due.failures + 1, random.fraction());
    log.warn("schedule.failed", { schedule: due.name, kind, code, message, againInMs });
    await failSchedule(db, due, { code, message }, againInMs);
  }
}
