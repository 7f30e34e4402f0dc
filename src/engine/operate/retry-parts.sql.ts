// Parts that failed get a new series each, without their item being done again.

import type { Queryable, Statement } from "../db/database.ts";
import { fairKey, storedFairness } from "../items/fair-key.ts";
import { keyOf } from "../items/key-taken.sql.ts";

const PARENT: Statement = {
  name: "parent-of-part",
  text: `
select q.parent_id as item, q.id as request
from sluice.item i
join sluice.request q on q.id = i.request_id
where i.id = $1 and i.part is not null`,
};

/** The item a part belongs to and the request of its parts; undefined for what is no part. */
export async function parentOf(
  db: Queryable,
  item: string,
): Promise<{ readonly item: string; readonly request: string } | undefined> {
  const [row] = await db.query<{ item: string; request: string }>(PARENT, [item]);
  return row;
}

/** What is made of an item's parts in one stage. */
export interface Generation {
  readonly request: string;
  readonly stage: number;
  readonly is_whole: boolean;
  /** Nothing newer was made in the same stage. */
  readonly is_current: boolean;
  readonly item_state: number;
  /** Where the item is, while it lives. */
  readonly item_stage: number | null;
  /** None of them is done, and the item is being visited in their stage: it may fail because of that. */
  readonly is_judged: boolean;
  /** Why the item last failed, and in which stage; it may live again. */
  readonly end_code: string | null;
  readonly end_stage: number | null;
  /** Another request has the item's unique key now. */
  readonly key_taken: boolean;
  readonly failed: readonly string[];
  readonly versions: readonly number[];
}

export interface FailedPartRow {
  readonly id: string;
  readonly version: number;
}

// The item's rows first: it can neither go on nor be retried by another while its parts are judged.
const LOCK_RUN: Statement = { name: "lock-item-run", text: `select id from sluice.run where id = $1 for update` };
const LOCK_ITEM: Statement = { name: "lock-item", text: `select id from sluice.item where id = $1 for no key update` };

const GENERATIONS: Statement = {
  name: "parts-generations",
  text: `
select c.id as request, c.parts_of as stage, c.is_whole, i.state as item_state, r.stage as item_stage, last.code as end_code,
  last.stage as end_stage, coalesce(own.is_taken, false) as key_taken, coalesce(r.state = 1 and r.stage = c.parts_of and c.completed = 0, false) as is_judged,
  not exists (
    select from sluice.request n
    where n.parent_id = c.parent_id and n.parts_of = c.parts_of and n.id > c.id) as is_current,
  parts.failed, parts.versions
from sluice.request c
join sluice.item i on i.id = c.parent_id
join sluice.request q on q.id = i.request_id
left join sluice.run r on r.id = i.id
left join lateral (${keyOf("q")}) own on i.state <> 0
left join lateral (
  select j.code, j.stage from sluice.journal j
  where j.item_id = i.id and j.ended = 2
  order by j.version desc
  limit 1) last on true
cross join lateral (
  select coalesce(array_agg(p.id::text order by p.id), '{}') as failed,
    coalesce(array_agg(p.run_version order by p.id), '{}') as versions
  from sluice.item p
  where p.request_id = c.id and p.state = 2) parts
where c.parent_id = $1 and c.parts_of is not null
order by c.id`,
};

export async function readGenerations(db: Queryable, item: string): Promise<Generation[]> {
  return await db.query<Generation>(GENERATIONS, [item]);
}

/** For the caller's transaction. */
export async function lockItem(db: Queryable, item: string): Promise<void> {
  await db.query(LOCK_RUN, [item]);
  await db.query(LOCK_ITEM, [item]);
}

// Into the lane by which the stage is entered; the first visit takes a part to the lane of its service. The version they
// were read with means the state they were read in. All are of one request, so its count needs no lock before.
const REOPEN: Statement = {
  name: "retry-parts",
  text: `
with failed as materialized (
  select i.id, i.request_id, i.pipeline_id, i.priority, i.run_version, last.stage, last.series
  from unnest($1::bigint[], $2::int[]) u (id, version)
  join sluice.item i on i.id = u.id and i.run_version = u.version
  cross join lateral (
    select j.stage, j.series from sluice.journal j
    where j.item_id = i.id and j.ended = 2
    order by j.version desc
    limit 1) last
  where i.part is not null
),
reopened as (
  update sluice.item i
  set state = 0, finished_at = null, run_version = f.run_version + 1
  from failed f
  where i.id = f.id and i.run_version = f.run_version
  returning i.id, i.request_id, i.run_version, i.priority, i.fairness, i.owner, f.pipeline_id, f.stage, f.series + 1 as series
),
runs as (
  insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state, series, fair, flags)
  select r.id, r.request_id, sluice.now(), sluice.now(), r.run_version, l.id, r.stage, r.priority, 0, r.series, ${fairKey(storedFairness("r"))}, 3
  from reopened r
  join sluice.lane l on l.pipeline_id = r.pipeline_id and l.stage = r.stage and l.is_entry
),
tally as materialized (select request_id, count(*) as reopened from reopened group by request_id),
counted as (
  update sluice.request q
  set failed = q.failed - t.reopened
  from tally t
  where q.id = t.request_id
),
journal as (
  insert into sluice.journal (at, item_id, request_id, version, kind, stage, to_stage, series, message)
  select sluice.now(), id, request_id, run_version, 12, stage, stage, series, $3 from reopened
),
audit as (
  insert into sluice.audit (at, actor, action, item_id, request_id)
  select sluice.now(), $3, 'retry', id, request_id from reopened
)
select id from reopened`,
};

/**
 * Answers with how many still stood as they were read. Read before the transaction, so that their journal rows stay in the
 * order of the feed: within it, its number may be older than that of the failure it has just seen.
 */
export async function reopenParts(db: Queryable, parts: readonly FailedPartRow[], actor: string): Promise<number> {
  const rows = await db.query(REOPEN, [parts.map((one) => one.id), parts.map((one) => one.version), actor]);
  return rows.length;
}

const AWAIT: Statement = {
  name: "await-reopened",
  text: `
with waiting as (
  update sluice.run set ready_at = 'infinity', reason = 'parts', flags = flags | 20 where id = $1 returning id
)
insert into sluice.waiter (run_id, kind, key)
select id, 'children', $2 from waiting`,
};

/** For an item that was reopened in the same transaction: it waits for its parts, as it did before it failed. */
export async function awaitReopened(db: Queryable, item: string, request: string): Promise<void> {
  await db.query(AWAIT, [item, request]);
}
