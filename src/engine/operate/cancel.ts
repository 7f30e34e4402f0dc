// Cancelling items, and everything they spawned.

import type { Database, Queryable } from "../db/database.ts";
import { type CancelledRow, cancelRuns, liveItemsOf, liveRuns, openRequestsSpawnedBy } from "./cancel.sql.ts";

/** A worker may settle, hand on or claim between our look and our write; it cannot do so for ever. */
const TRIES = 100;
const GENERATIONS = 100;
const BATCHES = 10_000;

/** Ends these items, and what they spawned, as cancelled. Items that have ended stay as they ended. Run it in a transaction. */
export async function cancelItems(tx: Queryable, items: readonly string[], actor: string): Promise<CancelledRow[]> {
  const cancelled: CancelledRow[] = [];
  let open = [...items];
  for (let generation = 0; open.length > 0 && generation < GENERATIONS; generation += 1) {
    const ended = await cancelThese(tx, open, actor);
    cancelled.push(...ended);
    open = await childrenOf(tx, open);
  }
  return cancelled;
}

async function cancelThese(tx: Queryable, items: readonly string[], actor: string): Promise<CancelledRow[]> {
  const cancelled: CancelledRow[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const live = await liveRuns(tx, items);
    if (live.length === 0) return cancelled;
    cancelled.push(...(await cancelRuns(tx, live, actor)));
  }
  return cancelled;
}

async function childrenOf(tx: Queryable, items: readonly string[]): Promise<string[]> {
  const requests = await openRequestsSpawnedBy(tx, items);
  const found: string[] = [];
  // A batch at a time is enough: the caller comes back while there are more.
  if (requests.length > 0) found.push(...(await liveItemsOf(tx, requests)));
  return found;
}

/** Ends all items of a request, a batch to a transaction: ten thousand at once would hold their locks for too long. */
export async function cancelRequest(db: Database, request: string, actor: string): Promise<CancelledRow[]> {
  const cancelled: CancelledRow[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const ended = await db.transaction(async (tx) => {
      const live = await liveItemsOf(tx, [request]);
      return live.length === 0 ? undefined : await cancelItems(tx, live, actor);
    });
    if (ended === undefined) return cancelled;
    cancelled.push(...ended);
  }
  return cancelled;
}
