// What has ended lives again, in a new series: where it failed, or from the stage it is replayed from. Its history stays; its
// version goes on from where it was.

import { SluiceError } from "../../kit/index.ts";
import type { Queryable, Statement } from "../db/database.ts";
import { byId } from "../items/by-id.ts";
import { fairKey, storedFairness } from "../items/fair-key.ts";
import { staysBehind } from "../items/intent.sql.ts";
import { KEY_TAKEN, keyOf } from "../items/key-taken.sql.ts";
import { hasMissing, lockRequests } from "../items/parts.sql.ts";

export interface Reopening {
  readonly id: string;
  readonly request_id: string;
  /** The version it ended with: the same one means the same end. */
  readonly version: number;
  /** How it ended, where, and in which series. */
  readonly ended: number;
  readonly was: number;
  readonly series: number;
  readonly stage: number;
  readonly pipeline: number;
}

export interface ReopenWords {
  readonly kind: number;
  readonly action: string;
  readonly actor: string;
  /** As JSON, for a replay: what came from the stage on is void. */
  readonly output: string | null;
}

// Before their request, as those lock who reopen parts.
const LOCK_ITEMS: Statement = {
  name: "lock-items",
  text: `select i.id from sluice.item i where i.id = any ($1::bigint[]) order by i.id for no key update`,
};

// Flags: outputs and a checkpoint may be there (3); whether parts are (16), decides how its end is counted.
const REOPEN: Statement = {
  name: "reopen",
  text: `
with reopened as materialized (
  update sluice.item i
  set state = 0, finished_at = null, run_version = i.run_version + 1, pipeline_id = u.pipeline
  from unnest($1::bigint[], $2::int[], $3::smallint[], $4::smallint[], $5::smallint[], $6::smallint[], $7::int[])
    u (id, version, ended, was, series, stage, pipeline)
  where i.id = u.id and i.run_version = u.version
  returning i.id, i.request_id, i.run_version, i.priority, i.pipeline_id, i.fairness, i.owner, u.ended, u.was, u.stage, u.series
),
runs as (
  insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state, series, fair, flags)
  select r.id, r.request_id, sluice.now(), sluice.now(), r.run_version, l.id, r.stage, r.priority, 0, r.series + 1, ${fairKey(storedFairness("r"))},
    3 | case when exists (select from sluice.request c where c.parent_id = r.id and c.parts_of is not null) then 16 else 0 end
  from reopened r
  join sluice.lane l on l.pipeline_id = r.pipeline_id and l.stage = r.stage and l.is_entry
),
tally as materialized (
  select r.request_id, count(*) filter (where r.ended = 1) as completed, count(*) filter (where r.ended = 2) as failed,
    count(*) filter (where r.ended = 3) as cancelled, count(*) filter (where r.ended = 1 and ${hasMissing("r.id")}) as partly
  from reopened r
  group by r.request_id
),
counted as (
  update sluice.request q
  set completed = q.completed - t.completed, failed = q.failed - t.failed, cancelled = q.cancelled - t.cancelled,
    partly = q.partly - t.partly
  from tally t
  where q.id = t.request_id
),
keyed as materialized (
  select q.id as request_id, own.key, own.pipeline
  from tally t
  join sluice.request q on q.id = t.request_id
  cross join lateral (${keyOf("q")}) own
),
taken as (
  insert into sluice.unique_key as k (pipeline, key, request_id, scope)
  select distinct on (pipeline, key) pipeline, key, request_id, 'live' from keyed order by pipeline, key, request_id
  on conflict (pipeline, key) do update
  set request_id = case when k.expires_at <= sluice.now() then excluded.request_id else k.request_id end,
    scope = case when k.expires_at <= sluice.now() then excluded.scope else k.scope end,
    expires_at = case when k.expires_at <= sluice.now() then null else k.expires_at end
  returning k.pipeline, k.key, k.request_id
),
-- What stayed of a stage that is done again goes; the new try makes its own.
staying as (
  update sluice.intent n set owed_at = sluice.now(), over_at = null, cleanup_id = null
  from reopened r
  where n.item_id = r.id and n.stage >= r.stage and ${staysBehind}
),
checkpoints as (
  -- A retry goes on from there; a replay does all of it again.
  delete from sluice.checkpoint where $10::text is not null and run_id in (select id from reopened)
),
journal as (
  insert into sluice.journal (at, item_id, request_id, version, kind, stage, to_stage, series, message, output)
  select sluice.now(), id, request_id, run_version, $8::smallint, was, stage, series + 1, $9, $10::text::jsonb from reopened
),
audit as (
  insert into sluice.audit (at, actor, action, item_id, request_id, detail)
  select sluice.now(), $9, $11, id, request_id, $10::text::jsonb from reopened
)
select r.id, not exists (
    select from keyed k join taken t on t.pipeline = k.pipeline and t.key = k.key
    where k.request_id = r.request_id and t.request_id <> k.request_id) as has_key
from reopened r`,
};

/** Until the caller's transaction ends: none of them is reopened or removed by another. */
export async function lockItems(db: Queryable, items: readonly string[]): Promise<void> {
  await db.query(LOCK_ITEMS, [items]);
}

/**
 * Which of them stood as they were read. For the caller's transaction, which has to roll back when this throws KEY_TAKEN:
 * another request has taken the key of one of them since it ended, and both would be live.
 */
export async function reopenItems(db: Queryable, items: readonly Reopening[], words: ReopenWords): Promise<string[]> {
  const sorted = byId(items);
  await lockItems(
    db,
    sorted.map((one) => one.id),
  );
  // With the lock, what the statement after it sees of their parts stays so until the end of the transaction.
  await lockRequests(db, [...new Set(sorted.map((one) => one.request_id))]);
  const rows = await db.query<{ id: string; has_key: boolean }>(REOPEN, [
    sorted.map((one) => one.id),
    sorted.map((one) => one.version),
    sorted.map((one) => one.ended),
    sorted.map((one) => one.was),
    sorted.map((one) => one.series),
    sorted.map((one) => one.stage),
    sorted.map((one) => one.pipeline),
    words.kind,
    words.actor,
    words.output,
    words.action,
  ]);
  if (rows.some((row) => !row.has_key)) throw new SluiceError("KEY_TAKEN", KEY_TAKEN);
  return rows.map((row) => row.id);
}
