// Where items stand and what became of them, by pipeline version and stage, at a cost that does not grow with the tables:
// what stands in line is counted in the index (lane, priority, ready_at, id) and no further than COUNT_MOST, what is in hand
// in (lane, epoch), and what became of them was added up before.

import type { Queryable, Statement } from "../db/database.ts";

/** Who counts further wants to know that there are very many, not how many. */
export const COUNT_MOST = 10_000;

export interface StageRow {
  readonly pipeline_id: number;
  readonly pipeline: string;
  readonly version: number;
  readonly stage: number;
  readonly name: string;
  readonly queued: number;
  /** Not due yet, questions among them. */
  readonly later: number;
  readonly running: number;
  readonly asking: number;
  readonly is_more: boolean;
  readonly hour_visits: number;
  readonly hour_passed: number;
  readonly hour_faults: number;
  readonly hour_failed: number;
  readonly day_visits: number;
  readonly day_passed: number;
  readonly day_faults: number;
  readonly day_failed: number;
}

const some = `limit ${COUNT_MOST + 1}`;

// The priorities are spelled out, each count is a look-up of its own, and the order is the index's, so that the planner has
// nothing to choose: without it, 1.2 million rows were read as a whole for every lane and priority, in 13 s.
const STAGES: Statement = {
  name: "stage-figures",
  text: `
with line as (
  select l.pipeline_id, l.stage, sum(due.n)::int as queued, sum(later.n)::int as later,
    bool_or(due.n > ${COUNT_MOST} or later.n > ${COUNT_MOST}) as is_more
  from sluice.lane l
  cross join (values (1), (2), (3), (4), (5)) level (priority)
  cross join lateral (
    select count(*) as n from (
      select from sluice.run r
      where r.lane = l.id and r.state = 0 and r.priority = level.priority and r.ready_at <= sluice.now()
      order by r.ready_at, r.id ${some}) x) due
  cross join lateral (
    select count(*) as n from (
      select from sluice.run r
      where r.lane = l.id and r.state = 0 and r.priority = level.priority and r.ready_at > sluice.now()
      order by r.ready_at, r.id ${some}) x) later
  group by l.pipeline_id, l.stage
),
hand as (
  -- What was handed on keeps the lane it was claimed from; its stage says where it is.
  select l.pipeline_id, r.stage, count(*)::int as running, bool_or(r.is_more) as is_more
  from sluice.lane l
  cross join lateral (
    select x.stage, x.nth > ${COUNT_MOST} as is_more
    from (
      select h.stage, row_number() over (order by h.epoch) as nth from sluice.run h
      where h.lane = l.id and h.state <> 0
      order by h.epoch ${some}) x) r
  group by l.pipeline_id, r.stage
),
asked as (
  select l.pipeline_id, r.stage, count(*)::int as asking
  from (select run_id from sluice.question where answered_at is null and withdrawn_at is null ${some}) q
  join sluice.run r on r.id = q.run_id
  join sluice.lane l on l.id = r.lane
  group by l.pipeline_id, r.stage
),
became as (
  select pipeline_id, stage, sum(visits)::int as day_visits, sum(passed)::int as day_passed, sum(faults)::int as day_faults,
    sum(failed)::int as day_failed, coalesce(sum(visits) filter (where is_recent), 0)::int as hour_visits,
    coalesce(sum(passed) filter (where is_recent), 0)::int as hour_passed,
    coalesce(sum(faults) filter (where is_recent), 0)::int as hour_faults,
    coalesce(sum(failed) filter (where is_recent), 0)::int as hour_failed
  from (
    select pipeline_id, stage, visits, passed, faults, failed, at > sluice.now() - interval '70 minutes' as is_recent
    from sluice.figure where at > sluice.now() - interval '1450 minutes') f
  group by pipeline_id, stage
)
select p.id as pipeline_id, p.name as pipeline, p.version, stage.nth - 1 as stage, stage.name,
  coalesce(line.queued, 0) as queued, coalesce(line.later, 0) as later, coalesce(hand.running, 0) as running,
  coalesce(asked.asking, 0) as asking, coalesce(line.is_more, false) or coalesce(hand.is_more, false) as is_more,
  coalesce(b.hour_visits, 0) as hour_visits, coalesce(b.hour_passed, 0) as hour_passed,
  coalesce(b.hour_faults, 0) as hour_faults, coalesce(b.hour_failed, 0) as hour_failed,
  coalesce(b.day_visits, 0) as day_visits, coalesce(b.day_passed, 0) as day_passed,
  coalesce(b.day_faults, 0) as day_faults, coalesce(b.day_failed, 0) as day_failed
from sluice.pipeline p
cross join lateral (select name, nth::int as nth from unnest(p.stages) with ordinality s (name, nth)) stage
left join line on line.pipeline_id = p.id and line.stage = stage.nth - 1
left join hand on hand.pipeline_id = p.id and hand.stage = stage.nth - 1
left join asked on asked.pipeline_id = p.id and asked.stage = stage.nth - 1
left join became b on b.pipeline_id = p.id and b.stage = stage.nth - 1
order by p.name, p.version, stage.nth`,
};

export async function stageFigures(db: Queryable): Promise<StageRow[]> {
  return await db.query<StageRow>(STAGES, []);
}

export interface LengthRow {
  readonly pipeline_id: number;
  readonly stage: number;
  readonly length: number;
  readonly stayed: number;
  readonly worked: number;
}

const LENGTHS: Statement = {
  name: "stage-lengths",
  text: `
select pipeline_id, stage, length, sum(stayed)::int as stayed, sum(worked)::int as worked
from sluice.stay
where day >= (sluice.now() at time zone 'UTC')::date - 1
group by pipeline_id, stage, length`,
};

/** Of today and yesterday. */
export async function stageLengths(db: Queryable): Promise<LengthRow[]> {
  return await db.query<LengthRow>(LENGTHS, []);
}
