// The items of a request, in the order they were submitted.

import type { Queryable, Statement } from "../db/database.ts";

const ITEMS_OF: Statement = {
  name: "items-of",
  text: `select id from sluice.item where request_id = $1 order by id limit 10000`,
};

export async function itemsOf(db: Queryable, request: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(ITEMS_OF, [request]);
  return rows.map((row) => row.id);
}
