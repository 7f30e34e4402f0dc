// The pipelines of the simulated world: one with everything, a later version of it with other stages, and a small one for
// what items spawn.

import { z } from "zod";
import type { Queryable } from "../../src/engine/db/database.ts";
import { type AnyPipeline, definePipeline, type Outcome, transient, type Visit } from "../../src/engine/index.ts";
import type { Finder } from "../../src/engine/pipeline/finder.ts";
import type { Schedule } from "../../src/engine/pipeline/schedule.ts";
import { parseId } from "../../src/kit/index.ts";
import { Dice } from "./dice.ts";
import { hasTurns, limitOf } from "./fairness.ts";
import { behave, type SmallPipeline, type Surroundings } from "./handlers.ts";
import { FOREVER, hasOutside, outsidePipelinesIn } from "./outside-pipelines.ts";
import { findersIn, schedulesIn } from "./recurring.ts";
import { PLACE } from "./snapshot.sql.ts";

export interface SimulatedPipelines {
  readonly main: AnyPipeline;
  /** The second version of main. */
  readonly later: AnyPipeline;
  readonly small: AnyPipeline;
}

const input = z.object({ n: z.number() });
const quick = { backoff: { base: "500ms", cap: "4s", jitter: "20%" }, timeout: "12s" } as const;
export const ATTEMPTS = { fetch: 4, convert: 3, place: 3, finish: 2, only: 3 } as const;

type AnyVisit = Visit<unknown, unknown>;

export function pipelinesIn(world: Surroundings): SimulatedPipelines {
  const fair = hasTurns(world.seed, "small");
  const deadline = world.kinds.has("deadlines") ? ({ deadline: "25s" } as const) : {};
  const small = definePipeline("small", { version: 1, input, keep: FOREVER, fair, ...deadline }).stage(
    "only",
    onlyStage(world, "small"),
  );
  const target = small as unknown as SmallPipeline;
  return { main: mainIn(world, target), later: laterIn(world, target), small: small as unknown as AnyPipeline };
}

const onlyStage = (world: Surroundings, pipeline: string) => ({
  ...quick,
  attempts: ATTEMPTS.only,
  run: (visit: AnyVisit) =>
    behave(world, { pipeline, version: 1, stage: "only" }, visit as Visit, undefined) as Promise<Outcome<unknown>>,
});

/** One whose items do not stay. */
export function briefIn(world: Surroundings): AnyPipeline {
  const keep = { done: "20s", failed: "1h", cancelled: "5s" } as const;
  const brief = definePipeline("brief", { version: 1, input, keep }).stage("only", onlyStage(world, "brief"));
  return brief as unknown as AnyPipeline;
}

/** Everything there is code for in this seed. */
export function allPipelinesIn(world: Surroundings): AnyPipeline[] {
  const all = [...Object.values(pipelinesIn(world)), ...(world.kinds.has("removal") ? [briefIn(world)] : [])];
  return world.hasOutside && hasOutside(world.seed) ? [...all, ...outsidePipelinesIn(world)] : all;
}

const mainStage = (world: Surroundings, small: SmallPipeline, version: number) => (stage: string) => ({
  ...quick,
  run: (visit: AnyVisit) =>
    behave(world, { pipeline: "main", version, stage }, visit as Visit, small) as Promise<Outcome<unknown>>,
});

function mainIn(world: Surroundings, small: SmallPipeline): AnyPipeline {
  const stage = mainStage(world, small, 1);
  const title = "main@1";
  const main = definePipeline("main", { version: 1, input, keep: FOREVER, fair: hasTurns(world.seed, title) })
    .stage("fetch", { ...stage("fetch"), attempts: ATTEMPTS.fetch })
    .stage("convert", {
      ...stage("convert"),
      ...limitOf(world.seed, title, 1),
      attempts: ATTEMPTS.convert,
      concurrency: 2,
      enter: [fickle(world, "convert")],
    })
    .stage("place", { ...stage("place"), attempts: ATTEMPTS.place, commit: placing(world) })
    .stage("finish", { ...stage("finish"), attempts: ATTEMPTS.finish, leave: [fickle(world, "finish")] });
  return main as unknown as AnyPipeline;
}

/** Without convert, so that the same stage has another number than in the first version. */
function laterIn(world: Surroundings, small: SmallPipeline): AnyPipeline {
  const stage = mainStage(world, small, 2);
  const title = "main@2";
  const later = definePipeline("main", { version: 2, input, keep: FOREVER, fair: hasTurns(world.seed, title) })
    .stage("fetch", { ...stage("fetch"), ...limitOf(world.seed, title, 2), attempts: ATTEMPTS.fetch })
    .stage("place", { ...stage("place"), attempts: ATTEMPTS.place, commit: placing(world) })
    .stage("finish", { ...stage("finish"), attempts: ATTEMPTS.finish });
  return later as unknown as AnyPipeline;
}

function placing(world: Surroundings) {
  return async (tx: Queryable, items: readonly { readonly item: string }[]): Promise<void> => {
    if (world.commitWaits) await world.pass(10);
    await tx.query(PLACE, [items.map(({ item }) => parseId("item", item, "item"))]);
  };
}

function fickle(world: Surroundings, stage: string) {
  return function fickleGate(visit: AnyVisit): void {
    const dice = new Dice(world.seed, "gate", visit.item.id, stage, visit.attempt);
    if (!world.isHealed() && dice.chance(0.05)) throw transient("SHUT", "not today");
  };
}

/** What hands in work by itself, in seeds that have it. */
export function recurringIn(world: Surroundings): { readonly finders: Finder[]; readonly schedules: Schedule[] } {
  const small = pipelinesIn(world).small as unknown as SmallPipeline;
  return {
    finders: world.kinds.has("finders") ? findersIn(world, small) : [],
    schedules: world.kinds.has("schedules") ? schedulesIn(world, small) : [],
  };
}

/**
 * Which versions of main a slot's workers have the code of. The first has both, so that every item has somebody; the
 * others may have only one, as during a deployment.
 */
export function versionsOf(seed: number, slot: string): readonly number[] {
  if (slot === "host1") return [1, 2];
  return new Dice(seed, "versions", slot).pick([[1, 2], [1], [2]]);
}
