// What alerts are made of, at a cost that does not grow with the tables: what is due in each lane is counted in the index
// (lane, priority, ready_at, id) and no further than COUNT_MOST, and of the journal only the newest rows are read.

import type { Queryable, Statement } from "../db/database.ts";
import { closedAndCovers } from "../items/valve-scope.sql.ts";
import { COUNT_MOST } from "./figures.sql.ts";

/** Of a busier journal this is a sample of the last minutes, which is as good. */
const ROWS_MOST = 20_000;

export interface LanePulseRow {
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  readonly service: string;
  readonly due: number;
  readonly fresh: number;
  readonly down: number;
  readonly oldest_at: Date | null;
  readonly oldest: readonly string[];
  readonly claimed_at: Date | null;
  readonly closed_by: readonly string[];
}

const idleOf = "x.lane = l.id and x.state = 0 and x.priority = level.priority";
const priorities = "(values (1), (2), (3), (4), (5)) level (priority)";

// Fresh is what became due after the service came back: what had piled up behind it while it was away is its outage's, not a
// backlog of its own. A day's worth of that would hide a real one, so only the last hours count.
const LANES: Statement = {
  name: "pulse-lanes",
  text: `
select p.name as pipeline, p.version, p.stages[l.stage + 1] as stage, l.service,
  counted.due, counted.fresh, away.down, first.oldest_at, coalesce(first.oldest, '{}') as oldest, hand.claimed_at,
  array(select distinct v.kind from sluice.valve v where ${closedAndCovers} order by v.kind) as closed_by
from sluice.lane l
join sluice.pipeline p on p.id = l.pipeline_id
left join sluice.service s on s.name = l.service
cross join lateral (
  select coalesce(sum(each.due), 0)::int as due, coalesce(sum(each.fresh), 0)::int as fresh
  from ${priorities}
  cross join lateral (
    select count(*) as due,
      count(*) filter (where s.resumed_at is null or s.resumed_at < sluice.now() - interval '6 hours'
        or found.ready_at >= s.resumed_at) as fresh
    from (
      select x.ready_at from sluice.run x where ${idleOf} and x.ready_at <= sluice.now()
      order by x.ready_at, x.id
      limit ${COUNT_MOST}) found) each) counted
cross join lateral (
  select coalesce(sum(each.down), 0)::int as down
  from ${priorities}
  cross join lateral (
    select count(*) filter (where found.reason = 'service_down') as down
    from (
      select x.reason from sluice.run x where l.service <> '' and ${idleOf} and x.ready_at > sluice.now()
      order by x.ready_at, x.id
      limit ${COUNT_MOST}) found) each) away
cross join lateral (
  select min(few.ready_at) as oldest_at, array_agg(few.id::text order by few.ready_at, few.id) as oldest
  from (
    select found.id, found.ready_at
    from ${priorities}
    cross join lateral (
      select x.id, x.ready_at from sluice.run x where ${idleOf} and x.ready_at <= sluice.now()
      order by x.ready_at, x.id
      limit 3) found
    order by found.ready_at, found.id
    limit 3) few) first
cross join lateral (
  select max(held.since) as claimed_at
  from (select h.since from sluice.run h where h.lane = l.id and h.state <> 0 limit ${COUNT_MOST}) held) hand
order by p.name, p.version, l.stage, l.service`,
};

export async function lanePulses(db: Queryable): Promise<LanePulseRow[]> {
  return await db.query<LanePulseRow>(LANES, []);
}

export interface StagePulseRow {
  readonly pipeline: string;
  readonly stage: string;
  readonly attempts: number;
  readonly faults: number;
  readonly code: string | null;
  readonly faulty: readonly string[];
  /** As text: it comes in JSON. */
  readonly visited_at: string;
}

export interface StallRow {
  readonly item: string;
  readonly pipeline: string;
  readonly stage: string;
  readonly service: string | null;
  readonly message: string | null;
  readonly at: string;
}

export interface JournalPulse {
  readonly now: Date;
  /** Where the rows that were read begin; null when they are all there are. */
  readonly since: Date | null;
  readonly stages: readonly StagePulseRow[];
  /** Newest first. */
  readonly stalls: readonly StallRow[];
}

