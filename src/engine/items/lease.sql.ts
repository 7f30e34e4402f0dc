// What else a holder may write, and how a lease ends without a settlement. All fenced, none counts an attempt.

import type { Queryable, Statement } from "../db/database.ts";
import { byId } from "./by-id.ts";

export interface Fence {
  readonly id: string;
  readonly version: number;
}

const CHECKPOINT: Statement = {
  name: "checkpoint",
  text: `
with holder as (
  update sluice.run
  set flags = flags | 2
  where id = $1 and version = $2 and epoch = $3
  returning id, stage
)
insert into sluice.checkpoint (run_id, stage, value, written_at)
select id, stage, $4::text::jsonb, sluice.now() from holder
on conflict (run_id) do update set stage = excluded.stage, value = excluded.value, written_at = excluded.written_at
returning run_id`,
};

/** False when the caller no longer holds the item; nothing was written then. */
export async function saveCheckpoint(db: Queryable, fence: Fence, epoch: string, value: string): Promise<boolean> {
  const rows = await db.query(CHECKPOINT, [fence.id, fence.version, epoch, value]);
  return rows.length === 1;
}

const PROGRESS: Statement = {
  name: "progress",
  text: `
update sluice.run r
set progress = u.progress
from unnest($1::bigint[], $2::int[], $3::real[]) u (id, version, progress)
where r.id = u.id and r.version = u.version and r.epoch = $4`,
};

export async function saveProgress(
  db: Queryable,
  changes: readonly (Fence & { readonly progress: number })[],
  epoch: string,
): Promise<void> {
  const sorted = byId(changes);
  await db.query(PROGRESS, [
    sorted.map((c) => c.id),
    sorted.map((c) => c.version),
    sorted.map((c) => c.progress),
    epoch,
  ]);
}

const STILL_HELD: Statement = {
  name: "still-held",
  text: `
select r.id, r.version
from unnest($1::bigint[]) u (id)
join sluice.run r on r.id = u.id
where r.epoch = $2`,
};

/** Which of these the process still holds, with their versions; the others were cancelled or taken away. */
export async function stillHeld(db: Queryable, ids: readonly string[], epoch: string): Promise<Fence[]> {
  return await db.query<Fence>(STILL_HELD, [ids, epoch]);
}

/**
 * The lane of the stage a row is in: its own where that is one of the stage's, else the one the stage is entered by. While it
 * was handed on, the row kept the lane it was claimed from.
 */
export const laneOfStage = `(
      select l.id from sluice.lane was
      join sluice.lane l on l.pipeline_id = was.pipeline_id and l.stage = r.stage
      where was.id = r.lane and (l.id = was.id or l.is_entry and was.stage <> r.stage)
      order by l.id
      limit 1)`;

/** In front of all that came after it: begun anew at the end of a long queue, it would stand still for hours. */
export const ownTurn = "least(r.ready_at, sluice.now())";

const RELEASE: Statement = {
  name: "release",
  text: `
update sluice.run r
set state = 0, epoch = null, version = r.version + 1, ready_at = ${ownTurn}, since = sluice.now(), begun_at = null,
    reason = null, lane = ${laneOfStage}
from unnest($1::bigint[], $2::int[]) u (id, version)
where r.id = u.id and r.version = u.version and r.epoch = $3
returning r.id`,
};

/** Hands items back unharmed: ready at once, nothing counted, nobody suspected. */
export async function release(db: Queryable, held: readonly Fence[], epoch: string): Promise<string[]> {
  const sorted = byId(held);
  const rows = await db.query<{ id: string }>(RELEASE, [
    sorted.map((one) => one.id),
    sorted.map((one) => one.version),
    epoch,
  ]);
  return rows.map((row) => row.id);
}

const HELD_BY: Statement = {
  name: "held-by",
  text: `
select r.id, r.version
from sluice.lane l
join sluice.run r on r.lane = l.id and r.epoch = $1 and r.state <> 0
order by r.id
limit $2`,
};

/** What the database says this worker holds. */
export async function heldBy(db: Queryable, epoch: string, most: number): Promise<Fence[]> {
  return await db.query<Fence>(HELD_BY, [epoch, most]);
}

const RECLAIM: Statement = {
  name: "reclaim",
  text: `
with free as materialized (
  select r.id
  from unnest($1::bigint[], $2::int[]) u (id, version)
  join sluice.run r on r.id = u.id
  where r.version = u.version and r.epoch = $3
  order by r.id
  for update of r skip locked
),
taken as (
  update sluice.run r
  set state = 0, epoch = null, version = r.version + 1, ready_at = ${ownTurn}, since = sluice.now(), begun_at = null,
    suspicion = least(r.suspicion + 1, 100),
    reason = null, lane = ${laneOfStage}
  where r.id = any (array (select id from free))
  returning r.id, r.request_id, r.version, r.stage, r.series
)
insert into sluice.journal (at, item_id, request_id, epoch, version, kind, stage, to_stage, series)
select sluice.now(), id, request_id, $3, version, 10, stage, stage, series from taken
returning item_id as id`,
};

const RECLAIM_BATCH = 500;

/**
 * Takes back a batch of what a dead worker held; everything it held is suspect from then on. Read first, then compared
 * and set by version: whatever the worker still managed to write in between stays, and is taken back the next time. So is
 * what a transaction of the dead worker still has locked: waiting for it would keep everything else waiting too.
 */
export async function reclaim(db: Queryable, deadEpoch: string): Promise<number> {
  const held = await heldBy(db, deadEpoch, RECLAIM_BATCH);
  if (held.length === 0) return 0;
  const taken = await db.query(RECLAIM, [held.map((one) => one.id), held.map((one) => one.version), deadEpoch]);
  return taken.length;
}
