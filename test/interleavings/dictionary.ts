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
  /** One stage in which keys take turns. */
  readonly turns: Line;
  /** Two stages; in the first, keys are limited. */
  readonly limited: Line;
  /** The same, and the first is done by a service. */
  readonly limitedServed: Line;
}

export const NARROW_CAP = 2;
/** How many of one key the first stage of "limited" takes. */
export const PER_KEY = 2;
export const SERVICE = "api";
/** The service of "limited-served". */
export const TELLER = "teller";

export async function fillDictionary(db: Queryable): Promise<Dictionary> {
  return {
    line: await register(db, "line", [null, null, null]),
    narrow: await register(db, "narrow", [NARROW_CAP, null]),
    served: await register(db, "served", [null, null], SERVICE),
    keyed: await registerKeyed(db),
    afar: await registerAfar(db),
    turns: await register(db, "turns", [null]),
    limited: await register(db, "limited", [null, null], "", PER_KEY),
    limitedServed: await register(db, "limited-served", [null, null], TELLER, PER_KEY),
  };
}

async function registerKeyed(db: Queryable): Promise<Place> {
  const pipeline = definePipeline("keyed", { version: 1, input: z.object({}) }).stage("only", { run: () => done() });
  const [place] = (await Registry.register(db, [pipeline])).lanes();
  if (place === undefined) throw new Error("a pipeline has a stage");
  return place;
}

async function register(
  db: Queryable,
  name: string,
  caps: readonly (number | null)[],
  first = "",
  perKey: number | null = null,
): Promise<Line> {
  const stages = caps.map((_, index) => `${name}-${index}`);
  const { id } = await registerPipeline(db, name, 1, { shape: stages.join(), stages });
  const lanes: number[] = [];
  for (const [index, cap] of caps.entries()) {
    const isFirst = index === 0;
    const lane = { ...plainLane(index, cap), service: isFirst ? first : "", perKey: isFirst ? perKey : null };
    lanes.push((await registerLane(db, id, lane)).id);
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
