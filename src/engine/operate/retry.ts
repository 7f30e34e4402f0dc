// Trying a failed item anew, where nothing speaks against it.

import { SluiceError } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { retryItem } from "./retry.sql.ts";

/** Undefined when it was done, else why it was not. */
export async function retry(db: Database, item: string, actor: string): Promise<string | undefined> {
  try {
    const isDone = await db.transaction((tx) => retryItem(tx, item, actor));
    return isDone ? undefined : "only a failed item can be retried";
  } catch (error) {
    if (error instanceof SluiceError && error.code === "KEY_TAKEN") return error.message;
    throw error;
  }
}
