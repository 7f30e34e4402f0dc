// A step inside a transaction that somebody else owns: it happens, or leaves that transaction as it found it.

import { InputError } from "../../kit/index.ts";
import type { Queryable, Statement } from "./database.ts";
import { sqlState } from "./errors.ts";

const SET: Statement = { name: "savepoint", text: `savepoint sluice` };
const RELEASE: Statement = { name: "savepoint-release", text: `release savepoint sluice` };
const UNDO: Statement = { name: "savepoint-undo", text: `rollback to savepoint sluice` };
const NO_TRANSACTION = "25P01";

export async function inSavepoint<T>(tx: Queryable, work: () => Promise<T>): Promise<T> {
  try {
    await tx.query(SET, []);
  } catch (error) {
    if (sqlState(error) !== NO_TRANSACTION) throw error;
    throw new InputError("tx", "tx must have begun a transaction, on one connection", { cause: error });
  }
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await tx.query(UNDO, []);
    throw error;
  }
  await tx.query(RELEASE, []);
  return result;
}
