// What must hold, and the flaws that are planted to see that each invariant can break.

import type { State } from "./state.ts";

export type Flaw =
  | "the fence lacks the version"
  | "the fence lacks the epoch"
  | "reclaim leaves the version"
  | "an unknown commit is repeated blindly"
  | "counts are raised outside the fence"
  | "cancel has no fence"
  | "a retry starts at version 0"
  | "a retry keeps the series"
  | "a reclaim counts an attempt"
  | "a dead worker is swept only once"
  | "a worker does not look for leases it does not know of"
  | "a worker keeps its epoch after a failover"
  | "a repeat of what was written is called refused";

export const INVARIANT = {
  oneOwner: "one owner: only the lease under which a visit was made may write what came of it",
  legalPath: "legal path: a settlement is about the stage and series the item is in",
  once: "nothing recorded twice: one success per item, stage and series",
  attempts: "attempts: equal to the counted faults of this series, and the last one ends it",
  counts: "counts: equal to a recount at every commit",
  final: "final is final, until a retry",
  versionRises: "the version rises whenever an item changes hands",
  refusals: "a refusal is recorded only of what was not written",
  nothingForgotten: "nothing forgotten: what is not final can still become final",
} as const;

export type Invariant = (typeof INVARIANT)[keyof typeof INVARIANT];

export const ATTEMPTS_MAX = 2;

/** What can be seen by comparing two neighbouring states; the rest is checked where it is written. */
export function checkStep(before: State, after: State): Invariant | null {
  for (const [i, item] of after.items.entries()) {
    const was = before.items[i];
    const { run, ended } = item;
    if ((run === null) === (ended === null)) return INVARIANT.nothingForgotten;
    if (run !== null && (run.attempts !== item.faults || run.attempts >= ATTEMPTS_MAX)) return INVARIANT.attempts;
    const last = was?.run?.version ?? was?.last.version ?? 0;
    const changedHands = run?.epoch !== was?.run?.epoch || run?.lease !== was?.run?.lease;
    // A claim undone by a failover is the exception that the epoch is for.
    const isUndone = was?.run?.claimed === true && run?.epoch === null && run.version === was.run.version - 1;
    if (run !== null && changedHands && !isUndone && run.version <= last) return INVARIANT.versionRises;
  }
  for (const end of ["done", "failed", "cancelled"] as const) {
    if (after.counts[end] !== after.items.filter((item) => item.ended === end).length) return INVARIANT.counts;
  }
  return null;
}
