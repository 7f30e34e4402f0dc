// The pipelines of the scenarios: "line" has three stages without a cap, "narrow" two, the first of which takes two items at
// a time, and "keyed" one, for submissions with a key.

import { z } from "zod";
import type { Queryable } from "../../src/engine/db/database.ts";
import { done } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { type NewLane, registerLane, registerPipeline } from "../../src/engine/workers/registry.sql.ts";
import { type Place, Registry } from "../../src/engine/workers/registry.ts";

export interface Line {
  readonly pipeline: number;
  readonly lanes: readonly number[];
}

export interface Dictionary {
  readonly line: Line;
  readonly narrow: Line;
  readonly keyed: Place;
}

export const NARROW_CAP = 2;

export async function fillDictionary(db: Queryable): Promise<Dictionary> {
  return {
    line: await register(db, "line", [null, null, null]),
    narrow: await register(db, "narrow", [NARROW_CAP, null]),
    keyed: await registerKeyed(db),
  };
}

async function registerKeyed(db: Queryable): Promise<Place> {
  const pipeline = definePipeline("keyed", { version: 1, input: z.object({}) }).stage("only", { run: () => done() });
  const [place] = (await Registry.register(db, [pipeline])).lanes();
  if (place === undefined) throw new Error("a pipeline has a stage");
  return place;
}

async function register(db: Queryable, name: string, caps: readonly (number | null)[]): Promise<Line> {
  const stages = caps.map((_, index) => `${name}-${index}`);
  const { id } = await registerPipeline(db, name, 1, { shape: stages.join(), stages });
  const lanes: number[] = [];
  for (const [index, cap] of caps.entries()) lanes.push((await registerLane(db, id, plainLane(index, cap))).id);
  return { pipeline: id, lanes };
}

/** A lane of a stage that depends on nobody. */
export function plainLane(stage: number, cap: number | null): NewLane {
  return { stage, service: "", cap, isEntry: true, takesCapacity: true };
}
