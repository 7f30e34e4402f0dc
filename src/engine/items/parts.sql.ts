// Parts in the database: items of the same pipeline in one stage, with a request of their own that belongs to their item.
//
// A request's `partly` counts its completed items with a part that is not done, whatever became of it. It changes when such
// an item completes, and when the last of its missing parts is done after all; both hold the lock of the item's request, so
// neither can overlook the other.

import type { Queryable, Statement } from "../db/database.ts";
import { CODEC } from "../intake/entering.sql.ts";

export interface PartToMake {
  readonly name: string;
  readonly input: string;
  readonly nonce: string;
  readonly lane: number;
}

// Flags: the item waits for something (4), and has parts (16).
const MAKE: Statement = {
  name: "make-parts",
  text: `
with parent as materialized (
  update sluice.run r
  set flags = r.flags | 20
  from sluice.item i
  where r.id = $1 and i.id = r.id
  returning r.id, r.stage, r.priority, r.deadline_at, r.fair, i.pipeline_id, i.owner, i.fairness, i.trace
),
asked as materialized (
  select nextval('sluice.request_ids') as id from parent
),
entering as materialized (
  select nextval('sluice.item_ids') as id, u.name, u.input, u.nonce, u.lane
  from unnest($3::text[], $4::text[], $5::bigint[], $6::int[]) with ordinality u (name, input, nonce, lane, ord)
),
requests as (
  insert into sluice.request (id, parent_id, total, parts_of, is_whole, created_at)
  select asked.id, parent.id, cardinality($3::text[]), parent.stage, $2, sluice.now() from asked, parent
),
owners as (
  insert into sluice.request_owner (request_id, owner, joined_at)
  select asked.id, parent.owner, sluice.now() from asked, parent where parent.owner is not null
),
items as (
  insert into sluice.item (id, request_id, nonce, created_at, pipeline_id, priority, codec, owner, fairness, input, part, trace)
  select e.id, asked.id, e.nonce, sluice.now(), parent.pipeline_id, parent.priority, ${CODEC}, parent.owner, parent.fairness,
    e.input::jsonb, e.name, parent.trace
  from entering e, asked, parent
),
runs as (
  insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state, deadline_at, fair)
  select e.id, asked.id, sluice.now(), sluice.now(), 0, e.lane, parent.stage, parent.priority, 0, parent.deadline_at, parent.fair
  from entering e, asked, parent
),
waiters as (
  insert into sluice.waiter (run_id, kind, key)
  select parent.id, 'children', asked.id::text from asked, parent
  on conflict (run_id) do update set kind = excluded.kind, key = excluded.key
)
insert into sluice.journal (at, item_id, request_id, version, kind, to_stage, series)
select sluice.now(), e.id, asked.id, 0, 0, parent.stage, 1 from entering e, asked, parent`,
};

/** Makes them, and has the item wait for them. */
export async function makeParts(
  db: Queryable,
  item: string,
  parts: readonly PartToMake[],
  isWhole: boolean,
): Promise<void> {
  await db.query(MAKE, [
    item,
    isWhole,
    parts.map((one) => one.name),
    parts.map((one) => one.input),
    parts.map((one) => one.nonce),
    parts.map((one) => one.lane),
  ]);
}

export interface PartRow {
  readonly request_id: string;
  readonly is_whole: boolean;
  readonly id: string;
  readonly name: string;
  readonly state: number;
  readonly nonce: string;
  /** Its element. */
  readonly input: unknown;
  readonly series: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly output: unknown;
  /** It was cancelled in the middle of a visit. */
  readonly was_held: boolean;
  /** Milliseconds since it ended. */
  readonly ended_ms: number | null;
  /** Who did it, where that was chosen when it was visited. */
  readonly service: string | null;
}

// Watched rows carry the negative epoch of their watch: what is cancelled outside is owed, and nobody's visit.
const READ: Statement = {
  name: "read-parts",
  text: `
select i.request_id, q.is_whole, i.id, i.part as name, i.state, i.nonce, i.input, coalesce(last.series, 1) as series, last.code,
  last.message, last.output, coalesce(last.ended = 3 and last.epoch > 0, false) as was_held,
  date_part('epoch', sluice.now() - i.finished_at) * 1000 as ended_ms, seen.service
from sluice.request q
join sluice.item i on i.request_id = q.id
left join lateral (
  select j.series, j.code, j.message, j.output, j.epoch, j.ended from sluice.journal j
  where j.item_id = i.id and j.ended <> 0
  order by j.version desc
  limit 1) last on i.state <> 0
left join lateral (
  select j.output ->> 'service' as service from sluice.journal j
  where j.item_id = i.id and j.kind = 19
  order by j.version desc
  limit 1) seen on true
where q.id = any ($1::bigint[]) and i.part is not null
order by i.id`,
};

export async function readParts(db: Queryable, requests: readonly string[]): Promise<PartRow[]> {
  return requests.length === 0 ? [] : await db.query<PartRow>(READ, [requests]);
}

export interface ParentRow {
  /** Of the parts. */
  readonly request_id: string;
  readonly id: string;
  readonly parent_request: string;
  readonly input: unknown;
}

const PARENTS: Statement = {
  name: "read-parents",
  text: `
select q.id as request_id, i.id, i.request_id as parent_request, i.input
from sluice.request q
join sluice.item i on i.id = q.parent_id
where q.id = any ($1::bigint[])`,
};

/** The items whose parts belong to these requests. */
export async function readParents(db: Queryable, requests: readonly string[]): Promise<ParentRow[]> {
  return requests.length === 0 ? [] : await db.query<ParentRow>(PARENTS, [requests]);
}

const LOCK_RUN: Statement = { name: "lock-run", text: `select id from sluice.run where id = $1 for update` };

const LOCK_REQUESTS: Statement = {
  name: "lock-requests",
  text: `select id from sluice.request where id = any ($1::bigint[]) order by id for no key update`,
};

/** In the order in which everybody locks: the run row, then requests by id. */
export async function lockForEnd(db: Queryable, run: string, requests: readonly string[]): Promise<void> {
  await db.query(LOCK_RUN, [run]);
  await lockRequests(db, requests);
}

export async function lockRequests(db: Queryable, requests: readonly string[]): Promise<void> {
  await db.query(LOCK_REQUESTS, [requests]);
}

/** Of each stage, the parts that were made last are the ones that count. */
export const hasMissing = (item: string) => `exists (
    select from sluice.request c
    where c.parent_id = ${item} and c.parts_of is not null and c.completed < c.total
      and not exists (
        select from sluice.request n where n.parent_id = c.parent_id and n.parts_of = c.parts_of and n.id > c.id))`;

const COUNT: Statement = {
  name: "count-partly",
  text: `update sluice.request set partly = partly + 1 where id = $2 and ${hasMissing("$1")}`,
};

/** For an item that has just completed, with its request locked before. */
export async function countPartly(db: Queryable, item: string, request: string): Promise<void> {
  await db.query(COUNT, [item, request]);
}

const MEND: Statement = {
  name: "mend-partly",
  text: `
update sluice.request q
set partly = q.partly - 1
from sluice.request c
join sluice.item i on i.id = c.parent_id
where c.id = $1 and i.state = 1 and q.id = i.request_id
  and not exists (select from sluice.request n where n.parent_id = c.parent_id and n.parts_of = c.parts_of and n.id > c.id)
  and not ${hasMissing("i.id")}`,
};

/** For parts one of which has just been done after all, with both requests locked before. */
export async function mendPartly(db: Queryable, partsRequest: string): Promise<void> {
  await db.query(MEND, [partsRequest]);
}
