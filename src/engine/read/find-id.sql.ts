// Which ids are there in some ranges: at most two of each, for more need not be known.

import type { IdRange } from "../../kit/index.ts";
import type { Queryable, Statement } from "../db/database.ts";

const ranges = "unnest($1::bigint[], $2::bigint[]) with ordinality v (low, high, place)";

const text = (table: string, id: string, more = "") => `
select x.id from ${ranges}
cross join lateral (
  select x.${id} as id from ${table} x where x.${id} between v.low and v.high ${more}
  order by x.${id} limit 2) x
order by v.place, x.id
limit 2`;

// Each owner's by an index of their own: a range of everybody's may have a million in it.
const STATEMENTS = {
  item: { name: "find-item-id", text: text("sluice.item", "id") },
  itemOf: { name: "find-item-id-of", text: text("sluice.item", "id", "and x.owner = $3") },
  request: { name: "find-request-id", text: text("sluice.request", "id") },
  requestOf: { name: "find-request-id-of", text: text("sluice.request_owner", "request_id", "and x.owner = $3") },
} as const satisfies Record<string, Statement>;

const JOINED: Statement = {
  name: "find-joined-item",
  text: `
select i.id from sluice.item i
join sluice.request_owner o on o.request_id = i.request_id and o.owner = $2
where i.id = $1`,
};

/** An item of a request that was joined: by its whole id, for no index has the beginnings of those. */
export async function isJoined(db: Queryable, item: string, owner: string): Promise<boolean> {
  return (await db.query(JOINED, [item, owner])).length > 0;
}

/** The first of the first range that has any, and one more where there is one. */
export async function findIds(
  db: Queryable,
  kind: "item" | "request",
  { ranges: asked, owner }: { readonly ranges: readonly IdRange[]; readonly owner: string | undefined },
): Promise<string[]> {
  const places = [asked.map(({ low }) => low), asked.map(({ high }) => high)];
  const rows =
    owner === undefined
      ? await db.query<{ id: string }>(STATEMENTS[kind], places)
      : await db.query<{ id: string }>(STATEMENTS[`${kind}Of`], [...places, owner]);
  return rows.map((row) => row.id);
}
