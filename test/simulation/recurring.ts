// Finders and schedules of the simulated world, the same in every process. The clock begins shortly before clocks change.

import { finder, schedule, transient } from "../../src/engine/index.ts";
import type { Finder } from "../../src/engine/pipeline/finder.ts";
import type { Missed, Schedule } from "../../src/engine/pipeline/schedule.ts";
import { Dice } from "./dice.ts";
import { entityKey } from "./entities.ts";
import type { SmallPipeline, Surroundings } from "./handlers.ts";

const CHANGES = [
  ["America/New_York", "2030-03-10T07:00:00Z"],
  ["America/New_York", "2030-11-03T06:00:00Z"],
  ["Europe/Berlin", "2030-03-31T01:00:00Z"],
  ["Europe/Berlin", "2030-10-27T01:00:00Z"],
  // By half an hour.
  ["Australia/Lord_Howe", "2030-04-06T15:00:00Z"],
  ["Australia/Lord_Howe", "2030-10-05T15:30:00Z"],
] as const;

/** In seconds since 1970. */
export function secondsBeforeChange(seed: number): number {
  const dice = new Dice(seed, "schedules");
  const [, at] = dice.pick(CHANGES);
  return Date.parse(at) / 1_000 - new Dice(seed, "before").between(0, 40);
}

type Inputs = (run: { readonly at: Date }) => Promise<{ n: number }[]>;

/** What checks compare with: their times and policies. */
export function schedulesOf(seed: number, inputs: Inputs = async () => [], pipeline?: SmallPipeline): Schedule[] {
  const dice = new Dice(seed, "schedules");
  const [zone] = dice.pick(CHANGES);
  const target = pipeline ?? ({ name: "small", version: 1 } as SmallPipeline);
  const common = { zone, pipeline: target, inputs, timeout: "10s" } as const;
  const some = dice.pick<Missed>(["once", "skip"]);
  const any = dice.pick<Missed>(["once", "skip", "all", "all"]);
  return [
    schedule("often", { ...common, cron: "*/5 * * * * *", missed: some }),
    // On the day and around the hour when clocks change. Every week only: weeks may pass here in a moment.
    schedule("sundays", { ...common, cron: "15,45 1,2 * * 0", missed: any }),
  ];
}

export function schedulesIn(world: Surroundings, small: SmallPipeline): Schedule[] {
  let asked = 0;
  const inputs: Inputs = async ({ at }) => {
    asked += 1;
    const dice = new Dice(world.seed, "inputs", at.toISOString(), asked);
    await world.pass(dice.chance(0.9) ? dice.between(1, 300) : dice.between(2_000, 12_000));
    if (!world.isHealed() && dice.chance(0.1)) throw transient("NOT_NOW", "no inputs");
    return [{ n: 1 }];
  };
  return schedulesOf(world.seed, inputs, small);
}

/** Two that find the same: one goes on from where it was, one looks at everything. */
export function findersIn(world: Surroundings, small: SmallPipeline): Finder[] {
  const { entities } = world;
  const dice = new Dice(world.seed, "finders");
  const every = () => dice.pick(["1s", "2s", "5s"] as const);
  const asked = async (name: string, from: number, limit: number) => {
    const own = entities.diceFor(name);
    // Some of what is known is found once more.
    const serials = entities.after(Math.max(0, from - (own.chance(0.2) ? 2 : 0)), limit);
    await world.pass(own.chance(0.9) ? own.between(1, 600) : own.between(3_000, 12_000));
    if (!world.isHealed() && own.chance(0.1)) throw transient("NOT_NOW", "nothing to be found");
    return { serials, found: serials.map((n) => ({ key: entityKey(n), input: { n } })) };
  };
  return [
    finder<{ n: number }, number>("new-ones", {
      every: every(),
      pipeline: small,
      limit: 2,
      timeout: "10s",
      find: async ({ after, limit }) => {
        const { serials, found } = await asked("new-ones", after ?? 0, limit);
        return { found, after: Math.max(after ?? 0, serials.at(-1) ?? 0) };
      },
    }),
    finder<{ n: number }>("all-of-them", {
      every: every(),
      pipeline: small,
      timeout: "10s",
      find: async ({ limit }) => ({ found: (await asked("all-of-them", 0, limit)).found }),
    }),
  ];
}
