// Gives items back unharmed: ready at once, nothing counted, nobody suspected.

import { type Logger, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { type Fence, release } from "../items/lease.sql.ts";
import type { Held } from "./held.ts";

export interface HandBackPorts {
  readonly db: Queryable;
  readonly log: Logger;
  epoch(): string;
}

/** What cannot be handed back now is found as a stray, or taken back when this worker is gone. */
export async function handBack(items: readonly Held[], { db, log, epoch }: HandBackPorts): Promise<void> {
  const fences: Fence[] = items.map((held) => ({ id: held.row.id, version: held.version }));
  try {
    await release(db, fences, epoch());
  } catch (error) {
    log.warn("release.failed", { items: items.length, error: safeText(error, 500) });
  }
}
