// Operations over many items. Whoever does a batch of one, or stops it, has its row's lock: batches of one operation follow
// each other, and its counts and its members' outcomes are written together.

import { formatId } from "../../kit/index.ts";
import type { Queryable, Statement } from "../db/database.ts";
import { matching, named } from "./bulk-filter.sql.ts";
import type { Filter } from "./bulk-filter.ts";
import type { Ordered } from "./plan.ts";

export const OUTCOME = { open: 0, done: 1, refused: 2, failed: 3, stopped: 4 } as const;

export interface NewOperation {
  readonly action: Ordered;
  readonly filter: Filter;
  readonly actor: string;
  readonly key: string | null;
  /** Members that may be fixed at most, and one more. */
  readonly limit: number;
}

const START = (match: string) => `
with member as materialized (
  select i.id ${match}
  order by i.id
  limit $5
),
started as (
  insert into sluice.operation (key, actor, action, filter, total, started_at, finished_at)
  select $1, $2, $3::text::jsonb, $4::text::jsonb, count(*), sluice.now(), case when count(*) = 0 then sluice.now() end from member
  on conflict (key) do nothing
  returning id, total
),
members as (insert into sluice.operation_item (operation_id, item_id) select s.id, m.id from started s, member m),
audit as (
  insert into sluice.audit (at, actor, action, detail)
  select sluice.now(), $2, 'bulk.start', jsonb_build_object(
    'id', id, 'action', $3::text::jsonb, 'filter', $4::text::jsonb, 'total', total) from started
)
select id, total from started`;

/** Fixes its members. Undefined when an operation with this key was there before. */
export async function startOperation(
  db: Queryable,
  { action, filter, actor, key, limit }: NewOperation,
): Promise<{ readonly id: string; readonly total: number } | undefined> {
  const { text, values } = matching(filter, 5);
  const texts = [JSON.stringify(action), JSON.stringify(filter)];
  const [row] = await db.query<{ id: string; total: number }>(named("bulk-start", START(text)), [
    ...[key, actor, ...texts, limit],
    ...values,
  ]);
  if (row !== undefined) await tell(db, row.id);
  return row;
}

const TELL: Statement = {
  name: "tell-operation",
  text: `
insert into sluice.journal (at, kind, code, message, output)
select sluice.now(), 40, case when finished_at is null then 'STARTED' when stopped_at is null then 'ENDED' else 'STOPPED' end, actor,
  jsonb_build_object('operation', $2::text, 'action', action - 'asOwner', 'total', total, 'done', done, 'refused', refused, 'failed', failed,
    'stopped', stopped)
from sluice.operation
where id = $1`,
};

/** That it began or ended is an event of its own, in the same transaction. */
async function tell(db: Queryable, operation: string): Promise<void> {
  await db.query(TELL, [operation, formatId("operation", operation)]);
}

// Without the code of a pipeline nobody can ask it whether an item may be retried; where another worker has it, that one does.
const MEMBERS: Statement = {
  name: "open-members",
  text: `
select m.item_id as id
from sluice.operation_item m
left join sluice.item i on i.id = m.item_id
where m.operation_id = $1 and m.outcome = 0
  and ($2::int[] is null or i.pipeline_id = any ($2::int[]) or not exists (
    select from sluice.worker w where w.state = 0 and i.pipeline_id = any (w.pipelines)))
order by m.item_id
limit $3`,
};

/** A batch of what is not done yet. `pipelines` are those the caller has the code of, where that matters. */
export async function openMembers(
  db: Queryable,
  operation: string,
  pipelines: readonly number[] | null,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(MEMBERS, [operation, pipelines, limit]);
  return rows.map((row) => row.id);
}

const LOCK: Statement = {
  name: "lock-operation",
  text: `select id from sluice.operation where id = $1 for no key update skip locked`,
};

const STILL: Statement = {
  name: "still-open",
  text: `select item_id as id from sluice.operation_item where operation_id = $1 and item_id = any ($2::bigint[]) and outcome = 0`,
};

/** For the caller's transaction: which of these are still to be done. None while somebody else is at it. */
export async function lockMembers(db: Queryable, operation: string, items: readonly string[]): Promise<Set<string>> {
  if ((await db.query(LOCK, [operation])).length === 0) return new Set();
  const rows = await db.query<{ id: string }>(STILL, [operation, items]);
  return new Set(rows.map((row) => row.id));
}

// What a cancelled item had spawned is cancelled with it, as a member of its own: a crash after this leaves nothing behind.
const ADD_SPAWNED: Statement = {
  name: "add-spawned",
  text: `
with added as (
  insert into sluice.operation_item (operation_id, item_id)
  select $1, i.id
  from sluice.request q
  join sluice.item i on i.request_id = q.id
  where q.parent_id = any ($2::bigint[]) and i.state = 0
  on conflict (operation_id, item_id) do nothing
  returning item_id
)
update sluice.operation set total = total + (select count(*) from added) where id = $1`,
};

export async function addSpawned(db: Queryable, operation: string, parents: readonly string[]): Promise<void> {
  await db.query(ADD_SPAWNED, [operation, parents]);
}

export interface MemberResult {
  readonly id: string;
  readonly outcome: number;
  readonly reason: string | null;
  readonly copy: string | null;
}

const count = (outcome: number) => `(select count(*) from written where outcome = ${outcome})`;

const RECORD: Statement = {
  name: "record-results",
  text: `
with written as (
  update sluice.operation_item m
  set outcome = u.outcome, reason = u.reason, copy_id = u.copy, at = sluice.now()
  from unnest($2::bigint[], $3::smallint[], $4::text[], $5::bigint[]) u (item_id, outcome, reason, copy)
  where m.operation_id = $1 and m.item_id = u.item_id
  returning m.outcome
)
update sluice.operation o
set done = o.done + ${count(1)}, refused = o.refused + ${count(2)}, failed = o.failed + ${count(3)},
  finished_at = case when o.done + o.refused + o.failed + o.stopped + (select count(*) from written) = o.total then sluice.now() end
where o.id = $1
returning finished_at is not null as is_over`,
};

/** For a transaction that has the operation's lock and knows that these are open. */
export async function recordResults(db: Queryable, operation: string, results: readonly MemberResult[]): Promise<void> {
  const [row] = await db.query<{ is_over: boolean }>(RECORD, [
    operation,
    results.map((one) => one.id),
    results.map((one) => one.outcome),
    results.map((one) => one.reason),
    results.map((one) => one.copy),
  ]);
  if (row?.is_over) await tell(db, operation);
}

// The row's lock first, by the update: a batch under way ends before, and none begins after it.
const STOP: Statement = {
  name: "stop-operation",
  text: `
update sluice.operation set stopped_at = sluice.now() where id = $1 and finished_at is null returning id`,
};

const STOP_MEMBERS: Statement = {
  name: "stop-members",
  text: `
with stopped as (
  update sluice.operation_item set outcome = 4, at = sluice.now() where operation_id = $1 and outcome = 0 returning item_id
),
audit as (
  insert into sluice.audit (at, actor, action, detail)
  values (sluice.now(), $2, 'bulk.stop', jsonb_build_object('id', $1::bigint, 'stopped', (select count(*) from stopped)))
)
update sluice.operation o set stopped = (select count(*) from stopped), finished_at = sluice.now() where o.id = $1`,
};

/** For a transaction. False when it was over or stopped before. */
export async function stopOperation(db: Queryable, operation: string, actor: string): Promise<boolean> {
  if ((await db.query(STOP, [operation])).length === 0) return false;
  await db.query(STOP_MEMBERS, [operation, actor]);
  await tell(db, operation);
  return true;
}
