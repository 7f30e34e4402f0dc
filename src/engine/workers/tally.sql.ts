// Reading the journal once more, behind everybody, to add up what figures and estimates are made of; and writing the sums
// together with the place up to which it was read.
//
// Like the feed it reads below the oldest transaction that still runs, so nothing that commits late is left out.

import type { Queryable, Statement } from "../db/database.ts";

export interface TallyPlace {
  readonly xid: string;
  readonly seq: string;
}

export interface TallyRow extends TallyPlace {
  readonly at: Date;
  readonly item_id: string | null;
  readonly version: number | null;
  readonly pipeline_id: number | null;
  readonly is_part: boolean;
  readonly stage: number | null;
  readonly kind: number;
  readonly ended: number;
  /** Only of pipelines that tell a size. */
  readonly input: unknown;
}

const PLACE: Statement = {
  name: "tally-place",
  text: `
select coalesce(s.value ->> 'xid', '0') as xid, coalesce(s.value ->> 'seq', '0') as seq
from (select) one
left join sluice.setting s on s.name = 'tally'`,
};

/** Up to where the journal was added up. */
export async function tallyPlace(db: Queryable): Promise<TallyPlace> {
  const [row] = await db.query<TallyPlace>(PLACE, []);
  return row ?? { xid: "0", seq: "0" };
}

const READ: Statement = {
  name: "tally-read",
  text: `
with found as materialized (
  select xid, seq, at, item_id, version, kind, stage, ended
  from sluice.journal
  where (xid, seq) > ($1::xid8, $2::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())
  order by xid, seq
  limit $3
)
select f.xid::text as xid, f.seq, f.at, f.item_id, f.version, f.stage, f.kind, f.ended, i.pipeline_id,
  coalesce(i.is_part, false) as is_part, i.input
from found f
left join lateral (
  select pipeline_id, part is not null as is_part, case when pipeline_id = any ($4::int[]) then input end as input
  from sluice.item where id = f.item_id
  limit 1) i on true
order by f.xid, f.seq`,
};

export async function readForTally(
  db: Queryable,
  after: TallyPlace,
  most: number,
  sized: readonly number[],
): Promise<TallyRow[]> {
  return await db.query<TallyRow>(READ, [after.xid, after.seq, most, sized]);
}

export interface FigureSum {
  readonly pipeline: number;
  readonly stage: number;
  readonly at: Date;
  visits: number;
  passed: number;
  faults: number;
  failed: number;
}

export interface StaySum {
  readonly pipeline: number;
  readonly stage: number;
  /** "2026-11-15", by UTC. */
  readonly day: string;
  readonly size: number;
  readonly length: number;
  stayed: number;
  worked: number;
}

export interface Sums {
  readonly figures: readonly FigureSum[];
  readonly stays: readonly StaySum[];
}

// The place is moved only from where the reading began, and nothing is added unless it moved: of two that add up the same
// rows, one does.
const ADD: Statement = {
  name: "tally-add",
  text: `
with moved as (
  insert into sluice.setting as s (name, value)
  values ('tally', jsonb_build_object('xid', $3::text, 'seq', $4::text))
  on conflict (name) do update set value = excluded.value
  where s.value = jsonb_build_object('xid', $1::text, 'seq', $2::text)
  returning s.name
),
figures as (
  insert into sluice.figure as f (pipeline_id, stage, at, visits, passed, faults, failed)
  select u.pipeline, u.stage, u.at, u.visits, u.passed, u.faults, u.failed
  from unnest($5::int[], $6::smallint[], $7::timestamptz[], $8::int[], $9::int[], $10::int[], $11::int[])
    u (pipeline, stage, at, visits, passed, faults, failed)
  where exists (select from moved)
  on conflict (pipeline_id, stage, at) do update
  set visits = f.visits + excluded.visits, passed = f.passed + excluded.passed, faults = f.faults + excluded.faults,
    failed = f.failed + excluded.failed
),
stays as (
  insert into sluice.stay as s (pipeline_id, stage, day, size, length, stayed, worked)
  select u.pipeline, u.stage, u.day, u.size, u.length, u.stayed, u.worked
  from unnest($12::int[], $13::smallint[], $14::date[], $15::smallint[], $16::smallint[], $17::int[], $18::int[])
    u (pipeline, stage, day, size, length, stayed, worked)
  where exists (select from moved)
  on conflict (pipeline_id, stage, day, size, length) do update
  set stayed = s.stayed + excluded.stayed, worked = s.worked + excluded.worked
)
select name from moved`,
};

/** False when somebody else has added up these rows meanwhile; nothing was added then. */
export async function addTally(db: Queryable, from: TallyPlace, to: TallyPlace, sums: Sums): Promise<boolean> {
  const { figures, stays } = sums;
  const rows = await db.query(ADD, [
    ...[from.xid, from.seq, to.xid, to.seq],
    figures.map((one) => one.pipeline),
    figures.map((one) => one.stage),
    figures.map((one) => one.at.toISOString()),
    figures.map((one) => one.visits),
    figures.map((one) => one.passed),
    figures.map((one) => one.faults),
    figures.map((one) => one.failed),
    stays.map((one) => one.pipeline),
    stays.map((one) => one.stage),
    stays.map((one) => one.day),
    stays.map((one) => one.size),
    stays.map((one) => one.length),
    stays.map((one) => one.stayed),
    stays.map((one) => one.worked),
  ]);
  return rows.length === 1;
}

const FORGET: Statement = {
  name: "tally-forget",
  text: `
with figures as (delete from sluice.figure where at < sluice.now() - interval '25 hours')
delete from sluice.stay where day < (sluice.now() at time zone 'UTC')::date - 30`,
};

/** What is too old for any figure. */
export async function forgetFigures(db: Queryable): Promise<void> {
  await db.query(FORGET, []);
}

const RESTART: Statement = {
  name: "tally-restart",
  text: `
update sluice.setting
set value = jsonb_build_object('xid', pg_snapshot_xmin(pg_current_snapshot())::text, 'seq', '0')
where name = 'tally' and (value ->> 'xid')::xid8 > pg_snapshot_xmax(pg_current_snapshot())`,
};

/** After a restore into another server the place may lie ahead of everything that is yet to be written there. */
export async function restartTally(db: Queryable): Promise<void> {
  await db.query(RESTART, []);
}
