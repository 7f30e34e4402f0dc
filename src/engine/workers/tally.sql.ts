// Reading the journal once more, behind everybody, to add up what figures and estimates are made of; and writing the sums
// together with the place up to which it was read.
//
// Like the feed it reads below the oldest transaction that still runs, so nothing that commits late is left out.

import type { Queryable, Statement } from "../db/database.ts";
import { JOURNAL_KIND } from "../items/codes.ts";
import { addTrends, type TookRow, type TrendSum, trendColumns, trendSums, trendValues } from "./tally-trends.sql.ts";

export interface TallyPlace {
  readonly xid: string;
  readonly seq: string;
}

/** A stay in a stage that has ended, to be looked up. */
export interface LeftRow {
  readonly pipeline: number;
  readonly item: string;
  readonly version: number;
  readonly stage: number;
  readonly at: string;
  /** Only of pipelines that tell a size. */
  readonly input: unknown;
}

/** What a piece of the journal adds up to, and where it ends. */
export interface TallyPiece extends TallyPlace {
  readonly rows: number;
  readonly figures: readonly FigureSum[];
  readonly left: readonly LeftRow[];
  readonly trends: readonly TrendSum[];
  readonly took: readonly TookRow[];
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

// Rows that a visit left, of whole items: only those say whose figures they count for. Of the stays that ended a few are picked, evenly
// spread: quantiles need no more, and looking them up is most of the cost.
const READ: Statement = {
  name: "tally-read",
  text: `
with found as materialized (
  select xid, seq, at, item_id, version, kind, stage, ended, pipeline_id, kind = any ($5::smallint[]) as passed, ${trendColumns}
  from sluice.journal
  where (xid, seq) > ($1::xid8, $2::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())
  order by xid, seq
  limit $3
),
visit as not materialized (
  select * from found where pipeline_id is not null
),
figure as (
  select pipeline_id as pipeline, stage, date_bin('10 minutes', at, '2000-01-01 00:00Z') as at, count(*) as visits,
    count(*) filter (where passed) as passed, count(*) filter (where kind in (8, 16)) as faults,
    count(*) filter (where ended = 2) as failed
  from visit
  group by 1, 2, 3
),
picked as (
  select v.pipeline_id as pipeline, v.item_id::text as item, v.version, v.stage, v.at, i.input
  from visit v
  left join lateral (
    select input from sluice.item where id = v.item_id and pipeline_id = any ($6::int[]) limit 1) i on true
  -- Numbers of neighbours follow each other, with a jump here and there.
  where v.passed and v.seq % (select greatest(1, ceil(count(*) / $4::float8)::int) from visit where passed) = 0
),
${trendSums("$4")}
select last.xid::text as xid, last.seq, (select count(*) from found)::int as rows,
  coalesce((select jsonb_agg(to_jsonb(g)) from figure g), '[]') as figures,
  coalesce((select jsonb_agg(to_jsonb(p)) from picked p), '[]') as left,
  coalesce((select jsonb_agg(to_jsonb(t)) from trend t), '[]') as trends,
  coalesce((select jsonb_agg(to_jsonb(t)) from took t), '[]') as took
-- Found before the sums stand beside it: sorting rows that each carried them took most of the statement.
from (select xid, seq from found order by xid desc, seq desc limit 1 offset 0) last`,
};

export interface TallyReading {
  readonly rowsMost: number;
  readonly staysMost: number;
  /** The pipelines that tell a size. */
  readonly sized: readonly number[];
}

/** Undefined at the journal's end. */
export async function readForTally(
  db: Queryable,
  after: TallyPlace,
  { rowsMost, staysMost, sized }: TallyReading,
): Promise<TallyPiece | undefined> {
  const [piece] = await db.query<TallyPiece>(READ, [after.xid, after.seq, rowsMost, staysMost, PASSES, sized]);
  return piece;
}

const PASSES: readonly number[] = [JOURNAL_KIND.done, JOURNAL_KIND.skip];

export interface FigureSum {
  readonly pipeline: number;
  readonly stage: number;
  /** The beginning of ten minutes. */
  readonly at: string;
  readonly visits: number;
  readonly passed: number;
  readonly faults: number;
  readonly failed: number;
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
),
trends as (${addTrends(19, "exists (select from moved)")})
select name from moved`,
};

/** False when somebody else has added up these rows meanwhile; nothing was added then. */
export async function addTally(
  db: Queryable,
  from: TallyPlace,
  { xid, seq, figures }: TallyPiece,
  stays: readonly StaySum[],
  trends: readonly TrendSum[],
): Promise<boolean> {
  const rows = await db.query(ADD, [
    ...[from.xid, from.seq, xid, seq],
    figures.map((one) => one.pipeline),
    figures.map((one) => one.stage),
    figures.map((one) => one.at),
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
    ...trendValues(trends),
  ]);
  return rows.length === 1;
}

const FORGET: Statement = {
  name: "tally-forget",
  text: `
with figures as (delete from sluice.figure where at < sluice.now() - interval '25 hours'),
trends as (
  delete from sluice.trend
  where minutes = 10 and at < sluice.now() - interval '3 hours' or minutes = 60 and at < sluice.now() - interval '32 days')
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
