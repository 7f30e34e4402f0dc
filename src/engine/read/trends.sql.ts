// How work went over time: sums that were written before, of a bounded number of hours.

import type { Queryable, Statement } from "../db/database.ts";
import { CLEANUP } from "../workers/registry.ts";

/** How far back, in which steps, and from which of the two sums. All in minutes. */
export interface TrendSpan {
  readonly back: number;
  readonly step: number;
  readonly sums: 10 | 60;
}

export interface PointRow {
  readonly at: Date;
  /** Null where nothing at all happened in that step. */
  readonly pipeline: string | null;
  readonly done: number;
  readonly failed: number;
}

const minutes = (parameter: string) => `${parameter}::int * interval '1 minute'`;
export const stepOf = (at: string, step: string) => `date_bin(${minutes(step)}, ${at}, '2000-01-01 00:00Z')`;
export const beginOf = (back: string, step: string) => stepOf(`sluice.now() - ${minutes(back)}`, step);
export const stepsOf = (back: string, step: string) =>
  `generate_series(${beginOf(back, step)}, sluice.now(), ${minutes(step)})`;

const POINTS: Statement = {
  name: "trend-points",
  text: `
with sums as (
  select ${stepOf("t.at", "$2")} as at, p.name as pipeline, coalesce(sum(t.times) filter (where t.kind = 'done'), 0)::float8 as done,
    coalesce(sum(t.times) filter (where t.kind = 'failed'), 0)::float8 as failed
  from sluice.trend t
  join sluice.pipeline p on p.id = t.pipeline_id
  where t.minutes = $3 and t.at >= ${beginOf("$1", "$2")} and t.kind in ('done', 'failed') and ($4::text is null or p.name = $4)
  group by 1, 2
)
select step.at, s.pipeline, coalesce(s.done, 0) as done, coalesce(s.failed, 0) as failed
from ${stepsOf("$1", "$2")} step (at)
left join sums s on s.at = step.at
order by step.at, s.pipeline`,
};

/** Every step is there, those in which nothing happened once without a pipeline. */
export async function trendPoints(
  db: Queryable,
  { back, step, sums }: TrendSpan,
  pipeline: string | null,
): Promise<PointRow[]> {
  return await db.query<PointRow>(POINTS, [back, step, sums, pipeline]);
}

export interface CauseRow {
  readonly code: string;
  readonly times: number;
  /** Of all codes together. */
  readonly all_times: number;
}

/** What the engine removes for itself is nobody's work, unless it is asked for. */
const isMeant = (parameter: string) =>
  `case when ${parameter}::text is null then p.name is distinct from '${CLEANUP}' else p.name = ${parameter} end`;

const CAUSES: Statement = {
  name: "trend-causes",
  text: `
select t.name as code, sum(t.times)::float8 as times, (sum(sum(t.times)) over ())::float8 as all_times
from sluice.trend t
join sluice.pipeline p on p.id = t.pipeline_id
where t.minutes = $3 and t.at >= ${beginOf("$1", "$2")} and t.kind = 'failed' and ${isMeant("$4")}
group by t.name
order by sum(t.times) desc, t.name
limit $5`,
};

export async function trendCauses(
  db: Queryable,
  { back, step, sums }: TrendSpan,
  pipeline: string | null,
  most: number,
): Promise<CauseRow[]> {
  return await db.query<CauseRow>(CAUSES, [back, step, sums, pipeline, most]);
}

export interface WeekRow {
  readonly kind: string;
  readonly length: number;
  readonly times: number;
}

// A breaker is no pipeline's: of those that one uses, its services' count.
const WEEK: Statement = {
  name: "trend-week",
  text: `
select t.kind, t.length, sum(t.times)::float8 as times
from sluice.trend t
left join sluice.pipeline p on p.id = t.pipeline_id
where t.minutes = 60 and t.at > sluice.now() - interval '7 days'
  and case when t.kind <> 'opened' then ${isMeant("$1")}
    else $1::text is null or t.name in (
      select l.service from sluice.lane l join sluice.pipeline o on o.id = l.pipeline_id where o.name = $1) end
group by t.kind, t.length`,
};

export async function trendWeek(db: Queryable, pipeline: string | null): Promise<WeekRow[]> {
  return await db.query<WeekRow>(WEEK, [pipeline]);
}
