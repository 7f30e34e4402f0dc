// What a stage's code meets in the simulated world, and what must hold when a visit begins.

import type { Visit } from "../../src/engine/index.ts";
import type { GivenClients } from "../../src/engine/workers/service-clients.ts";
import { formatId, type ItemId, parseId } from "../../src/kit/index.ts";
import type { CodePlace, Surroundings } from "./handlers.ts";
import { ServiceClient } from "./service-client.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

export function surroundingsOf(world: World, process: SimulatedProcess | undefined): Surroundings {
  const { scheduler, outside, invariants, counts } = world;
  return {
    seed: world.seed,
    kinds: world.kinds,
    entities: world.entities,
    script: world.options.script,
    commitWaits: world.options.commitWaits ?? false,
    hasOutside: world.options.begin === undefined,
    isDurable: (ref) => {
      const service = world.services.of(ref.slice(0, ref.lastIndexOf("-")));
      const job = service.jobs.get(ref);
      return job === undefined || !service.goesOn(job);
    },
    pass: (ms) => new Promise((resolve) => void scheduler.park(process ?? world.client, "passes time", ms, resolve)),
    isHealed: () => world.isHealed,
    began: (place, visit) => {
      let nth = 0;
      world.guard(() => {
        nth = outside.visited(parseId("item", visit.item.id), place.stage);
        counts.add("checked: effects");
        if (process !== undefined) checkVisit(world, process, visit, place);
      });
      return nth;
    },
    act: (visit, stage, tookMs) =>
      new Promise((resolve) => {
        const item = parseId("item", visit.item.id);
        world.guard(() => outside.start(visit.key, item, stage));
        if (process !== undefined) scheduler.park(process, `${stage} of ${item}`, tookMs, resolve);
      }),
    earlierItem: (item: ItemId) => {
      const number = BigInt(parseId("item", item));
      const earlier = invariants.last.items.find(
        ([id]) => invariants.pipelineOf(id)?.pipeline === "main" && BigInt(id) < number,
      );
      return earlier === undefined ? undefined : formatId("item", earlier[0]);
    },
  };
}

/** A worker that is alive visits only what it holds, and nothing behind a valve that everybody has acknowledged. */
function checkVisit(world: World, process: SimulatedProcess, visit: Visit, place: CodePlace): void {
  const { runs, workers } = world.invariants.last;
  const alive = new Set(workers.filter(([, state]) => state === 0).map(([epoch]) => epoch));
  // One that was taken for dead may still act until it finds out; its writes are refused.
  if (process.epochs.some((epoch) => !alive.has(epoch))) return;
  const id = parseId("item", visit.item.id);
  const item = world.invariants.pipelineOf(id);
  if (item === undefined && world.invariants.actions.removal?.mayBeGone(id) === true) {
    // Removed since it was claimed: whoever has it may begin until it looks; what it brings is refused.
    world.counts.add("visited unaware");
    return;
  }
  if (item?.pipeline !== place.pipeline || item.version !== place.version)
    throw new Violation("version", `${process.name} visits item ${id} with the code of another version`);
  const run = runs.find((one) => one[0] === id);
  if (run !== undefined && !process.epochs.includes(run[2] ?? "")) {
    // Whoever has it taken by a person may begin until it looks; what it brings is refused.
    if (!world.invariants.isNewsTo(process, id))
      throw new Violation("one owner", `${process.name} visits item ${id}, which somebody else holds`);
    world.counts.add("visited unaware");
    return;
  }
  if (run?.[14] === true) {
    world.counts.add("visited by a pass");
    return;
  }
  for (const [, , generation] of world.invariants.closedOver(place.pipeline, place.version, place.stage)) {
    world.counts.add("checked: closed means closed");
    if ([...alive].every((epoch) => (world.acknowledged.get(epoch) ?? 0n) >= BigInt(generation))) {
      throw new Violation(
        "closed means closed",
        `${process.name} begins ${place.stage} of item ${id} after everybody acknowledged that it is closed`,
      );
    }
  }
}

/** What one process speaks to services with. */
export function clientsOf(world: World, process: SimulatedProcess): GivenClients {
  const client = (name: string) => new ServiceClient(world, process, world.services.of(name));
  return { jobs: client("jobs"), api: client("api"), server: (instance: string) => client(`server:${instance}`) };
}
