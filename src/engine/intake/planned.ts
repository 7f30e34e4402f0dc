// What a schedule that is due does next, given when it was due and what time it is. One run at a time: each is a transaction
// of its own, whatever its size, and a process that dies half-way through a hundred has done those it did.

import type { Missed } from "../pipeline/schedule.ts";
import type { Timetable } from "../pipeline/timetable.ts";

export interface Step {
  /** The planned time of the run to make now; null when there is nothing to make up for. */
  readonly run: number | null;
  /** How many planned times pass with it without a run. */
  readonly missed: number;
  readonly next: number | null;
}

/** What is noticed so late was still on time: a restart, or a database that was away for a moment. */
export const ON_TIME_MS = 60_000;
export const ALL_MOST = 100;
/** Missed times are counted up to here: after a year without anybody, every second, the exact number helps nobody. */
export const COUNTED_MOST = 1_000;

/** `due` is not after `now`. */
export function stepOf(times: Timetable, missed: Missed, due: number, now: number): Step {
  const passed = times.between(due, now, COUNTED_MOST);
  // A time that was promised stays one, even where the zone's rules were changed since.
  if (passed[0] !== due && passed.length < COUNTED_MOST) passed.unshift(due);
  const made = toMake(passed, missed, now);
  const [run = null, second] = made;
  return { run, missed: passed.length - made.length, next: second ?? times.next(now) };
}

function toMake(passed: readonly number[], missed: Missed, now: number): readonly number[] {
  switch (missed) {
    case "once":
      return passed.slice(-1);
    case "skip":
      return passed.filter((time) => now - time <= ON_TIME_MS);
    case "all":
      return passed.slice(-ALL_MOST);
  }
}
