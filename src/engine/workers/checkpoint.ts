// Saves a checkpoint, and keeps trying while the database is away: its outage is not the item's fault, and an error
// thrown into the stage's code would be counted as one. Saving twice is harmless, for the fence does not move.

import { type Clock, type Logger, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { classifyDatabaseError } from "../db/errors.ts";
import { type Fence, saveCheckpoint } from "../items/lease.sql.ts";
import type { Hands } from "./hands.ts";
import type { Held } from "./held.ts";
import { taken } from "./late.ts";
import { untilAnswered } from "./until-answered.ts";

interface CheckpointPorts {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
  epoch(): string;
}

/** False when somebody else has owned the item since; nothing was written then. */
export async function keepCheckpoint(
  fence: Fence,
  value: string,
  ports: CheckpointPorts,
  isOurs: () => boolean,
): Promise<boolean> {
  const { db, clock, log } = ports;
  const epoch = ports.epoch();
  const saved = await untilAnswered(
    () => saveCheckpoint(db, fence, epoch, value),
    clock,
    isOurs,
    (error) => {
      const failure = classifyDatabaseError(error);
      if (failure === "data" || failure === "bug") throw error;
      log.warn("checkpoint.unsaved", { item: fence.id, failure, error: safeText(error, 300) });
    },
  );
  return saved ?? false;
}

/** For a visit: throws when the item is in other hands, after telling who has it here. */
export async function saveCheckpointOf(
  held: Held,
  value: string,
  ports: CheckpointPorts,
  hands: Hands,
  lost: () => void,
): Promise<void> {
  const { version } = held;
  const isOurs = () => hands.has(held) && held.version === version;
  if (await keepCheckpoint({ id: held.row.id, version }, value, ports, isOurs)) return;
  if (isOurs()) lost();
  throw held.abort.signal.reason ?? taken("the visit is over, or the item in other hands");
}
