// How lists and items are read: several statements that see one moment, so that what they tell fits together.
//
// Lists are read in the order of an index, and stop where a page is full. A planner that expects few rows would rather fetch
// all that match and sort them, and what it expects is an average: of a key that a hundred thousand share it expects five. Nor is
// anything compiled, which took seconds for what runs in milliseconds.

import type { Database, Queryable, Statement } from "../db/database.ts";

const ONE_MOMENT: Statement = {
  name: "one-moment",
  text: "set transaction isolation level repeatable read, read only",
};

/** Whatever happens meanwhile, each statement sees what the first one saw. */
export async function atOneMoment<T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return await db.transaction(async (tx) => {
    await tx.query(ONE_MOMENT, []);
    return await work(tx);
  });
}

/** For this transaction. A plan that is made under it is kept by its connection. */
export const IN_ORDER: Statement = {
  name: "in-order",
  text: "select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)",
};

export async function inOrder<T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return await atOneMoment(db, async (tx) => {
    await tx.query(IN_ORDER, []);
    return await work(tx);
  });
}
