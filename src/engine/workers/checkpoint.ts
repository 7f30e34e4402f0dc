// Saves a checkpoint, and keeps trying while the database is away: its outage is not the item's fault, and an error
// thrown into the stage's code would be counted as one. Saving twice is harmless, for the fence does not move.

import { type Clock, type Logger, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { classifyDatabaseError } from "../db/errors.ts";
import { type Fence, saveCheckpoint } from "../items/lease.sql.ts";

interface CheckpointPorts {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
  epoch(): string;
}

const RETRY_SHORTEST_MS = 50;
const RETRY_LONGEST_MS = 2_000;

/** False when somebody else has owned the item since; nothing was written then. */
export async function keepCheckpoint(
  fence: Fence,
  value: string,
  ports: CheckpointPorts,
  isOurs: () => boolean,
): Promise<boolean> {
  const { db, clock, log } = ports;
  const epoch = ports.epoch();
  for (let delay = RETRY_SHORTEST_MS; isOurs(); delay = Math.min(RETRY_LONGEST_MS, delay * 2)) {
    try {
      return await saveCheckpoint(db, fence, epoch, value);
    } catch (error) {
      const failure = classifyDatabaseError(error);
      if (failure === "data" || failure === "bug") throw error;
      log.warn("checkpoint.unsaved", { item: fence.id, failure, error: safeText(error, 300) });
      await clock.sleep(delay);
    }
  }
  return false;
}
