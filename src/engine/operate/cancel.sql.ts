// Ending what lives (a cancel, a skip of its last stage, a deadline), by compare-and-set on the version that was read before:
// whoever settles or claims in between wins that round, and the caller looks again. The fence moves, so a worker that is still
// busy with the item is refused when it returns.

import type { Queryable, Statement } from "../db/database.ts";
import { ITEM_STATE, JOURNAL_KIND } from "../items/codes.ts";
import { staysBehind } from "../items/intent.sql.ts";

export interface LiveRow {
  readonly id: string;
  readonly version: number;
  readonly state: number;
}

const LIVE: Statement = {
  name: "live-runs",
  text: `
select r.id, r.version, r.state
from sluice.run r
where r.id = any ($1::bigint[])
order by r.id`,
};

export async function liveRuns(db: Queryable, items: readonly string[]): Promise<LiveRow[]> {
  return await db.query<LiveRow>(LIVE, [items]);
}

const LIVE_OF_REQUESTS: Statement = {
  name: "live-of-requests",
  text: `
select i.id
from sluice.item i
where i.request_id = any ($1::bigint[]) and i.state = 0
-- As the index has them: by id alone, a plan for any values walks through all items there are.
order by i.request_id, i.id
limit 500`,
};

export async function liveItemsOf(db: Queryable, requests: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(LIVE_OF_REQUESTS, [requests]);
  return rows.map((row) => row.id);
}

const SPAWNED_BY: Statement = {
  name: "spawned-by",
  text: `select id from sluice.request where parent_id = any ($1::bigint[]) and completed + failed + cancelled < total order by id`,
};

export async function openRequestsSpawnedBy(db: Queryable, items: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(SPAWNED_BY, [items]);
  return rows.map((row) => row.id);
}

// The row has to be the one that stood there when this statement began (xmin): its holder may be writing an intent or a
// checkpoint, which leaves the version alone. Having waited for that, we would delete the row and not see what came with it.
const END: Statement = {
  name: "end-runs",
  text: `
with ended as (
  delete from sluice.run r
  using unnest($1::bigint[], $2::int[]) u (id, version)
  join sluice.run seen on seen.id = u.id
  where r.id = u.id and r.version = u.version and r.xmin = seen.xmin
  returning r.id, r.request_id, r.version + 1 as version, r.stage, r.series, r.epoch
),
items as (
  update sluice.item i
  set state = $4::smallint, finished_at = sluice.now(), run_version = e.version
  from ended e
  where i.id = e.id
),
-- An item that cleans up may be cancelled; what it was to remove is owed all the same, and gets another one.
intents as (
  update sluice.intent set owed_at = coalesce(owed_at, sluice.now()), cleanup_id = null
  where over_at is null
    and (item_id = any (array (select id from ended)) and owed_at is null or cleanup_id = any (array (select id from ended)))
),
staying as (
  update sluice.intent n set owed_at = sluice.now(), over_at = null, cleanup_id = null
  where $4::smallint = 3 and n.item_id = any (array (select id from ended)) and ${staysBehind}
),
waiters as (delete from sluice.waiter where run_id in (select id from ended)),
-- A failed item keeps its own: a retry goes on from there.
checkpoints as (delete from sluice.checkpoint where run_id in (select id from ended) and $4::smallint <> 2),
questions as (
  update sluice.question set withdrawn_at = sluice.now()
  where run_id in (select id from ended) and answered_at is null and withdrawn_at is null
),
tally as materialized (select request_id, count(*) as ended from ended group by request_id),
locked as materialized (
  select id from sluice.request
  where id = any (array (select request_id from tally))
  order by id
  for no key update
),
counted as (
  update sluice.request q
  set cancelled = q.cancelled + case when $4::smallint = 3 then t.ended else 0 end,
    completed = q.completed + case when $4::smallint = 1 then t.ended else 0 end,
    failed = q.failed + case when $4::smallint = 2 then t.ended else 0 end
  from tally t
  where q.id = t.request_id and (select count(*) from locked) > 0
  returning q.id, q.key, q.completed + q.failed + q.cancelled = q.total as is_over
),
freed_keys as (
  delete from sluice.unique_key k
  using counted c
  where c.is_over and c.key is not null and k.request_id = c.id and k.scope = 'live'
),
journal as (
  insert into sluice.journal (at, item_id, request_id, epoch, version, kind, stage, ended, series, code, message)
  select sluice.now(), id, request_id, epoch, version, $5::smallint, stage, $4::smallint, series, $8, $6 from ended
),
-- What nobody did is not audited.
audit as (
  insert into sluice.audit (at, actor, action, item_id, request_id)
  select sluice.now(), $3, $7, id, request_id from ended where $3::text is not null
)
select id, epoch is not null as was_held from ended`,
};

export interface CancelledRow {
  readonly id: string;
  /** A worker was busy with it, and learns of it with its next look. */
  readonly was_held: boolean;
}

export async function cancelRuns(
  db: Queryable,
  runs: readonly Pick<LiveRow, "id" | "version">[],
  actor: string,
): Promise<CancelledRow[]> {
  return await endRuns(db, runs, {
    as: "cancelled",
    kind: "cancelled",
    code: null,
    message: actor,
    actor,
    action: "cancel",
  });
}

/** As done, with the reason why its stage was left out. */
export async function skipRuns(
  db: Queryable,
  runs: readonly Pick<LiveRow, "id" | "version">[],
  actor: string,
  reason: string,
): Promise<CancelledRow[]> {
  return await endRuns(db, runs, { as: "done", kind: "skip", code: null, message: reason, actor, action: "skip" });
}

/** As failed, which nobody did. */
export async function failRuns(
  db: Queryable,
  runs: readonly Pick<LiveRow, "id" | "version">[],
  code: string,
  message: string,
): Promise<CancelledRow[]> {
  return await endRuns(db, runs, { as: "failed", kind: "fault", code, message, actor: null, action: null });
}

interface End {
  readonly as: "done" | "failed" | "cancelled";
  readonly kind: "cancelled" | "skip" | "fault";
  readonly code: string | null;
  readonly message: string;
  readonly actor: string | null;
  readonly action: string | null;
}

async function endRuns(
  db: Queryable,
  runs: readonly Pick<LiveRow, "id" | "version">[],
  end: End,
): Promise<CancelledRow[]> {
  return await db.query<CancelledRow>(END, [
    runs.map((run) => run.id),
    runs.map((run) => run.version),
    end.actor,
    ITEM_STATE[end.as],
    JOURNAL_KIND[end.kind],
    end.message,
    end.action,
    end.code,
  ]);
}
