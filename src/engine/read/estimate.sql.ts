// What an estimate is made from: the item's own clocks, and how long others stayed where it is and where it goes.

import type { Queryable, Statement } from "../db/database.ts";

export interface WayRow {
  readonly id: string;
  readonly pipeline_id: number;
  readonly is_part: boolean;
  readonly stage: number;
  readonly input: unknown;
  readonly in_stage_ms: number | null;
  readonly outside_ms: number | null;
}

// Two look-ups in the index (item_id, version) of one item's own history. Entered for later counts from when it was due.
const WAYS: Statement = {
  name: "estimate-ways",
  text: `
select r.id, i.pipeline_id, i.part is not null as is_part, r.stage, i.input,
  (extract(epoch from sluice.now() - greatest(entry.at, entry.due_at)) * 1000)::float8 as in_stage_ms,
  (extract(epoch from sluice.now() - started.at) * 1000)::float8 as outside_ms
from sluice.run r
join sluice.item i on i.id = r.id
left join lateral (
  select e.at, case when e.kind = 17 or e.reason = 'scheduled' then least(r.ready_at, sluice.now()) end as due_at
  from sluice.journal e
  where e.item_id = r.id and e.to_stage = r.stage and (e.kind in (0, 12, 17) or e.stage <> r.stage)
  order by e.version desc
  limit 1) entry on true
left join lateral (
  select s.at from sluice.journal s
  where s.item_id = r.id and s.kind = 18 and s.stage = r.stage and s.series = r.series and r.state = 2
  order by s.version desc
  limit 1) started on true
where r.id = any ($1::bigint[])`,
};

/** Of those that live. */
export async function findWays(db: Queryable, items: readonly string[]): Promise<WayRow[]> {
  return items.length === 0 ? [] : await db.query<WayRow>(WAYS, [items]);
}

export interface StayRow {
  readonly stage: number;
  readonly size: number;
  readonly length: number;
  readonly stayed: number;
}

// At most thirty days of a hundred and sixty lengths for each stage and size, by the primary key.
const STAYS: Statement = {
  name: "estimate-stays",
  text: `
select stage, size, length, sum(stayed)::int as stayed
from sluice.stay
where pipeline_id = $1 and stage >= $2
group by stage, size, length
having sum(stayed) > 0`,
};

export async function findStays(db: Queryable, pipeline: number, fromStage: number): Promise<StayRow[]> {
  return await db.query<StayRow>(STAYS, [pipeline, fromStage]);
}

const LAST_OF_REQUEST: Statement = {
  name: "estimate-last-of-request",
  text: `
select r.id
from sluice.item i
join sluice.run r on r.id = i.id
where i.request_id = $1 and i.state = 0
order by r.stage, r.ready_at desc, r.id desc
limit $2`,
};

/** The live items of a request that have the longest way to go. */
export async function lastOfRequest(db: Queryable, request: string, most: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(LAST_OF_REQUEST, [request, most]);
  return rows.map((row) => row.id);
}
