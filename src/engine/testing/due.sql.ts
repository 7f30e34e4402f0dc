// What a test has to wait for.

import type { Queryable, Statement } from "../db/database.ts";

const NEXT_DUE: Statement = {
  name: "next-due",
  text: `
select (extract(epoch from min(due.at) - sluice.now()) * 1000)::float8 as in_ms
from (
  select r.ready_at as at from sluice.run r where r.state = 0 and r.ready_at > sluice.now() and r.ready_at < 'infinity'
  union all
  select r.deadline_at from sluice.run r where r.deadline_at > sluice.now()
  union all
  select s.probe_at from sluice.service s where s.probe_at > sluice.now()
  union all
  select s.busy_until from sluice.service s where s.busy_until > sluice.now()
  union all
  select to_timestamp(((g ->> 0)::float8 + s.limit_ms) / 1000)
  from sluice.service s cross join jsonb_array_elements(s.grants) g
  where (g ->> 0)::float8 + s.limit_ms > extract(epoch from sluice.now()) * 1000
  union all
  select f.due_at from sluice.finder f where f.due_at > sluice.now() and not f.is_paused
  union all
  select greatest(s.next_at, s.retry_at) from sluice.schedule s
  where not s.is_paused and greatest(s.next_at, s.retry_at) > sluice.now()
  union all
  select q.fallback_at from sluice.question q
  where q.fallback_at > sluice.now() and q.answered_at is null and q.withdrawn_at is null) due`,
};

/** Milliseconds until something becomes due by itself; null when nothing will. */
export async function nextDueMs(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{ in_ms: number | null }>(NEXT_DUE, []);
  return row?.in_ms ?? null;
}

const nowMs = "extract(epoch from sluice.now()) * 1000";

/** Service `s` lets nothing more of lane `l` begin before time passes, outside work ends, or somebody else comes along. */
const holdsBack = `s.busy_until > sluice.now()
      or s.limit_count <= (
        select coalesce(sum((g ->> 1)::int), 0) from jsonb_array_elements(s.grants) g
        where (g ->> 0)::float8 > ${nowMs} - s.limit_ms)
      or l.takes_capacity and s.capacity <= (
        select count(*) from sluice.run x join sluice.lane o on o.id = x.lane
        where o.service = s.name and o.takes_capacity and x.state = 2)
      or not exists (
        select from sluice.worker w
        where w.state = 0 and w.services && array[l.service, split_part(l.service, ':', 1)])`;

const MOVING: Statement = {
  name: "moving",
  text: `
select count(*)::int
  + (select count(*)::int from sluice.operation o where o.finished_at is null)
  + (select count(*)::int from sluice.finder f where f.due_at <= sluice.now() and not f.is_paused)
  + (select count(*)::int from sluice.schedule s
    where not s.is_paused and greatest(s.next_at, s.retry_at) <= sluice.now()) as moving
from sluice.run r
join sluice.lane l on l.id = r.lane
join sluice.pipeline p on p.id = l.pipeline_id
where r.state = 1 or (r.state = 0 and r.ready_at <= sluice.now() and not exists (
  select from sluice.valve v
  where v.closed and (v.pipeline is null or v.pipeline = p.name) and (v.version is null or v.version = p.version)
    and (v.stage is null or v.stage = p.stages[r.stage + 1]) and (v.service is null or v.service = l.service)
    and (v.kind = 'breaker' or r.is_manual is not true))
  -- Some workers serve some stages only.
  and not exists (select from sluice.worker w where w.state = 0 and p.stages[r.stage + 1] <> all (w.stages) and p.name <> 'cleanup')
  and not exists (select from sluice.service s where s.name = l.service and (${holdsBack})))`,
};

/** How many items are being visited or could be right now; operations that are not over, finders and schedules at work. */
export async function movingItems(db: Queryable): Promise<number> {
  const [row] = await db.query<{ moving: number }>(MOVING, []);
  return row?.moving ?? 0;
}

const WATCHED: Statement = { name: "watched", text: `select exists (select from sluice.run where state = 2) as found` };

/** Whether anything happens outside that has to be looked at. */
export async function isWatching(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(WATCHED, []);
  return row?.found ?? false;
}

const OWED: Statement = {
  name: "still-owed",
  text: `select coalesce(ref, key) as what from sluice.intent where owed_at is not null and over_at is null order by owed_at, key`,
};

export async function stillOwed(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ what: string }>(OWED, []);
  return rows.map((row) => row.what);
}

const TRACE: Statement = {
  name: "trace",
  text: `
select j.kind, j.ended, j.code, j.reason, p.stages[j.stage + 1] as stage, p.stages[j.to_stage + 1] as to_stage
from sluice.journal j
join sluice.item i on i.id = j.item_id
join sluice.pipeline p on p.id = i.pipeline_id
where j.item_id = $1
order by j.version, j.seq`,
};

export interface TraceRow {
  readonly kind: number;
  readonly ended: number;
  readonly code: string | null;
  readonly reason: string | null;
  readonly stage: string | null;
  readonly to_stage: string | null;
}

export async function traceRows(db: Queryable, item: string): Promise<TraceRow[]> {
  return await db.query<TraceRow>(TRACE, [item]);
}
