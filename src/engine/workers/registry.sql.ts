// Pipelines and lanes as the database knows them.

import type { Queryable, Statement } from "../db/database.ts";
import type { Keep } from "../pipeline/keep.ts";

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

export interface FoundPipeline extends PipelineRow {
  readonly name: string;
  readonly version: number;
  readonly keep: Keep;
}

const milliseconds = (interval: string) => `extract(epoch from ${interval})::float8 * 1000`;

const FIND: Statement = {
  name: "find-pipelines",
  text: `
select p.id, p.name, p.version, p.shape, p.stages, json_build_object('done', ${milliseconds("p.keep_done")},
  'failed', ${milliseconds("p.keep_failed")}, 'cancelled', ${milliseconds("p.keep_cancelled")}) as keep
from unnest($1::text[], $2::int[]) asked (name, version)
join sluice.pipeline p on p.name = asked.name and p.version = asked.version`,
};

/** Those that were registered before: most of the time all of them, and then a start writes nothing. */
export async function findPipelines(
  db: Queryable,
  asked: readonly { readonly name: string; readonly version: number }[],
): Promise<FoundPipeline[]> {
  return await db.query<FoundPipeline>(FIND, [asked.map(({ name }) => name), asked.map(({ version }) => version)]);
}

export interface NewLane {
  readonly stage: number;
  readonly service: string;
  readonly cap: number | null;
  readonly perKey: number | null;
  readonly isEntry: boolean;
  readonly takesCapacity: boolean;
}

export interface LaneRow {
  readonly id: number;
  readonly pipeline_id: number;
  readonly stage: number;
  readonly service: string;
  readonly cap: number | null;
  readonly per_key: number | null;
  readonly is_entry: boolean;
}

const laneColumns = "id, pipeline_id, stage, service, cap, per_key, is_entry";

// A lane that is new moves the valves' clock, so that every worker looks, and learns of it.
const REGISTER_LANE: Statement = {
  name: "register-lane",
  text: `
with tick as (
  update sluice.valve_clock set generation = generation + 1
  where not exists (select from sluice.lane where pipeline_id = $1 and stage = $2 and service = $3)
)
insert into sluice.lane (pipeline_id, stage, service, cap, is_entry, takes_capacity, per_key)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (pipeline_id, stage, service) do update set cap = excluded.cap, per_key = excluded.per_key, is_entry = excluded.is_entry
returning ${laneColumns}`,
};

const FIND_LANE: Statement = {
  name: "find-lane",
  text: `select ${laneColumns} from sluice.lane where pipeline_id = $1 and stage = $2 and service = $3`,
};

/** The limits of the process that started last hold for everybody. */
export async function registerLane(db: Queryable, pipeline: number, lane: NewLane): Promise<LaneRow> {
  const { stage, service, cap, perKey, isEntry, takesCapacity } = lane;
  // Written only where something changes: an upsert waits for everybody who is just claiming from the lane.
  const [known] = await db.query<LaneRow>(FIND_LANE, [pipeline, stage, service]);
  if (known !== undefined && isRegistered(known, lane)) return known;
  const values = [pipeline, stage, service, cap, isEntry, takesCapacity, perKey];
  const [row] = await db.query<LaneRow>(REGISTER_LANE, values);
  return row as LaneRow;
}

/** As a lane of that stage and service has to be. */
export function isRegistered(known: LaneRow, { stage, service, cap, perKey, isEntry }: NewLane): boolean {
  return (
    known.stage === stage &&
    known.service === service &&
    known.cap === cap &&
    known.per_key === perKey &&
    known.is_entry === isEntry
  );
}

const LANES: Statement = {
  name: "lanes",
  text: `select ${laneColumns} from sluice.lane where pipeline_id = any ($1::int[]) order by id limit 10000`,
};

export async function lanesOf(db: Queryable, pipelines: readonly number[]): Promise<LaneRow[]> {
  return await db.query<LaneRow>(LANES, [pipelines]);
}

const CLOSED_LANES: Statement = {
  name: "closed-lanes",
  text: `
select c.generation, coalesce(closed.lanes, '{}') as lanes, coalesce(closed.stopped, '{}') as stopped,
  coalesce(closed.broken, '{}') as broken
from sluice.valve_clock c
cross join lateral (
  select array_agg(distinct l.id) as lanes, array_agg(distinct l.id) filter (where v.kind <> 'breaker') as stopped,
    array_agg(distinct l.id) filter (where v.kind = 'breaker') as broken
  from sluice.valve v
  join sluice.pipeline p on (v.pipeline is null or v.pipeline = p.name) and (v.version is null or v.version = p.version)
  join sluice.lane l on l.pipeline_id = p.id
    and (v.stage is null or v.stage = p.stages[l.stage + 1]) and (v.service is null or v.service = l.service)
  where v.closed) closed`,
};

export interface ClosedLanes {
  readonly generation: string;
  readonly lanes: readonly number[];
  /** Those that something else than a breaker holds. */
  readonly stopped: readonly number[];
  /** Those that a breaker holds, whatever else does. */
  readonly broken: readonly number[];
}

/** Which lanes are held, and the generation of the valves this was read at, in one snapshot. */
export async function closedLanes(db: Queryable): Promise<ClosedLanes> {
  const [row] = await db.query<ClosedLanes>(CLOSED_LANES, []);
  return row as ClosedLanes;
}
