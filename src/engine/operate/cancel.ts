// Cancelling items, and everything they spawned.
//
// Each round is a statement of its own, not one transaction around all: a row that moved between our look and our write is
// looked at again, and its journal rows stay in the order of the feed only if that second write has a later transaction
// than the move it saw. A caller that dies half-way has cancelled some, and cancels the rest when it asks again.

import type { Queryable } from "../db/database.ts";
import { type CancelledRow, cancelRuns, liveItemsOf, liveRuns, openRequestsSpawnedBy } from "./cancel.sql.ts";
import { untilStill } from "./until-still.ts";

/** Of items, over all generations of what was spawned. */
const BATCHES = 10_000;

/** Ends these items, and what they spawned, as cancelled. Items that have ended stay as they ended. */
export async function cancelItems(db: Queryable, items: readonly string[], actor: string): Promise<CancelledRow[]> {
  const cancelled: CancelledRow[] = [];
  const family = new Set<string>();
  let open = [...items];
  for (let batch = 0; open.length > 0 && batch < BATCHES; batch += 1) {
    cancelled.push(...(await cancelThese(db, open, actor)));
    for (const item of open) family.add(item);
    // Those of a large family come in several batches, so all parents are asked again each time.
    const requests = await openRequestsSpawnedBy(db, [...family]);
    open = requests.length > 0 ? await liveItemsOf(db, requests) : [];
  }
  return cancelled;
}

/** All items of a request that have not ended, a batch at a time: ten thousand at once would hold their locks too long. */
export async function cancelRequest(db: Queryable, request: string, actor: string): Promise<CancelledRow[]> {
  const cancelled: CancelledRow[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const live = await liveItemsOf(db, [request]);
    if (live.length === 0) break;
    cancelled.push(...(await cancelItems(db, live, actor)));
  }
  return cancelled;
}

async function cancelThese(db: Queryable, items: readonly string[], actor: string): Promise<CancelledRow[]> {
  const cancelled: CancelledRow[] = [];
  await untilStill(async () => {
    const live = await liveRuns(db, items);
    if (live.length === 0) return "none";
    cancelled.push(...(await cancelRuns(db, live, actor)));
    return "moved";
  });
  return cancelled;
}
