// Gives items back unharmed: ready at once, nothing counted, nobody suspected.

import { type Logger, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { type Fence, heldBy, release } from "../items/lease.sql.ts";
import { withdrawInvitation } from "./worker-row.sql.ts";

export interface HandBackPorts {
  readonly db: Queryable;
  readonly log: Logger;
  epoch(): string;
  moved(): void;
}

/** What cannot be handed back now is found as a stray, or taken back when this worker is gone. */
export async function handBack(fences: readonly Fence[], { db, log, epoch, moved }: HandBackPorts): Promise<void> {
  try {
    await release(db, fences, epoch());
  } catch (error) {
    log.warn("release.failed", { items: fences.length, error: safeText(error, 500) });
  }
  moved();
}

const REST_MOST = 10_000;

/**
 * The last thing of a life: nobody hands anything to it any more, and what was handed over without its letter having come goes
 * back. Left behind, it would be taken for what a dead worker held.
 */
export async function handBackRest(db: Queryable, epoch: string): Promise<void> {
  await withdrawInvitation(db, epoch);
  const rest = await heldBy(db, epoch, REST_MOST);
  if (rest.length > 0) await release(db, rest, epoch);
}
