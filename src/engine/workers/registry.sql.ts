// Pipelines and lanes as the database knows them.

import type { Queryable, Statement } from "../db/database.ts";

export interface PipelineRow {
  readonly id: number;
  readonly shape: string;
  readonly stages: readonly string[];
}

const REGISTER: Statement = {
  name: "register-pipeline",
  text: `
insert into sluice.pipeline (name, version, shape, stages, created_at)
values ($1, $2, $3, $4::text[], sluice.now())
on conflict (name, version) do update set name = excluded.name
returning id, shape, stages`,
};

/** The stored version, which is the given one when it is new. */
export async function registerPipeline(
  db: Queryable,
  name: string,
  version: number,
  given: { readonly shape: string; readonly stages: readonly string[] },
): Promise<PipelineRow> {
  const [row] = await db.query<PipelineRow>(REGISTER, [name, version, given.shape, given.stages]);
  return row as PipelineRow;
}

const REGISTER_LANE: Statement = {
  name: "register-lane",
  text: `
insert into sluice.lane (pipeline_id, stage, cap)
values ($1, $2, $3)
on conflict (pipeline_id, stage, service) do update set cap = excluded.cap
returning id`,
};

const FIND_LANE: Statement = {
  name: "find-lane",
  text: `select id, cap from sluice.lane where pipeline_id = $1 and stage = $2 and service = ''`,
};

/** The cap of the process that started last holds for everybody. */
export async function registerLane(
  db: Queryable,
  pipeline: number,
  stage: number,
  cap: number | null,
): Promise<number> {
  // Written only where something changes: an upsert waits for everybody who is just claiming from the lane.
  const [known] = await db.query<{ id: number; cap: number | null }>(FIND_LANE, [pipeline, stage]);
  if (known !== undefined && known.cap === cap) return known.id;
  const [row] = await db.query<{ id: number }>(REGISTER_LANE, [pipeline, stage, cap]);
  return (row as { id: number }).id;
}

const CLOSED_LANES: Statement = {
  name: "closed-lanes",
  text: `
select c.generation, coalesce(closed.lanes, '{}') as lanes
from sluice.valve_clock c
cross join lateral (
  select array_agg(distinct l.id) as lanes
  from sluice.valve v
  join sluice.pipeline p on (v.pipeline is null or v.pipeline = p.name) and (v.version is null or v.version = p.version)
  join sluice.lane l on l.pipeline_id = p.id
    and (v.stage is null or v.stage = p.stages[l.stage + 1]) and (v.service is null or v.service = l.service)
  where v.closed) closed`,
};

export interface ClosedLanes {
  readonly generation: string;
  readonly lanes: readonly number[];
}

/** Which lanes are held, and the generation of the valves this was read at, in one snapshot. */
export async function closedLanes(db: Queryable): Promise<ClosedLanes> {
  const [row] = await db.query<ClosedLanes>(CLOSED_LANES, []);
  return row as ClosedLanes;
}
