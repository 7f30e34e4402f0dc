// Opening the feed: a new epoch where the database is not the one it was, the old one otherwise.

import type { Random } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { hasForeignEvents, rebaseEvents, takeFeedEpoch } from "./feed-epoch.sql.ts";

/**
 * Must have run once before anything is written after a restore; running it again costs one small statement. After a dump
 * was loaded into another cluster, the stored events are numbered anew, so that they stay readable: as they are, they
 * would lie in that cluster's future, and the feed ends where the present begins.
 */
export async function openFeed(db: Database, random: Random): Promise<void> {
  await db.transaction(async (tx) => {
    const isNew = await takeFeedEpoch(tx, String(random.token()));
    if (isNew && (await hasForeignEvents(tx))) await rebaseEvents(tx);
  });
}
