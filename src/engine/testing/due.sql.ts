// What a test has to wait for.

import type { Queryable, Statement } from "../db/database.ts";

const NEXT_DUE: Statement = {
  name: "next-due",
  text: `
select (extract(epoch from min(due.at) - sluice.now()) * 1000)::float8 as in_ms
from (
  select r.ready_at as at from sluice.run r where r.state = 0 and r.ready_at > sluice.now() and r.ready_at < 'infinity'
  union all
  select q.fallback_at from sluice.question q
  where q.fallback_at > sluice.now() and q.answered_at is null and q.withdrawn_at is null) due`,
};

/** Milliseconds until something becomes due by itself; null when nothing will. */
export async function nextDueMs(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{ in_ms: number | null }>(NEXT_DUE, []);
  return row?.in_ms ?? null;
}

const MOVING: Statement = {
  name: "moving",
  text: `
select count(*)::int as moving
from sluice.run r
join sluice.lane l on l.id = r.lane
join sluice.pipeline p on p.id = l.pipeline_id
where r.state <> 0 or (r.ready_at <= sluice.now() and not exists (
  select from sluice.valve v
  where v.closed and (v.pipeline is null or v.pipeline = p.name) and (v.version is null or v.version = p.version)
    and (v.stage is null or v.stage = p.stages[r.stage + 1])))`,
};

/** How many items are being visited or could be right now. */
export async function movingItems(db: Queryable): Promise<number> {
  const [row] = await db.query<{ moving: number }>(MOVING, []);
  return row?.moving ?? 0;
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
