// The same of one owner's items, by looking at the newest of them: bounded, however many there are.

import type { Queryable, Statement } from "../db/database.ts";
import { COUNT_MOST } from "./figures.sql.ts";
import { beginOf, type CauseRow, type PointRow, stepOf, stepsOf, type TrendSpan } from "./trends.sql.ts";

/** Why so many of them failed is looked up. */
const FAILED_MOST = 1_000;

const mine = (owner: string, pipeline: string) => `
  select x.id, x.state, x.created_at, x.finished_at, p.name as pipeline
  from (select * from sluice.item n where n.owner = ${owner}::text order by n.id desc limit ${COUNT_MOST}) x
  join sluice.pipeline p on p.id = x.pipeline_id
  where x.part is null and x.state in (1, 2) and (${pipeline}::text is null or p.name = ${pipeline})`;

const POINTS: Statement = {
  name: "own-trend-points",
  text: `
with sums as (
  select ${stepOf("m.finished_at", "$2")} as at, m.pipeline, count(*) filter (where m.state = 1)::float8 as done,
    count(*) filter (where m.state = 2)::float8 as failed
  from (${mine("$4", "$3")}) m
  where m.finished_at >= ${beginOf("$1", "$2")}
  group by 1, 2
)
select step.at, s.pipeline, coalesce(s.done, 0) as done, coalesce(s.failed, 0) as failed
from ${stepsOf("$1", "$2")} step (at)
left join sums s on s.at = step.at
order by step.at, s.pipeline`,
};

export async function ownTrendPoints(
  db: Queryable,
  { back, step }: TrendSpan,
  pipeline: string | null,
  owner: string,
): Promise<PointRow[]> {
  return await db.query<PointRow>(POINTS, [back, step, pipeline, owner]);
}

const CAUSES: Statement = {
  name: "own-trend-causes",
  text: `
select coalesce(last.code, 'UNKNOWN') as code, count(*)::float8 as times, (sum(count(*)) over ())::float8 as all_times
from (
  select m.id from (${mine("$4", "$3")}) m
  where m.state = 2 and m.finished_at >= ${beginOf("$1", "$2")}
  order by m.id desc
  limit ${FAILED_MOST}) f
left join lateral (
  select j.code from sluice.journal j where j.item_id = f.id and j.ended = 2 order by j.version desc limit 1) last on true
group by 1
order by count(*) desc, 1
limit $5`,
};

export async function ownTrendCauses(
  db: Queryable,
  { back, step }: TrendSpan,
  pipeline: string | null,
  owner: string,
  most: number,
): Promise<CauseRow[]> {
  return await db.query<CauseRow>(CAUSES, [back, step, pipeline, owner, most]);
}

export interface OwnWeekRow {
  readonly done: number;
  readonly failed: number;
  readonly took: readonly number[] | null;
  readonly mean: number | null;
  readonly looked: number;
}

const WEEK: Statement = {
  name: "own-trend-week",
  text: `
select count(*) filter (where m.state = 1)::float8 as done, count(*) filter (where m.state = 2)::float8 as failed,
  percentile_cont(array[0.5, 0.9]) within group (order by extract(epoch from m.finished_at - m.created_at) * 1000)
    filter (where m.state = 1) as took,
  (avg(extract(epoch from m.finished_at - m.created_at) * 1000) filter (where m.state = 1))::float8 as mean,
  (select count(*) from (select from sluice.item n where n.owner = $2::text order by n.id desc limit ${COUNT_MOST}) x)::float8 as looked
from (${mine("$2", "$1")}) m
where m.finished_at > sluice.now() - interval '7 days'`,
};

export async function ownTrendWeek(db: Queryable, pipeline: string | null, owner: string): Promise<OwnWeekRow> {
  const [row] = await db.query<OwnWeekRow>(WEEK, [pipeline, owner]);
  return row ?? { done: 0, failed: 0, took: null, mean: null, looked: 0 };
}