// All in one statement, because the rows are most of what it costs. An attempt ends in success or a counted fault: what waits for
// a service that is down spends none, and is no error here. Of a stage whose service came back, what was tried before is the outage's.
const JOURNAL: Statement = {
  name: "pulse-journal",
  text: `
with looked as materialized (
  select at, item_id, kind, stage, attempt, code, message, pipeline_id,
    case when kind = 19 and code = 'STALLED' then output ->> 'service' end as service
  from sluice.journal
  where not kept
  order by xid desc, seq desc
  limit ${ROWS_MOST}
),
newest as materialized (
  select l.* from looked l where l.at > sluice.now() - interval '15 minutes'
),
back as (
  select p.name as pipeline, p.stages[l.stage + 1] as stage, max(s.changed_at) as at
  from sluice.service s
  join sluice.lane l on l.service = s.name
  join sluice.pipeline p on p.id = l.pipeline_id
  where not s.is_open and s.changed_at > sluice.now() - interval '15 minutes'
  group by p.name, p.stages[l.stage + 1]
),
told as (
  select v.pipeline, v.stage, v.at, v.item_id, v.code, v.is_fault and v.at >= coalesce(b.at, v.at) as is_fault,
    v.is_done and v.at >= coalesce(b.at, v.at) as is_done
  from (
    select p.name as pipeline, p.stages[n.stage + 1] as stage, n.at, n.item_id, n.code,
      n.kind in (8, 16) and n.attempt is not null as is_fault, n.kind = 1 as is_done
    from newest n
    join sluice.pipeline p on p.id = n.pipeline_id
    where n.stage is not null) v
  left join back b on b.pipeline = v.pipeline and b.stage = v.stage
),
stages as (
  select pipeline, stage, count(*) filter (where is_done or is_fault)::int as attempts,
    count(*) filter (where is_fault)::int as faults, mode() within group (order by code) filter (where is_fault) as code,
    coalesce((array_agg(item_id::text order by at desc) filter (where is_fault))[1:3], '{}') as faulty, max(at) as visited_at
  from told
  group by pipeline, stage
),
stalls as (
  select n.item_id::text as item, p.name as pipeline, p.stages[n.stage + 1] as stage, n.service, n.message, n.at
  from newest n
  join sluice.item i on i.id = n.item_id
  join sluice.pipeline p on p.id = i.pipeline_id
  where n.kind = 19 and n.code = 'STALLED'
  order by n.at desc
  limit 1000
)
select sluice.now() as now, (select case when count(*) = ${ROWS_MOST} then min(at) end from looked) as since,
  coalesce((select jsonb_agg(s order by s.pipeline, s.stage) from stages s), '[]') as stages,
  coalesce((select jsonb_agg(s order by s.at desc) from stalls s), '[]') as stalls`,
};

export async function journalPulse(db: Queryable): Promise<JournalPulse> {
  const [row] = await db.query<JournalPulse>(JOURNAL, []);
  return row as JournalPulse; // a select without a table has a row
}

// Whatever explain could have no reason for: waiting for ever without a word, or live and nowhere. Explain has the last word.
const UNEXPLAINED: Statement = {
  name: "pulse-unexplained",
  text: `
(select r.id::text as item
from sluice.lane l
cross join ${priorities}
cross join lateral (
  select x.id, x.reason from sluice.run x
  where ${idleOf} and x.ready_at = 'infinity'
  order by x.id
  limit 200) r
where r.reason is null or r.reason = 'unknown'
limit 20)
union all
(select i.id::text
from (select id, state from sluice.item order by id desc limit 500) i
where i.state = 0 and not exists (select from sluice.run r where r.id = i.id)
limit 20)`,
};

export async function unexplainedCandidates(db: Queryable): Promise<string[]> {
  return (await db.query<{ item: string }>(UNEXPLAINED, [])).map((row) => row.item);
}

export interface LongAwayRow {
  readonly item: string;
  readonly pipeline: string;
  readonly stage: string;
  readonly service: string;
  readonly since: Date;
}

// Who waits like that is tried again within the hour, or is being tried. The journal has a row when the reason changes and none
// when it stays: the last one is when the wait began.
const LONG_AWAY: Statement = {
  name: "pulse-long-away",
  text: `
select r.id::text as item, p.name as pipeline, p.stages[l.stage + 1] as stage, l.service, wait.since
from sluice.lane l
join sluice.pipeline p on p.id = l.pipeline_id
cross join lateral (
  (select found.id, found.reason, found.begun_at
  from ${priorities}
  cross join lateral (
    select x.id, x.reason, x.begun_at from sluice.run x
    where ${idleOf} and x.ready_at > sluice.now() and x.ready_at < sluice.now() + interval '1 hour'
    order by x.ready_at, x.id
    limit 1000) found)
  union all
  (select h.id, h.reason, h.begun_at from sluice.run h where h.lane = l.id and h.state <> 0 limit 1000)) r
cross join lateral (
  select coalesce((select max(j.at) from sluice.journal j where j.item_id = r.id), r.begun_at) as since) wait
where r.reason in ('service_down', 'disk_low') and r.begun_at < sluice.now() - interval '1 day'
  and wait.since < sluice.now() - interval '1 day'
order by wait.since, r.id
limit 100`,
};

export async function longAway(db: Queryable): Promise<LongAwayRow[]> {
  return await db.query<LongAwayRow>(LONG_AWAY, []);
}
