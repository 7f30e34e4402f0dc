// Work that takes processor time and nothing else. The kernel counts a thread's time in steps of several milliseconds, so a
// handler cannot compute until it has used one: it does as many turns as took a millisecond while nothing else ran.

/** The same work for the same number of turns. Returned, so that no compiler leaves it out. */
export function compute(turns: number): number {
  let state = turns;
  for (let turn = 0; turn < turns; turn += 1) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return state;
}

/** Long enough for the clock, and short enough not to be interrupted every time. */
const TRY_TURNS = 1_000_000;
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
