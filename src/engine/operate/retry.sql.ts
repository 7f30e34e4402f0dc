// A failed item gets a new series at the stage where it failed. Its history stays; its version goes on from where it was.

import { SluiceError } from "../../kit/index.ts";
import type { Queryable, Statement } from "../db/database.ts";

const RETRY: Statement = {
  name: "retry",
  text: `
with failed as materialized (
  select i.id, i.request_id, i.pipeline_id, i.priority, i.run_version, i.key, last.stage, last.series, q.key as request_key,
    asked.pipeline
  from sluice.item i
  join sluice.request q on q.id = i.request_id
  -- The key belongs to the pipeline that was asked for; the failed item may have been spawned for another.
  cross join lateral (
    select p.name as pipeline from sluice.item a
    join sluice.pipeline p on p.id = a.pipeline_id
    where a.request_id = i.request_id
    order by a.id
    limit 1) asked
  cross join lateral (
    select j.stage, j.series from sluice.journal j
    where j.item_id = i.id and j.ended = 2
    order by j.version desc
    limit 1) last
  where i.id = $1 and i.state = 2
),
reopened as (
  update sluice.item i
  set state = 0, finished_at = null, run_version = f.run_version + 1
  from failed f
  -- The same version means the same state.
  where i.id = f.id and i.run_version = f.run_version
  returning i.id, i.run_version
),
runs as (
  insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state, series, flags)
  select f.id, f.request_id, sluice.now(), sluice.now(), r.run_version, l.id, f.stage, f.priority, 0, f.series + 1,
    -- Outputs and a checkpoint may be there; whether parts are, decides how its end is counted.
    3 | case when exists (select from sluice.request c where c.parent_id = f.id and c.parts_of is not null) then 16 else 0 end
  from failed f
  join reopened r on r.id = f.id
  join sluice.lane l on l.pipeline_id = f.pipeline_id and l.stage = f.stage and l.is_entry
),
counted as (
  update sluice.request q
  set failed = q.failed - 1
  from failed f
  join reopened r on r.id = f.id
  where q.id = f.request_id
),
keys as (
  insert into sluice.unique_key as k (pipeline, key, request_id, scope)
  select f.pipeline, f.request_key, f.request_id, 'live'
  from failed f
  join reopened r on r.id = f.id
  where f.request_key is not null
  on conflict (pipeline, key) do update
  set request_id = case when k.expires_at <= sluice.now() then excluded.request_id else k.request_id end,
    scope = case when k.expires_at <= sluice.now() then excluded.scope else k.scope end,
    expires_at = case when k.expires_at <= sluice.now() then null else k.expires_at end
  returning k.request_id
),
journal as (
  insert into sluice.journal (at, item_id, request_id, version, kind, stage, to_stage, series, message)
  select sluice.now(), f.id, f.request_id, r.run_version, 12, f.stage, f.stage, f.series + 1, $2
  from failed f
  join reopened r on r.id = f.id
),
audit as (
  insert into sluice.audit (at, actor, action, item_id, request_id)
  select sluice.now(), $2, 'retry', f.id, f.request_id from failed f join reopened r on r.id = f.id
)
select r.id, not exists (select from keys k where k.request_id <> f.request_id) as has_key
from reopened r
join failed f on f.id = r.id`,
};

/**
 * False when the item is not failed (any more). Throws KEY_TAKEN when another request has taken its request's key since;
 * the caller's transaction has to roll back then, or both would be live.
 */
export async function retryItem(db: Queryable, item: string, actor: string): Promise<boolean> {
  const [row] = await db.query<{ has_key: boolean }>(RETRY, [item, actor]);
  if (row?.has_key === false) throw new SluiceError("KEY_TAKEN", "another request has taken its key since it failed");
  return row !== undefined;
}
