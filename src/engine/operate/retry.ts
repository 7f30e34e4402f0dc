// Trying a failed item anew, or a failed part of one, where nothing speaks against it.

import { SluiceError } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { retryItem } from "./retry.sql.ts";
import { retryPart } from "./retry-parts.ts";

/** Undefined when it was done, else why it was not. */
export async function retry(db: Database, item: string, actor: string): Promise<string | undefined> {
  return await unlessKeyTaken(async () => {
    const { isPart, reason } = await retryPart(db, item, actor);
    if (isPart) return reason;
    const isDone = await db.transaction((tx) => retryItem(tx, item, actor));
    return isDone ? undefined : "only a failed item can be retried";
  });
}

/** Another request took the key of this one since it failed: both cannot be live. */
export async function unlessKeyTaken(work: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SluiceError && error.code === "KEY_TAKEN") return error.message;
    throw error;
  }
}
