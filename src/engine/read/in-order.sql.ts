// Lists are read in the order of an index, and stop where a page is full. A planner that expects few rows would rather fetch
// all that match and sort them, and what it expects is an average: of a key that a hundred thousand share it expects five.

import type { Database, Queryable, Statement } from "../db/database.ts";

/** For this transaction. A plan that is made under it is kept by its connection. */
export const IN_ORDER: Statement = {
  name: "in-order",
  text: "select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)",
};

export async function inOrder<T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return await db.transaction(async (tx) => {
    await tx.query(IN_ORDER, []);
    return await work(tx);
  });
}
