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

export type RequestSource = "key" | "owner" | "id" | "all";

export interface RequestsAsked {
  readonly source: RequestSource;
  readonly before: string;
  readonly limit: number;
  /** One of these each, and none of the unwanted. */
  readonly keys: readonly string[] | null;
  readonly keysNot: readonly string[] | null;
  readonly owners: readonly string[] | null;
  readonly ownersNot: readonly string[] | null;
  readonly statuses: readonly string[] | null;
  readonly ids: readonly { readonly low: string; readonly high: string }[] | null;
  readonly olderMs: number | null;
  readonly newerMs: number | null;
  /** Whether anything of it is left to do. */
  readonly isOver: boolean | null;
  /** Whether requests are listed that items spawned, or made for their parts. */
  readonly withChildren: boolean;
}

const inOrder = `order by x.id desc limit ${LOOKED_MOST}`;
const newest = "select x.id from sluice.request x where x.id < $1::bigint";

const SOURCES: { readonly [Source in RequestSource]: string } = {
  key: `
  select x.id from unnest($3::text[]) v (one)
  cross join lateral (${newest} and x.key = v.one ${inOrder}) x ${inOrder}`,
  // Of one that two of them asked for, once.
  owner: `
  select distinct x.id from unnest($5::text[]) v (one)
  cross join lateral (
    select o.request_id as id from sluice.request_owner o
    where o.request_id < $1::bigint and o.owner = v.one
    order by o.request_id desc limit ${LOOKED_MOST}) x ${inOrder}`,
  id: `
  select x.id from unnest($8::bigint[], $9::bigint[]) v (low, high)
  cross join lateral (${newest} and x.id between v.low and v.high ${inOrder}) x ${inOrder}`,
  all: `${newest} ${inOrder}`,
};

const ownedBy = (owners: string) =>
  `exists (select from sluice.request_owner o where o.request_id = q.id and o.owner = any (${owners}))`;

/** Whether any of it has begun its work and is not over. */
const hasBegun = (request: string) => `exists (
    select from (select i.id from sluice.item i where i.request_id = ${request} order by i.id limit ${ASKED_MOST}) i
    cross join lateral (select x.begun_at, x.stage, x.series from sluice.run x where x.id = i.id limit 1) r
    where r.begun_at is not null or r.stage > 0 or r.series > 1)`;

/** As `rollUp` says it. */
const statusOf = `case
      when q.completed + q.failed + q.cancelled < q.total then
        case when q.completed + q.failed > 0 or ${hasBegun("q.id")} then 'PROCESSING' else 'PENDING' end
      when q.completed = q.total then case when q.partly = 0 then 'COMPLETED' else 'PARTIAL' end
      when q.cancelled = q.total then 'CANCELLED'
      when q.completed = 0 then 'FAILED' else 'PARTIAL' end`;

const textOf = (source: RequestSource) => `
with looked as materialized (${SOURCES[source]}),
matching as materialized (
  select q.id, q.parent_id, q.key, q.total, q.completed, q.partly, q.failed, q.cancelled, q.created_at
  from (select id from looked order by id desc) l
  -- "limit 1" keeps it a probe: as a join it became a scan of the whole table.
  cross join lateral (select x.* from sluice.request x where x.id = l.id limit 1) q
  where ($3::text[] is null or q.key = any ($3)) and ($4::text[] is null or not coalesce(q.key = any ($4), false))
    and ($5::text[] is null or ${ownedBy("$5")}) and ($6::text[] is null or not ${ownedBy("$6")})
    and ($8::bigint[] is null or exists (
      select from unnest($8, $9::bigint[]) u (low, high) where q.id between u.low and u.high))
    and ($10::float8 is null or q.created_at < sluice.now() - $10 * interval '1 millisecond')
    and ($11::float8 is null or q.created_at >= sluice.now() - $11 * interval '1 millisecond')
    and ($12::boolean is null or (q.completed + q.failed + q.cancelled = q.total) = $12)
    and ($13::boolean or q.parent_id is null)
    and ($7::text[] is null or ${statusOf} = any ($7))
  order by l.id desc
  limit $2
)
select m.*, range.looked, range.low,
  array (select o.owner from sluice.request_owner o where o.request_id = m.id order by o.joined_at, o.owner limit 100) as owners,
  -- Of one that is over, or has an item that is, nobody asks.
  m.completed + m.failed = 0 and m.cancelled < m.total and ${hasBegun("m.id")} as has_begun
from (select count(*)::int as looked, min(id) as low from looked) range
left join matching m on true
order by m.id desc`;

const STATEMENTS = new Map<RequestSource, Statement>(
  (["key", "owner", "id", "all"] as const).map((source) => [
    source,
    { name: `list-requests-${source}`, text: textOf(source) },
  ]),
);

export async function findRequests(db: Queryable, asked: RequestsAsked): Promise<Found<RequestLineRow>> {
  const { source, before, limit, keys, keysNot, owners, ownersNot, statuses, ids, olderMs, newerMs } = asked;
  const statement = STATEMENTS.get(source) as Statement; // one for each
  const values = [
    ...[before, limit, keys, keysNot, owners, ownersNot, statuses],
    ...[ids?.map(({ low }) => low) ?? null, ids?.map(({ high }) => high) ?? null],
    ...[olderMs, newerMs, asked.isOver, asked.withChildren],
  ];
  return toFound(await db.query<Looked & (RequestLineRow | { readonly id: null })>(statement, values), limit);
}
