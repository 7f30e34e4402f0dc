// Planned times: each is run at most once by all processes together, or counted as missed, as its policy says.

import type { DueSchedule } from "../../src/engine/intake/schedule.sql.ts";
import type { Schedule } from "../../src/engine/pipeline/schedule.ts";
import { SCHEDULES, type ScheduleRows } from "./actions.sql.ts";
import type { Commit, CommitCheck } from "./commit-check.ts";
import type { Counts } from "./counts.ts";
import type { RemovalChecks } from "./removal-checks.ts";
import type { Party } from "./scheduler.ts";
import { Violation } from "./violation.ts";

/** Law: noticed within a minute is on time; of those to make up for, the newest hundred; counted up to a thousand. */
const ON_TIME_MS = 60_000;
const ALL_MOST = 100;
const COUNTED_MOST = 1_000;
const RECENT_MS = 4 * 3_600_000;

interface Move {
  readonly next: number | null;
  readonly last: number | null;
  readonly missed: number;
}

export class ScheduleChecks implements CommitCheck {
  readonly #schedules: ReadonlyMap<string, Schedule>;
  readonly #counts: Counts;
  readonly #removal: RemovalChecks | undefined;
  readonly #due = new Map<Party, Map<string, DueSchedule>>();
  /** What has to become of a schedule if the transaction that moves it is committed. */
  #moving: { readonly name: string; readonly version: string; readonly move: Move } | undefined;
  #rows = new Map<string, ScheduleRows["schedules"][number]>();
  readonly #requests = new Map<string, Set<string>>();

  constructor(schedules: readonly Schedule[], counts: Counts, removal: RemovalChecks | undefined) {
    this.#schedules = new Map(schedules.map((one) => [one.name, one]));
    this.#counts = counts;
    this.#removal = removal;
  }

  get isPaused(): boolean {
    return this.#rows.size === this.#schedules.size && [...this.#rows.values()].every((row) => row[5]);
  }

  /** A process was told what is due. */
  due(party: Party, rows: readonly DueSchedule[]): void {
    const mine = this.#due.get(party) ?? new Map<string, DueSchedule>();
    for (const row of rows) mine.set(row.name, row);
    this.#due.set(party, mine);
  }

  /** A process moves a schedule on; inside a transaction that may still be rolled back. */
  moves(party: Party, values: readonly unknown[]): void {
    const [name, version, next, last, missed] = values as [string, string, Date | null, Date | null, number];
    const due = this.#due.get(party)?.get(name);
    const schedule = this.#schedules.get(name);
    if (due === undefined || schedule === undefined || due.version !== version)
      throw new Violation("schedules", `${party.name} moves ${name}@${version}, and was not told that it is due`);
    const move = { next: next?.getTime() ?? null, last: last?.getTime() ?? null, missed };
    const expected = expectedOf(schedule, due.next_at.getTime(), due.now_ms);
    if (JSON.stringify(move) !== JSON.stringify(expected))
      throw new Violation(
        "schedules",
        `${name} (${schedule.missed}), due ${due.next_at.toISOString()} at ${due.now_ms}: ${JSON.stringify({ move, expected })}`,
      );
    const before = this.#rows.get(name)?.[3] ?? null;
    if (move.last !== null && before !== null && move.last <= before)
      throw new Violation(
        "schedules",
        `${name} is run for ${last?.toISOString()}, and was for ${new Date(before).toISOString()}`,
      );
    this.#moving = { name, version: String(BigInt(version) + 1n), move };
    this.#counts.add("checked: schedules");
    if (missed > 0) this.#counts.add("schedule: missed");
  }

  /** Something else begins: whoever moved one has committed by now, or was rolled back. */
  somethingElse(): void {
    this.#moving = undefined;
  }

  check({ next, read }: Commit): void {
    for (const [id, , key] of next.requests) if (key?.includes("@")) this.#made(key, id);
    const { schedules } = read<ScheduleRows>(SCHEDULES);
    for (const row of schedules) this.#checkRow(row);
    this.#rows = new Map(schedules.map((row) => [row[0], row]));
  }

  #checkRow([name, version, next, last, missed]: ScheduleRows["schedules"][number]): void {
    const before = this.#rows.get(name);
    const wasRun = last !== null && last !== before?.[3];
    if (wasRun && !this.#requests.has(keyOf(name, last)))
      throw new Violation(
        "schedules",
        `${name} says it ran for ${new Date(last).toISOString()}, and there is no request`,
      );
    const isMoved = this.#moving?.name === name && this.#moving.version === version;
    const move = isMoved ? this.#moving?.move : undefined;
    if (move === undefined || before === undefined || before[1] === version) return;
    const expected = { next: move.next, last: move.last ?? before[3], missed: before[4] + move.missed };
    if (JSON.stringify({ next, last, missed }) !== JSON.stringify(expected))
      throw new Violation("schedules", `${name} stands at ${JSON.stringify({ next, last, missed, expected })}`);
  }

  #made(key: string, request: string): void {
    const [name = "", at = ""] = key.split("@");
    if (!this.#schedules.has(name)) return;
    const known = this.#requests.get(key) ?? new Set();
    if (known.has(request)) return;
    const others = [...known].filter((one) => this.#removal?.isAsked(one) !== true);
    if (others.length > 0)
      throw new Violation("schedules", `${key} was made as request ${request}, and before as ${others.join(", ")}`);
    this.#requests.set(key, known.add(request));
    this.#counts.add(`scheduled: ${Number.isNaN(Date.parse(at)) ? "?" : name}`);
  }
}

function keyOf(name: string, at: number): string {
  return `${name}@${new Date(at).toISOString()}`;
}

/** Every planned time that has passed is run or missed; what is run first is followed by the next planned time. */
function expectedOf({ times, missed }: Schedule, due: number, now: number): Move {
  const passed = passedOf(times, due, now);
  const counted = passed.slice(-COUNTED_MOST);
  const made =
    missed === "once"
      ? counted.slice(-1)
      : missed === "all"
        ? counted.slice(-ALL_MOST)
        : counted.filter((at) => now - at <= ON_TIME_MS);
  const [run = null] = made;
  return { next: times.next(run ?? passed.at(-1) ?? now), last: run, missed: counted.length - made.length };
}

/** From the one that was due to now. Where the last hours alone have more than anybody counts, only those. */
function passedOf(times: Schedule["times"], due: number, now: number): number[] {
  const from = (first: number | null) => {
    const passed: number[] = [];
    for (let at = first; at !== null && at <= now; at = times.next(at)) passed.push(at);
    return passed;
  };
  const recent = due < now - RECENT_MS ? from(times.next(now - RECENT_MS)) : [];
  return recent.length > COUNTED_MOST ? recent : from(due);
}
