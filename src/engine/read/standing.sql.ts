// How each pipeline fares as a whole: of one owner's items, by looking at the newest of them; and how long items took, by the
// newest of each version. Bounded, however many there are.

import type { Queryable, Statement } from "../db/database.ts";
import { COUNT_MOST } from "./figures.sql.ts";

/** From submission to completion, in milliseconds: the median, and what nine of ten stay below. */
const took = (where: string) =>
  `percentile_cont(array[0.5, 0.9]) within group (order by extract(epoch from m.finished_at - m.created_at) * 1000) ${where}`;

export interface OwnRow {
  readonly pipeline: string;
  readonly queued: number;
  readonly running: number;
  readonly waiting: number;
  readonly asking: number;
  readonly done_day: number;
  readonly failed_day: number;
  readonly took: readonly number[] | null;
  readonly looked: number;
}

const aDayAgo = "sluice.now() - interval '1 day'";
const counted = (condition: string) => `count(*) filter (where ${condition})::int`;

const OWN: Statement = {
  name: "own-standing",
  text: `
with mine as materialized (
  select x.id, x.pipeline_id, x.state, x.created_at, x.finished_at, x.part is null as is_whole from sluice.item x
  where x.owner = $1::text
  order by x.id desc
  limit ${COUNT_MOST}
)
select p.name as pipeline, ${counted("m.state = 0 and r.state = 0 and r.is_due")} as queued,
  ${counted("m.state = 0 and r.state <> 0")} as running,
  ${counted("m.state = 0 and r.state = 0 and not r.is_due and r.reason is distinct from 'question'")} as waiting,
  ${counted("m.state = 0 and r.state = 0 and not r.is_due and r.reason = 'question'")} as asking,
  ${counted(`m.state = 1 and m.is_whole and m.finished_at > ${aDayAgo}`)} as done_day,
  ${counted(`m.state = 2 and m.is_whole and m.finished_at > ${aDayAgo}`)} as failed_day,
  ${took("filter (where m.state = 1 and m.is_whole)")} as took, (select count(*)::int from mine) as looked
from mine m
join sluice.pipeline p on p.id = m.pipeline_id
left join lateral (
  select x.state, x.reason, x.ready_at <= sluice.now() as is_due from sluice.run x where x.id = m.id limit 1) r on m.state = 0
group by p.name
order by p.name`,
};

export async function ownStanding(db: Queryable, owner: string): Promise<OwnRow[]> {
  return await db.query<OwnRow>(OWN, [owner]);
}

export interface TookRow {
  readonly pipeline: string;
  readonly took: readonly number[] | null;
}

const TOOK: Statement = {
  name: "pipelines-took",
  text: `
select p.name as pipeline, ${took("")} as took
from sluice.pipeline p
cross join lateral (
  select x.finished_at, x.created_at from (
    select i.state, i.finished_at, i.created_at from sluice.item i
    where i.pipeline_id = p.id and i.part is null
    order by i.id desc
    limit 1000) x
  where x.state = 1) m
group by p.name`,
};

export async function pipelinesTook(db: Queryable): Promise<TookRow[]> {
  return await db.query<TookRow>(TOOK, []);
}

export interface BehindRow {
  readonly service: string;
  readonly items: number;
}

// Spelled out as in the figures, for the same reason: the order is the index's, so that the planner has nothing to choose.
const BEHIND: Statement = {
  name: "behind-services",
  text: `
select l.service, sum(line.n)::int as items
from sluice.lane l
cross join (values (1), (2), (3), (4), (5)) level (priority)
cross join lateral (
  select count(*) as n from (
    select from sluice.run r
    where r.lane = l.id and r.state = 0 and r.priority = level.priority
    order by r.ready_at, r.id
    limit ${COUNT_MOST}) x) line
where l.service <> ''
group by l.service`,
};

/** How many stand in line for each service, ready or not. */
export async function behindServices(db: Queryable): Promise<BehindRow[]> {
  return await db.query<BehindRow>(BEHIND, []);
}
