// What is told of everything that is due, lane by lane: for lists that are searched by it. The same decision as an explanation's. Pure.

import type { DueReason } from "../items/reasons.ts";
import { whyUnclaimed } from "./explain.ts";
import { standingOf } from "./facts.ts";
import type { WholeLaneRow } from "./lane-facts.sql.ts";

export interface Verdict {
  readonly lane: number;
  /** Of what a person let through. */
  readonly passes: boolean;
  /** Of the items of this key; null for all that have no verdict of their own. */
  readonly key: string | null;
  readonly reason: DueReason;
}

/** Since when does not matter here. */
const ANY_TIME = { since: new Date(0), readyAt: null };

export function verdictsOf(rows: readonly WholeLaneRow[]): Verdict[] {
  return rows.flatMap((row) => {
    const { lane, passes } = row;
    const reason = (keyIsFull: boolean) => whyUnclaimed(standingOf(row, { keyIsFull, ahead: 0 }), ANY_TIME).reason;
    const ofKeys = (row.full_keys ?? []).map((key) => ({ lane, passes, key, reason: reason(true) }));
    return [{ lane, passes, key: null, reason: reason(false) }, ...ofKeys];
  });
}
