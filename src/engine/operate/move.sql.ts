// Moving what lives, by compare-and-set on the version that was read before. The fence moves, so whoever holds the item is
// refused when it comes back.

import type { Queryable, Statement } from "../db/database.ts";
import { byId } from "../items/by-id.ts";
import { fairKey, storedFairness } from "../items/fair-key.ts";
import { laneOfStage, ownTurn } from "../items/lease.sql.ts";

export interface RunMove {
  readonly id: string;
  readonly version: number;
  /** The stage it is in, by the same version. */
  readonly was: number;
  readonly stage: number;
  readonly series: number;
  readonly pipeline: number;
}

export interface MoveWords {
  readonly kind: number;
  readonly action: string;
  readonly actor: string;
  readonly message: string;
  /** As JSON; what a replay leaves behind has to be found among the outputs it makes void. */
  readonly output: string | null;
}

const MOVE: Statement = {
  name: "move-runs",
  text: `
with moved as (
  update sluice.run r
  set version = r.version + 1, state = 0, epoch = null, stage = u.stage, lane = l.id, ready_at = sluice.now(),
    since = sluice.now(), begun_at = null, attempts = 0, series = u.series, backs = 0, waits = 0, suspicion = 0, crashes = 0,
    flags = (r.flags | 1) & ~4, progress = null, ref = null, marks = null, active_at = null, reason = null,
    fair = coalesce(r.fair, (select ${fairKey(storedFairness("i"))} from sluice.item i where i.id = r.id))
  from unnest($1::bigint[], $2::int[], $3::smallint[], $4::smallint[], $5::smallint[], $6::int[])
    u (id, version, was, stage, series, pipeline)
  join sluice.lane l on l.pipeline_id = u.pipeline and l.stage = u.stage and l.is_entry
  where r.id = u.id and r.version = u.version
  returning r.id, r.request_id, r.version, u.was, r.stage, r.series, u.pipeline
),
items as (update sluice.item i set pipeline_id = m.pipeline from moved m where i.id = m.id and i.pipeline_id <> m.pipeline),
journal as (
  insert into sluice.journal (at, item_id, request_id, version, kind, stage, to_stage, series, message, output)
  select sluice.now(), id, request_id, version, $7::smallint, was, stage, series, $8, $9::text::jsonb from moved
),
audit as (
  insert into sluice.audit (at, actor, action, item_id, request_id, detail)
  select sluice.now(), $10, $11, id, request_id, $9::text::jsonb from moved
)
select id from moved`,
};

/** Which of them stood as they were read. What they leave behind is for `leaveBehind`, in the same transaction. */
export async function moveRuns(db: Queryable, moves: readonly RunMove[], words: MoveWords): Promise<string[]> {
  const sorted = byId(moves);
  const rows = await db.query<{ id: string }>(MOVE, [
    sorted.map((one) => one.id),
    sorted.map((one) => one.version),
    sorted.map((one) => one.was),
    sorted.map((one) => one.stage),
    sorted.map((one) => one.series),
    sorted.map((one) => one.pipeline),
    words.kind,
    words.message,
    words.output,
    words.actor,
    words.action,
  ]);
  return rows.map((row) => row.id);
}

// A statement of its own, after the move has the row's lock: a holder that wrote an intent or a checkpoint in between left
// the version alone, and the statement that moved it would not have seen what came with it.
const LEAVE: Statement = {
  name: "leave-behind",
  text: `
with intents as (
  update sluice.intent set owed_at = sluice.now()
  where item_id = any ($1::bigint[]) and over_at is null and owed_at is null
),
waiters as (delete from sluice.waiter where run_id = any ($1::bigint[])),
checkpoints as (delete from sluice.checkpoint where run_id = any ($1::bigint[]))
update sluice.question set withdrawn_at = sluice.now()
where run_id = any ($1::bigint[]) and answered_at is null and withdrawn_at is null`,
};

/** What moved items had outside is owed; what they waited for, asked and had half done is over. */
export async function leaveBehind(db: Queryable, items: readonly string[]): Promise<void> {
  await db.query(LEAVE, [items]);
}

const TAKE_BACK: Statement = {
  name: "take-back",
  text: `
with taken as (
  update sluice.run r
  set state = 0, epoch = null, version = r.version + 1, ready_at = ${ownTurn}, since = sluice.now(), begun_at = null,
    reason = null, lane = ${laneOfStage}
  from unnest($1::bigint[], $2::int[]) u (id, version)
  where r.id = u.id and r.version = u.version
  returning r.id, r.request_id, r.version, r.stage, r.series
),
journal as (
  insert into sluice.journal (at, item_id, request_id, version, kind, stage, to_stage, series, message)
  select sluice.now(), id, request_id, version, 23, stage, stage, series, $3 from taken
),
audit as (
  insert into sluice.audit (at, actor, action, item_id, request_id)
  select sluice.now(), $3, 'take-back', id, request_id from taken
)
select id from taken`,
};

export interface RunVersion {
  readonly id: string;
  readonly version: number;
}

/** For rows that were leased when they were read: ready again, nothing counted, nobody suspected. */
export async function takeBackRuns(db: Queryable, runs: readonly RunVersion[], actor: string): Promise<string[]> {
  const sorted = byId(runs);
  const rows = await db.query<{ id: string }>(TAKE_BACK, [
    sorted.map((one) => one.id),
    sorted.map((one) => one.version),
    actor,
  ]);
  return rows.map((row) => row.id);
}

// The fence of what is being worked on stays: a holder must not lose its work because of the place it would have in a queue.
const PRIORITY: Statement = {
  name: "set-priority",
  text: `
with changed as (
  update sluice.run r
  set priority = $3::smallint, version = case when r.state = 0 then r.version + 1 else r.version end
  from unnest($1::bigint[], $2::int[]) u (id, version)
  where r.id = u.id and r.version = u.version
  returning r.id, r.request_id, r.version, r.stage, r.series, r.state
),
items as (update sluice.item i set priority = $3::smallint from changed c where i.id = c.id),
journal as (
  insert into sluice.journal (at, item_id, request_id, version, kind, stage, to_stage, series, message, output)
  select sluice.now(), id, request_id, version, 24, stage, stage, series, $4, jsonb_build_object('priority', $3::int)
  from changed
  where state = 0
),
audit as (
  insert into sluice.audit (at, actor, action, item_id, request_id, detail)
  select sluice.now(), $4, 'set-priority', id, request_id, jsonb_build_object('priority', $3::int) from changed
)
select id from changed`,
};

export async function prioritiseRuns(
  db: Queryable,
  runs: readonly RunVersion[],
  priority: number,
  actor: string,
): Promise<string[]> {
  const sorted = byId(runs);
  const rows = await db.query<{ id: string }>(PRIORITY, [
    sorted.map((one) => one.id),
    sorted.map((one) => one.version),
    priority,
    actor,
  ]);
  return rows.map((row) => row.id);
}
