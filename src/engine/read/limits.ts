// How much of a stage happens at a time, and for how long, for whoever asks why no more of it does.

import type { Queryable } from "../db/database.ts";
import type { AnyPipeline } from "../pipeline/pipeline.ts";
import type { Stage } from "../pipeline/stage.ts";
import type { RateLimit } from "../services/rate.ts";
import { type LimitRow, laneLimits } from "./limits.sql.ts";

export interface StageLimits {
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  /** The stage by itself, and with each of its services: places are counted in each of them alone. */
  readonly lanes: readonly LaneLimits[];
  /** What its code says; null where this process was not given that version. */
  readonly code: StageCode | null;
}

export interface LaneLimits {
  /** Who is being visited there, or has work going on outside; counted up to 10,000. */
  readonly inside: number;
  /** How many there may be; null for as many as workers take. */
  readonly cap: number | null;
  /** How many of one fairness key there may be. */
  readonly perKey: number | null;
  /** Whom its work goes through. */
  readonly service: ServiceLimits | null;
}

/** Of all stages that go through it together. */
export interface ServiceLimits {
  readonly name: string;
  readonly inside: number;
  readonly capacity: number | null;
  readonly limit: RateLimit | null;
}

export interface StageCode {
  /** How many counted faults end an item there. */
  readonly attempts: number;
  /** How long one visit may take. */
  readonly timeoutMs: number;
  /** Of work outside: how long nothing may move, at its beginning and later. */
  readonly stall: { readonly neverMs: number; readonly stoppedMs: number } | null;
  /** How long an item may take in all its stages together. */
  readonly deadlineMs: number | null;
}

export async function readLimits(
  db: Queryable,
  pipelineOf: (pipelineId: number) => AnyPipeline | undefined,
): Promise<StageLimits[]> {
  const rows = await laneLimits(db);
  const inServices = insideServices(rows);
  const stages = Map.groupBy(rows, ({ pipeline_id, stage }) => `${pipeline_id} ${stage}`);
  return [...stages.values()].map((lanes) => {
    // A group has at least the row it was made for.
    const { pipeline_id: id, pipeline, version, stage, name } = lanes[0] as LimitRow;
    const code = codeOf(pipelineOf(id), stage);
    return { pipeline, version, stage: name, lanes: lanes.map((row) => laneOf(row, inServices)), code };
  });
}

/** What frees capacity takes none of it. */
function insideServices(rows: readonly LimitRow[]): ReadonlyMap<string, number> {
  const inside = new Map<string, number>();
  for (const row of rows) {
    if (row.takes_capacity) inside.set(row.service, (inside.get(row.service) ?? 0) + row.inside);
  }
  return inside;
}

function laneOf(row: LimitRow, inServices: ReadonlyMap<string, number>): LaneLimits {
  const { inside, cap, per_key: perKey, service: name, capacity, limit_count: count, limit_ms: perMs } = row;
  const limit = count === null || perMs === null ? null : { count, perMs };
  const service = name === "" ? null : { name, inside: inServices.get(name) ?? 0, capacity, limit };
  return { inside, cap, perKey, service };
}

function codeOf(pipeline: AnyPipeline | undefined, index: number): StageCode | null {
  const stage: Stage | undefined = pipeline?.stages[index];
  if (stage === undefined) return null;
  const { attemptsMax: attempts, timeoutMs, outside } = stage;
  const stall = outside === undefined ? null : { neverMs: outside.stall.neverMs, stoppedMs: outside.stall.stoppedMs };
  return { attempts, timeoutMs, stall, deadlineMs: pipeline?.deadlineMs ?? null };
}
