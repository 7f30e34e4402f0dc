// Lists of requests, newest first; as with items, a page looks at a bounded number of them.

import type { Queryable, Statement } from "../db/database.ts";
import { type Found, LOOKED_MOST, type Looked, toFound } from "./page.ts";

/** Of a request with many items so many are asked whether their work has begun; items begin about in their order. */
const ASKED_MOST = 100;

export interface RequestLineRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly key: string | null;
  readonly owners: readonly string[];
  readonly total: number;
  readonly completed: number;
  readonly partly: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly created_at: Date;
  readonly has_begun: boolean;
}

export type RequestSource = "key" | "owner" | "all";

export interface RequestsAsked {
  readonly source: RequestSource;
  readonly before: string;
  readonly limit: number;
  readonly key: string | null;
  readonly owner: string | null;
  /** Whether anything of it is left to do. */
  readonly isOver: boolean | null;
  /** Whether requests are listed that items spawned, or made for their parts. */
  readonly withChildren: boolean;
}

const inOrder = `order by 1 desc limit ${LOOKED_MOST}`;

const SOURCES: { readonly [Source in RequestSource]: string } = {
  key: `select x.id from sluice.request x where x.id < $1::bigint and x.key = $3::text ${inOrder}`,
  owner: `select x.request_id as id from sluice.request_owner x where x.request_id < $1::bigint and x.owner = $4::text ${inOrder}`,
  all: `select x.id from sluice.request x where x.id < $1::bigint ${inOrder}`,
};

const textOf = (source: RequestSource) => `
with looked as materialized (${SOURCES[source]}),
matching as materialized (
  select q.id, q.parent_id, q.key, q.total, q.completed, q.partly, q.failed, q.cancelled, q.created_at
  from (select id from looked order by id desc) l
  -- "limit 1" keeps it a probe: as a join it became a scan of the whole table.
  cross join lateral (select x.* from sluice.request x where x.id = l.id limit 1) q
  where ($3::text is null or q.key = $3)
    and ($4::text is null or exists (select from sluice.request_owner o where o.request_id = q.id and o.owner = $4))
    and ($5::boolean is null or (q.completed + q.failed + q.cancelled = q.total) = $5)
    and ($6::boolean or q.parent_id is null)
  order by q.id desc
  limit $2
)
select m.*, range.looked, range.low,
  array (select o.owner from sluice.request_owner o where o.request_id = m.id order by o.joined_at, o.owner limit 100) as owners,
  exists (
    select from (select i.id from sluice.item i where i.request_id = m.id order by i.id limit ${ASKED_MOST}) i
    cross join lateral (select x.begun_at, x.stage, x.series from sluice.run x where x.id = i.id limit 1) r
    where r.begun_at is not null or r.stage > 0 or r.series > 1) as has_begun
from (select count(*)::int as looked, min(id) as low from looked) range
left join matching m on true
order by m.id desc`;

const STATEMENTS = new Map<RequestSource, Statement>(
  (["key", "owner", "all"] as const).map((source) => [
    source,
    { name: `list-requests-${source}`, text: textOf(source) },
  ]),
);

export async function findRequests(
  db: Queryable,
  { source, before, limit, key, owner, isOver, withChildren }: RequestsAsked,
): Promise<Found<RequestLineRow>> {
  const statement = STATEMENTS.get(source) as Statement; // one for each
  const values = [before, limit, key, owner, isOver, withChildren];
  return toFound(await db.query<Looked & (RequestLineRow | { readonly id: null })>(statement, values), limit);
}
