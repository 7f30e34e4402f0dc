// Work that takes processor time and nothing else. The kernel counts a thread's time in steps of several milliseconds, so a
// handler cannot compute until it has used one: it does as many turns as took a millisecond while nothing else ran. Native
// code, because a loop of ours took from one to six nanoseconds a turn, as V8 had compiled what is around it.

import { pbkdf2Sync } from "node:crypto";

/** The same work for the same number of turns. */
export function compute(turns: number): string {
  return pbkdf2Sync("an item", "the benchmark", turns, 32, "sha256").toString("hex");
}

const TRY_TURNS = 5_000;
const TRIES = 50;

/** The shortest of many tries counts: whatever else the machine does only makes one longer. */
export function turnsPerMs(time: (turns: number) => number = timed): number {
  const tries = Array.from({ length: TRIES }, () => time(TRY_TURNS));
  return Math.round(TRY_TURNS / Math.min(...tries));
}

function timed(turns: number): number {
  const before = performance.now();
  compute(turns);
  return performance.now() - before;
}
