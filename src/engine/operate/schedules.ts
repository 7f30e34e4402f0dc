// What people may ask of schedules, and do to them.

import { type Clock, parseId, type Random, type RequestId, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { persistently } from "../db/persistently.ts";
import type { PlacedByName } from "../intake/recurring.ts";
import { lastRuns, nowMs } from "../intake/schedule.sql.ts";
import { scheduledSubmission } from "../intake/scheduled.ts";
import { submit } from "../intake/submit.ts";
import type { Schedule } from "../pipeline/schedule.ts";
import { listSchedules, type ScheduleRow } from "../read/schedules.sql.ts";
import type { ActionResult } from "./action-result.ts";
import { checkActor, checkName } from "./checks.ts";
import { auditScheduleRun, pauseSchedule, resumeSchedule } from "./schedule.sql.ts";

export interface ScheduleState {
  readonly name: string;
  /** The cron expression and its zone. */
  readonly rule: string;
  /** The next planned time. */
  readonly next: Date | null;
  /** The planned time of the last run; null when there was none. */
  readonly last: Date | null;
  /** How many planned times passed without a run. */
  readonly missed: number;
  readonly isPaused: boolean;
  /** Why its inputs could not be had, and how many times in a row; it is tried again. */
  readonly error: { readonly code: string; readonly message: string; readonly failures: number } | null;
}

interface SchedulesPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
}

interface ScheduleOptions {
  readonly by?: string;
  /** Nothing is written; the answer says whether it would be done. */
  readonly dryRun?: boolean;
}

export type ScheduleRun =
  | {
      readonly ok: true;
      /** Null when there was nothing to do, and of a dry run. */
      readonly request: RequestId | null;
      /** How many it has, or would have. */
      readonly items: number;
    }
  | { readonly ok: false; readonly reason: string };

export class Schedules {
  readonly #ports: SchedulesPorts;
  readonly #schedules: PlacedByName<Schedule>;
  readonly #moved: () => void;

  constructor(ports: SchedulesPorts, schedules: PlacedByName<Schedule>, moved: () => void) {
    this.#ports = ports;
    this.#schedules = schedules;
    this.#moved = moved;
  }

  /** Every schedule that was ever started here, by name. */
  async list(): Promise<ScheduleState[]> {
    return (await listSchedules(this.#ports.db)).map(stateOf);
  }

  /** Makes a run now, beside those that are planned; also while it is paused. */
  async run(name: string, options: ScheduleOptions = {}): Promise<ScheduleRun> {
    const actor = checkActor(options.by ?? "api");
    const placed = this.#schedules.get(checkName(name));
    if (placed === undefined) return notHere(name);
    const { db, clock, random } = this.#ports;
    const at = new Date(await nowMs(db));
    const ports = { clock, stopping: new AbortController().signal };
    const submission = await scheduledSubmission(placed.what, placed.first, at, ports);
    const items = submission?.inputs.length ?? 0;
    if (options.dryRun === true) return { ok: true, request: null, items };
    const request = await persistently(() =>
      db.transaction(async (tx) => {
        const made = submission === null ? null : (await submit(db, submission, random, tx)).request;
        await auditScheduleRun(tx, name, actor, made === null ? null : parseId("request", made));
        return made;
      }),
    );
    this.#moved();
    return { ok: true, request, items };
  }

  /** No run is made until it is resumed. */
  async pause(name: string, options: ScheduleOptions = {}): Promise<ActionResult> {
    const { db } = this.#ports;
    const actor = checkActor(options.by ?? "api");
    const isDry = options.dryRun === true;
    if (!isDry && (await pauseSchedule(db, checkName(name), actor))) return { ok: true };
    const isPaused = await this.#isPaused(checkName(name));
    if (isPaused === undefined) return { ok: false, reason: "there is no schedule of that name" };
    return isDry && !isPaused ? { ok: true } : { ok: false, reason: "it is paused already" };
  }

  /** Goes on with the next planned time; those that passed meanwhile were not missed. */
  async resume(name: string, options: ScheduleOptions = {}): Promise<ActionResult> {
    const actor = checkActor(options.by ?? "api");
    const placed = this.#schedules.get(checkName(name));
    if (placed === undefined) return notHere(name);
    const { db } = this.#ports;
    if (options.dryRun === true) return (await this.#isPaused(name)) === true ? { ok: true } : NOT_PAUSED;
    // After a clock that was set back, what has been run lies ahead of us, and is not run again.
    const last = (await lastRuns(db, [name])).get(name) ?? 0;
    const next = placed.what.times.next(Math.max(await nowMs(db), last));
    if (await resumeSchedule(db, name, actor, next === null ? null : new Date(next))) return { ok: true };
    return NOT_PAUSED;
  }

  /** Undefined for one that was never started here. */
  async #isPaused(name: string): Promise<boolean | undefined> {
    return (await listSchedules(this.#ports.db)).find((row) => row.name === name)?.is_paused;
  }
}

const NOT_PAUSED: ActionResult = { ok: false, reason: "it is not paused" };

function notHere(name: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason: `no schedule ${JSON.stringify(safeText(name, 80))} was given to openSluice here` };
}

function stateOf(row: ScheduleRow): ScheduleState {
  const { name, rule, code, message, failures } = row;
  return {
    name,
    rule,
    next: row.next_at,
    last: row.last_at,
    missed: Number(row.missed),
    isPaused: row.is_paused,
    error: code === null ? null : { code, message: message ?? "", failures },
  };
}
