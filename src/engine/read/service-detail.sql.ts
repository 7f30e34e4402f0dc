// One service: what it last said, what it holds up, and when its breaker turned. Bounded: of what happened to items only the newest
// rows of the journal are read, and of what concerns none of them a week.

import type { Queryable, Statement } from "../db/database.ts";
import { COUNT_MOST } from "./figures.sql.ts";

/** Of a busier journal these are the last minutes. */
const ROWS_MOST = 20_000;

export interface ServiceErrorRow {
  readonly at: Date;
  readonly item_id: string;
  readonly pipeline: string;
  readonly stage: string;
  readonly code: string;
  readonly message: string | null;
}

// Where a stage's work goes to several services, it is the lane that the item is in now that tells.
const ERRORS: Statement = {
  name: "service-errors",
  text: `
with looked as materialized (
  select at, item_id, kind, stage, code, message
  from sluice.journal
  where not kept
  order by xid desc, seq desc
  limit ${ROWS_MOST}
)
select l.at, l.item_id, p.name as pipeline, p.stages[l.stage + 1] as stage, l.code, l.message
from looked l
cross join lateral (select x.pipeline_id from sluice.item x where x.id = l.item_id limit 1) i
join sluice.pipeline p on p.id = i.pipeline_id
join sluice.lane own on own.pipeline_id = i.pipeline_id and own.stage = l.stage and own.service = $1
where l.kind = 8 and l.code is not null
  and (not exists (
      select from sluice.lane o where o.pipeline_id = own.pipeline_id and o.stage = own.stage and o.service not in ('', $1))
    or exists (select from sluice.run r where r.id = l.item_id and r.lane = own.id))
order by l.at desc, l.item_id desc
limit $2`,
};

/** Faults that items met in stages which go through it, newest first. */
export async function serviceErrors(db: Queryable, service: string, most: number): Promise<ServiceErrorRow[]> {
  return await db.query<ServiceErrorRow>(ERRORS, [service, most]);
}

export interface ServiceTurnRow {
  readonly at: Date;
  readonly turned: "opened" | "closed";
  readonly code: string | null;
  readonly message: string | null;
}

// Rows that concern no item are few, and stand together in the index (item_id, version).
const TURNS: Statement = {
  name: "service-turns",
  text: `
select j.at, j.reason as turned, j.code, j.message
from sluice.journal j
where j.item_id is null and j.kept = false and j.at > sluice.now() - interval '7 days' and j.kind = 32
  and j.output ->> 'service' = $1
order by j.at desc, j.xid desc, j.seq desc
limit $2`,
};

/** When its breaker opened and closed within a week, newest first. */
export async function serviceTurns(db: Queryable, service: string, most: number): Promise<ServiceTurnRow[]> {
  return await db.query<ServiceTurnRow>(TURNS, [service, most]);
}

export interface AffectedRow {
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  readonly waiting: number;
  readonly running: number;
}

const AFFECTED: Statement = {
  name: "service-affects",
  text: `
select p.name as pipeline, p.version, p.stages[l.stage + 1] as stage, sum(line.n)::int as waiting, max(hand.n)::int as running
from sluice.lane l
join sluice.pipeline p on p.id = l.pipeline_id
cross join (values (1), (2), (3), (4), (5)) level (priority)
cross join lateral (
  select count(*) as n from (
    select from sluice.run r
    where r.lane = l.id and r.state = 0 and r.priority = level.priority
    order by r.ready_at, r.id
    limit ${COUNT_MOST}) x) line
cross join lateral (
  select count(*) as n from (
    select from sluice.run r where r.lane = l.id and r.state <> 0 order by r.epoch limit ${COUNT_MOST}) x) hand
where l.service = $1
group by p.name, p.version, l.stage, p.stages
order by p.name, p.version, l.stage
limit 200`,
};

/** Where work goes through it, and how many items stand there. */
export async function serviceAffects(db: Queryable, service: string): Promise<AffectedRow[]> {
  return await db.query<AffectedRow>(AFFECTED, [service]);
}

export interface CallRow {
  readonly length: number;
  readonly times: number;
}

const CALLS: Statement = {
  name: "service-calls",
  text: `
select m.length, sum(m.times)::float8 as times
from sluice.measure m
where m.kind = 'call' and m.service = $1
group by m.length`,
};

/** How long calls of it took, since the installation began. */
export async function serviceCalls(db: Queryable, service: string): Promise<CallRow[]> {
  return await db.query<CallRow>(CALLS, [service]);
}
