// One item, let through a closed switch, pause or hold by a person. Its lane stays closed for all others; a breaker is
// passed by nobody, because a service that does not answer would not answer this item either.

import type { Queryable } from "../db/database.ts";
import { findHeldUp, type HeldRow, letThrough } from "./run-once.sql.ts";

/** A worker may move it between our look and our write; it cannot do so for ever. */
const TRIES = 100;

export interface RunOnceAsked {
  readonly item: string;
  readonly actor: string;
  readonly dryRun: boolean;
  /** Why the item stands where it stands, in a sentence, for a refusal. */
  why(): Promise<string>;
}

/** Undefined when it was done, or was done before; else why not. */
export async function runOnce(db: Queryable, asked: RunOnceAsked): Promise<string | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const row = await findHeldUp(db, asked.item);
    const refusal = refusalOf(row);
    if (refusal === "not held") return `no switch, pause or hold keeps it. ${await asked.why()}`;
    if (refusal !== undefined) return refusal;
    if (row === undefined || row.is_manual || asked.dryRun) return undefined;
    if (await letThrough(db, asked.item, row.version, asked.actor)) return undefined;
  }
  return "it is moving right now; ask again";
}

function refusalOf(row: HeldRow | undefined): string | undefined {
  if (row === undefined || !row.is_queued) return "not held";
  if (row.broken !== null) return `service ${row.broken} does not answer, and its breaker lets only a probe through`;
  return row.is_held ? undefined : "not held";
}
