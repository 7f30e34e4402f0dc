// Removing what belongs to an entity: a request, or all that was asked for under a key.

import { InputError, parseId, type RequestId } from "../../kit/index.ts";
import { type CallerTransaction, joinTransaction } from "../db/caller-transaction.ts";
import type { Database } from "../db/database.ts";
import { askRemoval, removable, requestsOfKey } from "../retention/removal.sql.ts";
import { checkActor, checkScope, checkSignalKey } from "./checks.ts";

export type RemoveTarget = RequestId | { readonly pipeline: string; readonly key: string };

export interface RemoveOptions {
  readonly by?: string;
  /** Nothing is marked; the answer says how many items would go, without what they spawned. */
  readonly dryRun?: boolean;
  /** A `pg` client or Kysely transaction of the caller's: removed if and when it commits. */
  readonly tx?: CallerTransaction;
}

/**
 * Only marks them: cancelling in the caller's transaction would hold its rows until that ends, and write events with the
 * number of a transaction older than what they follow. Undefined when it was done, else why it was not.
 */
export async function askToRemove(
  db: Database,
  target: RemoveTarget,
  options: RemoveOptions = {},
): Promise<string | undefined> {
  const { by = "api", tx } = options;
  const actor = checkActor(by);
  const find = finder(target);
  const mark = async (session: Pick<Database, "query">) => await askRemoval(session, await find(session), actor);
  const found = tx === undefined ? await db.transaction(mark) : await mark(joinTransaction(tx));
  return found.length > 0 ? undefined : NOTHING;
}

const NOTHING = "nothing to remove: there is no such request, or it belongs to another item";

/** How many items would go, or why none. */
export async function wouldRemove(db: Database, target: RemoveTarget): Promise<number | string> {
  const { requests, items } = await removable(db, await finder(target)(db));
  return requests === 0 ? NOTHING : items;
}

/** Checks before anything is asked of the database. */
function finder(target: RemoveTarget): (session: Pick<Database, "query">) => Promise<string[]> {
  if (typeof target !== "object") {
    const id = parseId("request", target, "request");
    return async () => [id];
  }
  if (target === null) throw new InputError("request", "request must be a request's id, or { pipeline, key }");
  const { pipeline, key } = target;
  if (pipeline === undefined) throw new InputError("pipeline", "pipeline must be text that is not empty");
  checkScope({ pipeline });
  checkSignalKey(key);
  return (session) => requestsOfKey(session, pipeline, key);
}
