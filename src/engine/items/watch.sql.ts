// Watching outside jobs. Watched rows carry the watch's epoch, minus the lane's number, so that a take-over of ten thousand
// writes one row: the duty's. Every write compares the version, and asks whether the writer still has the duty.

import type { Queryable, Statement } from "../db/database.ts";
import { byId } from "./by-id.ts";

/** What stands in `run.epoch` while nobody holds the row and somebody watches it. Workers' epochs are positive. */
export function watchEpoch(lane: number): string {
  return String(-lane);
}

export function watchDuty(lane: number): string {
  return `watch:${lane}`;
}

const TAKE: Statement = {
  name: "take-watch",
  text: `
insert into sluice.duty as d (name, due_at, epoch, done_at)
select $1, sluice.now(), $2, sluice.now()
where exists (select from sluice.worker w where w.epoch = $2 and w.state = 0)
on conflict (name) do update
set epoch = excluded.epoch, due_at = excluded.due_at, done_at = excluded.done_at
where not exists (select from sluice.worker w where w.epoch = d.epoch and w.state = 0)
returning name`,
};

/** True when it is the caller's from now on. It is nobody else's: they have ended, or were found dead. */
export async function takeWatch(db: Queryable, lane: number, epoch: string): Promise<boolean> {
  const rows = await db.query(TAKE, [watchDuty(lane), epoch]);
  return rows.length === 1;
}

export interface HolderRow {
  readonly lane: number;
  readonly epoch: string | null;
  readonly is_alive: boolean;
  /** For how long nobody has been looking. */
  readonly blind_ms: number | null;
}

const HOLDERS: Statement = {
  name: "watch-holders",
  text: `
select lane, d.epoch, coalesce(w.state = 0, false) as is_alive,
  date_part('epoch', sluice.now() - coalesce(w.ended_at, d.done_at)) * 1000 as blind_ms
from unnest($1::int[]) lane
left join sluice.duty d on d.name = 'watch:' || lane
left join sluice.worker w on w.epoch = d.epoch`,
};

export async function watchHolders(db: Queryable, lanes: readonly number[]): Promise<HolderRow[]> {
  return await db.query<HolderRow>(HOLDERS, [lanes]);
}

const LEAVE: Statement = {
  name: "leave-watches",
  text: `update sluice.duty set epoch = null where name like 'watch:%' and epoch = $1`,
};

/** So that somebody else looks at once, instead of when this worker is missed. */
export async function leaveWatches(db: Queryable, epoch: string): Promise<void> {
  await db.query(LEAVE, [epoch]);
}

const RESUME: Statement = {
  name: "resume-service",
  text: `update sluice.service set resumed_at = sluice.now() where name = $1`,
};

/** Nobody was looking for a while: what stood still meanwhile is nobody's fault, so every stall's clock begins anew. */
export async function resumeService(db: Queryable, service: string): Promise<void> {
  await db.query(RESUME, [service]);
}

export interface RoundRow {
  /** Milliseconds since 1970 by the database's clock. */
  readonly now: number;
  readonly is_mine: boolean;
  readonly is_down: boolean;
  readonly resumed_at: number;
  readonly ids: readonly string[];
  readonly versions: readonly number[];
}

// Arrays instead of rows: ten thousand of them are read every round, and cost a tenth like this.
const ROUND: Statement = {
  name: "watch-round",
  text: `
select date_part('epoch', sluice.now()) * 1000 as now, s.is_open as is_down,
  date_part('epoch', s.resumed_at) * 1000 as resumed_at,
  exists (
    select from sluice.duty d join sluice.worker w on w.epoch = d.epoch
    where d.name = 'watch:' || $1::int and d.epoch = $2 and w.state = 0) as is_mine,
  coalesce(watched.ids, '{}') as ids, coalesce(watched.versions, '{}') as versions
from sluice.lane l
join sluice.service s on s.name = l.service
cross join lateral (
  select array_agg(r.id::text) as ids, array_agg(r.version) as versions
  from (
    select id, version from sluice.run
    where lane = l.id and epoch = -l.id and state <> 0
    limit $3) r) watched
where l.id = $1`,
};

export const WATCHED_MOST = 200_000;

export async function watchRound(db: Queryable, lane: number, epoch: string): Promise<RoundRow | undefined> {
  const [row] = await db.query<RoundRow>(ROUND, [lane, epoch, WATCHED_MOST]);
  return row;
}

export interface WatchedRow {
  readonly id: string;
  readonly version: number;
  readonly ref: string;
  readonly marks: Readonly<Record<string, number>> | null;
  readonly progress: number | null;
  readonly reason: string | null;
  readonly active_at: number;
}

const DETAILS: Statement = {
  name: "watched-rows",
  text: `
select id, version, ref, marks, progress, reason, date_part('epoch', active_at) * 1000 as active_at
from sluice.run
where id = any ($1::bigint[]) and epoch = $2`,
};

export async function watchedRows(db: Queryable, lane: number, ids: readonly string[]): Promise<WatchedRow[]> {
  return await db.query<WatchedRow>(DETAILS, [ids, watchEpoch(lane)]);
}

export interface JobChange {
  readonly id: string;
  readonly version: number;
  readonly progress: number | null;
  /** Null where they stay as they are. */
  readonly marks: string | null;
  readonly reason: string | null;
  /** How long ago it was last alive, where that is news. */
  readonly activeMsAgo: number | null;
}

// No indexed column changes and the version stays: a change costs one narrow heap-only update.
const SAVE: Statement = {
  name: "save-jobs",
  text: `
update sluice.run r
set progress = u.progress, marks = coalesce(u.marks::jsonb, r.marks), reason = u.reason,
  active_at = coalesce(sluice.now() - u.active_ago * interval '1 millisecond', r.active_at)
from unnest($1::bigint[], $2::int[], $3::real[], $4::text[], $5::text[], $6::float8[])
  u (id, version, progress, marks, reason, active_ago)
where r.id = u.id and r.version = u.version and r.epoch = $7
  and exists (select from sluice.duty d where d.name = $8 and d.epoch = $9)`,
};

export async function saveJobs(
  db: Queryable,
  lane: number,
  changes: readonly JobChange[],
  epoch: string,
): Promise<void> {
  const sorted = byId(changes);
  await db.query(SAVE, [
    sorted.map((one) => one.id),
    sorted.map((one) => one.version),
    sorted.map((one) => one.progress),
    sorted.map((one) => one.marks),
    sorted.map((one) => one.reason),
    sorted.map((one) => one.activeMsAgo),
    watchEpoch(lane),
    watchDuty(lane),
    epoch,
  ]);
}
