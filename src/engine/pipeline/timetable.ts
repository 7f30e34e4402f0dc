// When a cron expression comes due, in a time zone. Wall clocks jump; people who write "02:30 every night" mean once every
// night, so:
//
//   a time that does not exist (clocks go forward)   is due at the first moment after the gap, 03:00 for 02:30
//   a time that exists twice (clocks go back)        is due the first time only
//   an expression that repeats (every 30 minutes)    goes by elapsed time, through gaps and repetitions alike
//
// All of it is asked with a time given, never with the machine's.

import { Cron } from "croner";
import { InputError, safeText } from "../../kit/index.ts";

export interface Timetable {
  /** Expression and zone: what decides every time. */
  readonly rule: string;
  /** The first time after this one; null when there is none. */
  next(after: number): number | null;
  /** All times from `from` to `to`, both included; of more than `most`, the latest. Oldest first. */
  between(from: number, to: number, most: number): number[];
}

const CRON_LONGEST = 200;
const SECOND = 1_000;
/** Any time would do: an expression without a year comes again, or never comes. */
const SOME_TIME = new Date("2000-01-01T00:00:00Z");

export function timetable(cron: string, zone: string, field: string): Timetable {
  const table = parsed(cron, checkedZone(zone, `${field}.zone`), `${field}.cron`);
  return {
    rule: `${cron.trim().replaceAll(/\s+/g, " ")} ${zone}`,
    next: (after) => table.nextRun(new Date(after))?.getTime() ?? null,
    between: (from, to, most) => {
      const times = ahead(table, from, to, most);
      // More than are wanted: the latest of them, from the other end, for a walk over all could take for ever.
      return times.length <= most ? times : latest(table, to, most);
    },
  };
}

/** Stops when there is one more than wanted. */
function ahead(table: Cron, from: number, to: number, most: number): number[] {
  const times: number[] = [];
  for (let at = from - 1; times.length <= most; ) {
    const next = table.nextRun(new Date(at))?.getTime();
    if (next === undefined || next > to) break;
    times.push(next);
    at = next;
  }
  return times;
}

function latest(table: Cron, to: number, most: number): number[] {
  // The library answers with times before the one given, by whole seconds.
  const end = Math.floor(to / SECOND) * SECOND + SECOND;
  const times = table.previousRuns(most, new Date(end)).map((time) => time.getTime());
  return times.reverse();
}

function parsed(cron: string, timezone: string, field: string): Cron {
  const refused = (why: string, cause?: unknown) =>
    new InputError(field, `${field} is not a cron expression such as "0 3 * * *": ${why}`, { cause });
  if (typeof cron !== "string" || cron.length > CRON_LONGEST) throw refused(`got ${safeText(cron, 80)}`);
  // The library also takes a date for a single run, a year, and the moment of starting; none of them is a timetable.
  const parts = cron.trim().split(/\s+/).length;
  const isNickname = /^\s*@(yearly|annually|monthly|weekly|daily|midnight|hourly)\s*$/.test(cron);
  if (!isNickname && parts !== 5 && parts !== 6) throw refused(`it has five parts, or six with seconds, got ${parts}`);
  let table: Cron;
  try {
    table = new Cron(cron, { timezone, paused: true });
  } catch (error) {
    throw refused(safeText(error, 200), error);
  }
  if (table.nextRun(SOME_TIME) === null) throw refused("it never comes");
  return table;
}

function checkedZone(zone: string, field: string): string {
  try {
    if (typeof zone !== "string") throw new RangeError("not text");
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch (error) {
    throw new InputError(field, `${field} is a time zone such as "Europe/Berlin", got ${safeText(zone, 80)}`, {
      cause: error,
    });
  }
}
