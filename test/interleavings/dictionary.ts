// The pipelines of the scenarios: "line" has three stages without a cap, "narrow" two, the first of which takes two items at
// a time, "keyed" one, for submissions with a key, and "afar" two, the first of which is done by a service elsewhere.

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

/** Its first lane is the service's, where items enter and are watched. */
export interface Afar extends Line {
  /** Where what was watched is finished. */
  readonly finish: number;
  /** The first stage's lane of another service. */
  readonly barn: number;
}

/** The services of "afar". */
export const FARM = "farm";
export const BARN = "barn";

export interface Dictionary {
  readonly line: Line;
  readonly afar: Afar;
  readonly narrow: Line;
  readonly served: Line;
  readonly keyed: Place;
}

export const NARROW_CAP = 2;
export const SERVICE = "api";

export async function fillDictionary(db: Queryable): Promise<Dictionary> {
  return {
    line: await register(db, "line", [null, null, null]),
    narrow: await register(db, "narrow", [NARROW_CAP, null]),
    served: await register(db, "served", [null, null], SERVICE),
    keyed: await registerKeyed(db),
    afar: await registerAfar(db),
  };
}

async function registerKeyed(db: Queryable): Promise<Place> {
  const pipeline = definePipeline("keyed", { version: 1, input: z.object({}) }).stage("only", { run: () => done() });
  const [place] = (await Registry.register(db, [pipeline])).lanes();
  if (place === undefined) throw new Error("a pipeline has a stage");
  return place;
}

async function register(db: Queryable, name: string, caps: readonly (number | null)[], first = ""): Promise<Line> {
  const stages = caps.map((_, index) => `${name}-${index}`);
  const { id } = await registerPipeline(db, name, 1, { shape: stages.join(), stages });
  const lanes: number[] = [];
  for (const [index, cap] of caps.entries()) {
    const service = index === 0 ? first : "";
    lanes.push((await registerLane(db, id, { ...plainLane(index, cap), service })).id);
  }
  return { pipeline: id, lanes };
}

async function registerAfar(db: Queryable): Promise<Afar> {
  const stages = ["far", "near"];
  const { id } = await registerPipeline(db, "afar", 1, { shape: stages.join(), stages });
  // The lanes of the first stage that are not entered come first: who takes any lane of a stage takes the wrong one.
  const finish = await registerLane(db, id, { ...plainLane(0, null), isEntry: false });
  const barn = await registerLane(db, id, { ...plainLane(0, null), service: BARN, isEntry: false });
  const farm = await registerLane(db, id, { ...plainLane(0, null), service: FARM });
  const near = await registerLane(db, id, plainLane(1, null));
  return { pipeline: id, lanes: [farm.id, near.id], finish: finish.id, barn: barn.id };
}

/** A lane of a stage that depends on nobody. */
export function plainLane(stage: number, cap: number | null): NewLane {
  return { stage, service: "", cap, perKey: null, isEntry: true, takesCapacity: true };
}
