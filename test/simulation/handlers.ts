// What visits in simulated workers do: mostly decent things, now and then hostile ones. What a visit does depends on the seed, the
// item, the stage and how often it was visited, and on nothing else: the same in every process and in every repetition.

import {
  again,
  ask,
  back,
  child,
  done,
  permanent,
  skip,
  spawn,
  transient,
  unavailable,
  type Visit,
  wait,
} from "../../src/engine/index.ts";
import type { ItemId } from "../../src/kit/index.ts";
import { Dice } from "./dice.ts";
import type { Entities } from "./entities.ts";
import type { Kinds } from "./swarm.ts";

/** What a stage's code needs from the simulated world. */
export interface Surroundings {
  readonly seed: number;
  readonly kinds: Kinds;
  readonly entities: Entities;
  /** Decides what a visit does, where chance does not. */
  readonly script: ((stage: string, nth: number) => Behaviour) | undefined;
  readonly commitWaits: boolean;
  /** Whether there are services and what is done by them. */
  readonly hasOutside: boolean;
  pass(ms: number): Promise<void>;
  /** Faults are over: everybody behaves. */
  isHealed(): boolean;
  /** Checks that the visit may begin; answers with how often this stage of the item was visited before. */
  began(place: CodePlace, visit: Visit): number;
  /** Calls the outside service. */
  act(visit: Visit, stage: string, tookMs: number): Promise<void>;
  /** Whether what a service says is done really is. */
  isDurable(ref: string): boolean;
  /** An item that was submitted earlier than this one. */
  earlierItem(item: ItemId): ItemId | undefined;
}

/** A stage's code: of which pipeline and version it is. */
export interface CodePlace {
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
}

const PATIENCE = 5;

const BEHAVIOURS = [
  "done",
  "doneWithSpawn",
  "skip",
  "again",
  "waitShared",
  "waitOwn",
  "waitItem",
  "ask",
  "askWithFallback",
  "spawn",
  "back",
  "returnFault",
  "unavailable",
  "throwAnything",
  "nonsense",
  "permanent",
  "hang",
  "checkpoint",
  "progress",
  "late",
  "transient",
] as const;

export type Behaviour = (typeof BEHAVIOURS)[number];

interface Scene {
  readonly world: Surroundings;
  readonly place: CodePlace;
  readonly visit: Visit;
  readonly small: SmallPipeline | undefined;
  readonly nth: number;
  readonly dice: Dice;
}

export type SmallPipeline = Parameters<typeof child<{ n: number }>>[0];

export async function behave(
  world: Surroundings,
  place: CodePlace,
  visit: Visit,
  small: SmallPipeline | undefined,
): Promise<unknown> {
  const { stage } = place;
  const nth = world.began(place, visit);
  const dice = new Dice(world.seed, visit.item.id, stage, nth);
  await world.act(visit, stage, dice.between(5, 400));
  const drawn = nth >= PATIENCE || dice.chance(0.45) ? "done" : dice.pick(BEHAVIOURS);
  // Hostile to the end, but for what would only take time.
  const isOver = world.isHealed() && (nth > 0 || drawn === "hang" || drawn === "late");
  const behaviour = isOver ? "done" : (world.script?.(stage, nth) ?? drawn);
  return await perform(behaviour, { world, place, visit, small, nth, dice });
}

async function perform(
  behaviour: Behaviour,
  { world, place: { pipeline, stage }, visit, small, nth, dice }: Scene,
): Promise<unknown> {
  switch (behaviour) {
    case "done":
      return done(dice.chance(0.7) ? { by: stage, nth } : undefined);
    case "doneWithSpawn":
      return done({ more: true }, small === undefined ? {} : { spawn: [child(small, { n: nth })] });
    case "skip":
      return skip("nothing to do", { skipped: true });
    case "again":
      return again(`${dice.between(0, 3000)}ms`);
    case "waitShared":
      return wait("callback", { signal: `shared:${dice.between(1, 3)}` });
    case "waitOwn":
      return wait("callback", { signal: `own:${visit.item.id}`, again: "6s" });
    case "waitItem": {
      const earlier = pipeline === "main" ? world.earlierItem(visit.item.id) : undefined;
      return earlier === undefined
        ? again("1s")
        : wait("another", { item: earlier, ...(dice.chance(0.5) ? { again: "9s" } : {}) });
    }
    case "ask":
      return ask("which one?", { options: ["a", "b"] });
    case "askWithFallback":
      return ask("sure?", { fallback: { answer: "yes", after: `${dice.between(1, 5)}s` } });
    case "spawn":
      return small === undefined ? done() : spawn([child(small, { n: 1 }), child(small, { n: 2 })]);
    case "back":
      return stage === "fetch" || stage === "only" ? done() : back("fetch", { because: nth });
    case "returnFault":
      return unavailable("BUSY", "come back later", { retryAfter: `${dice.between(1, 4)}s` });
    case "unavailable":
      throw unavailable("BUSY", "come back later", { retryAfter: `${dice.between(1, 4)}s` });
    case "throwAnything":
      throw dice.pick([null, undefined, "text", 42, { toString: null }, new Error("\u0000\ud800")]);
    case "nonsense":
      return dice.pick([
        undefined,
        null,
        {},
        { type: "fly" },
        done("\u0000"),
        done({ huge: "x".repeat(70_000) }),
        wait("Bad Reason", { again: "1s" }),
        back("nowhere"),
      ]);
    case "permanent":
      if (stage === "finish" || stage === "only") throw permanent("NEVER", "no");
      throw transient("NET", "reset");
    case "hang":
      // Never returns, and does not listen either.
      if (dice.chance(0.3)) await new Promise(() => {});
      await new Promise((_, reject) => visit.signal.addEventListener("abort", () => reject(visit.signal.reason)));
      return done();
    case "checkpoint":
      await visit.checkpoint.save({ at: nth });
      await world.act(visit, stage, dice.between(100, 3000));
      if (dice.chance(0.5)) throw transient("NET", "reset");
      return done(visit.checkpoint.value);
    case "progress":
      for (const percent of [Number.NaN, -1, 104, Number.POSITIVE_INFINITY, 50]) visit.progress(percent);
      await world.act(visit, stage, dice.between(500, 4000));
      return done();
    case "late":
      // Comes back long after its lease is gone, whatever it was told meanwhile.
      await world.act(visit, stage, dice.between(9_000, 20_000));
      return done({ late: true });
    case "transient":
      throw transient("NET", "reset");
  }
}
