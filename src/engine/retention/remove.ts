// Removing requests together, and finding the one to blame when that does not work.

import { formatId } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { classifyDatabaseError, sqlState } from "../db/errors.ts";
import { forgetAll, forgetKept, lockRequests, type Removed, removeLocked } from "./remove.sql.ts";

export interface Outcome {
  readonly removed: readonly string[];
  readonly items: number;
  /** What an application's tables keep, by request: why. */
  readonly held: ReadonlyMap<string, string>;
}

const FOREIGN_KEY = "23503";

/**
 * Those that cannot go for a foreign key of an application's are named; those that somebody has his hands on, or on which
 * something hangs again, are left for another time.
 */
export async function removeRequests(db: Database, requests: readonly string[]): Promise<Outcome> {
  if (requests.length === 0) return { removed: [], items: 0, held: new Map() };
  try {
    const { requests: removed, items } = await db.transaction((tx) => removeTogether(tx, requests));
    return { removed, items: items.length, held: new Map() };
  } catch (error) {
    const isHeld = sqlState(error) === FOREIGN_KEY;
    if (!isHeld && classifyDatabaseError(error) !== "conflict") throw error;
    if (requests.length === 1) {
      const held = isHeld ? requests.map((id): [string, string] => [id, whatHolds(error)]) : [];
      return { removed: [], items: 0, held: new Map(held) };
    }
    const middle = Math.ceil(requests.length / 2);
    const first = await removeRequests(db, requests.slice(0, middle));
    const second = await removeRequests(db, requests.slice(middle));
    return {
      removed: [...first.removed, ...second.removed],
      items: first.items + second.items,
      held: new Map([...first.held, ...second.held]),
    };
  }
}

async function removeTogether(tx: Parameters<typeof lockRequests>[0], requests: readonly string[]): Promise<Removed> {
  await lockRequests(tx, requests);
  const removed = await removeLocked(tx, requests);
  if (removed.asked.length === 0) await forgetKept(tx, removed.items);
  else
    await forgetAll(
      tx,
      removed.items,
      removed.asked.map((id) => ({ id, name: formatId("request", id) })),
    );
  return removed;
}

/** From the fields of the error, as the server names them. */
function whatHolds(error: unknown): string {
  const { schema, table, constraint } = error as { schema?: string; table?: string; constraint?: string };
  if (table === undefined) return "rows of an application still refer to it";
  return `rows of ${schema === undefined ? "" : `${schema}.`}${table} still refer to it (${constraint ?? "a foreign key"})`;
}
