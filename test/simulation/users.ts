// People and programs that use the system: they submit, cancel, retry, answer, signal, pause, switch, hold, let
// through and roll out whenever they like, and are told the truth or an error that says so.

import { classifyDatabaseError } from "../../src/engine/db/errors.ts";
import type { SubmitOptions } from "../../src/engine/intake/submission.ts";
import type { AnyPipeline } from "../../src/engine/pipeline/pipeline.ts";
import type { Sluice } from "../../src/engine/sluice.ts";
import { formatId, type ItemId, parseId, SluiceError } from "../../src/kit/index.ts";
import type { Counts } from "./counts.ts";
import { Dice } from "./dice.ts";
import type { Entities } from "./entities.ts";
import { someKey } from "./fairness.ts";
import type { Invariants } from "./invariants.ts";
import { actSpecially } from "./special-users.ts";
import type { Kinds } from "./swarm.ts";

export interface UserWorld {
  readonly seed: number;
  readonly client: Sluice;
  /** Processes that work and may be handed something themselves, with the pipelines they know as name@version. */
  readonly workers: readonly { readonly sluice: Sluice; readonly code: ReadonlySet<string> }[];
  /** The versions of main. */
  readonly mains: readonly AnyPipeline[];
  /** Those whose work happens elsewhere, where the seed has them. */
  readonly outside: readonly AnyPipeline[];
  /** The one whose items do not stay, where the seed has it. */
  readonly brief: readonly AnyPipeline[];
  readonly kinds: Kinds;
  readonly entities: Entities;
  readonly invariants: Invariants;
  readonly counts: Counts;
  /** More would only make runs longer. */
  readonly itemsMost: number;
  say(what: string): void;
}

const STAGES = ["fetch", "convert", "place", "finish"];

/** Does one thing; resolves when it was answered. Throws only what no user should ever see. */
export async function act(world: UserWorld, detail: number): Promise<void> {
  const dice = new Dice(world.seed, "user", detail);
  try {
    if (world.kinds.size > 0 && dice.chance(0.25)) await actSpecially(world, dice);
    else await choose(world, dice);
  } catch (error) {
    const isTold = error instanceof SluiceError && ["KEY_TAKEN", "ROLLOUT_MOVED"].includes(error.code);
    const failure = classifyDatabaseError(error);
    if (!isTold && (failure === "data" || failure === "bug" || error instanceof TypeError)) throw error;
    world.say(`the user was told: ${String(error)}`);
  }
}

async function choose(world: UserWorld, dice: Dice): Promise<void> {
  const { client, invariants, counts } = world;
  const { items, questions } = invariants.last;
  const one = items.length > 0 ? dice.pick(items) : undefined;
  const kind = dice.between(1, 20);
  if (kind <= 8 || one === undefined) return await submit(world, dice);
  if (kind <= 10) {
    const isFree = dice.chance(0.7);
    const { ok } = await client.cancel(isFree ? formatId("item", one[0]) : formatId("request", one[1]));
    counts.add(ok ? "cancel won" : "cancel lost");
    return;
  }
  if (kind <= 13 && dice.chance(0.4)) return await operate(world, dice, formatId("item", one[0]));
  if (kind <= 13) {
    const failed = invariants.ended(2);
    const { ok } = await client.retry(formatId("item", failed.length > 0 ? dice.pick(failed) : one[0]));
    if (ok) counts.add("retry");
    return;
  }
  if (kind <= 15) {
    const question = questions.length > 0 ? dice.pick(questions)[0] : "1";
    const { ok } = await client.answer(formatId("question", question), dice.pick(["a", "b"]));
    if (ok) counts.add("answer");
    return;
  }
  if (kind <= 17)
    return await client.signal(dice.chance(0.7) ? `shared:${dice.between(1, 3)}` : `own:${formatId("item", one[0])}`, {
      by: "somebody",
    });
  if (dice.chance(0.4)) {
    const { ok } = await client.runOnce(formatId("item", one[0]), { dryRun: dice.chance(0.1) });
    return counts.add(ok ? "run once" : "run once refused");
  }
  if (dice.chance(0.3)) return await deploy(world, dice);
  if (world.outside.length > 0 && dice.chance(0.5)) {
    const scope = { pipeline: dice.pick(["films", "calls", "parcels"]) };
    return dice.chance(0.45) ? await client.pause(scope) : await client.resume(scope);
  }
  const version = dice.chance(0.3) ? { version: dice.between(1, 2) } : {};
  const scope = { pipeline: "main", ...version, ...(dice.chance(0.8) ? { stage: dice.pick(STAGES) } : {}) };
  return dice.chance(0.45) ? await client.pause(scope) : await client.resume(scope);
}

/** What a deploy and its rollback do: a share, a hold, a switch. */
async function deploy({ client, mains, counts }: UserWorld, dice: Dice): Promise<void> {
  const { version } = dice.pick(mains);
  const isClosing = dice.chance(0.45);
  switch (dice.pick(["share", "hold", "switch"])) {
    case "share": {
      counts.add("rollout");
      const percent = dice.pick([0, 10, 50, 100]);
      const [first, second] = mains.map((main) => main.version);
      const shares = second === undefined ? { [version]: 100 } : { [first ?? 0]: 100 - percent, [second]: percent };
      return void (await client.versions.set("main", shares));
    }
    case "hold":
      counts.add("hold");
      return void (await client.versions[isClosing ? "hold" : "release"]("main", version));
    default: {
      counts.add("switch");
      const scope = { pipeline: "main", stage: dice.pick(STAGES), ...(dice.chance(0.3) ? { version } : {}) };
      return void (await client.switches[isClosing ? "off" : "on"](scope));
    }
  }
}

/** Whatever it comes to, the rules of an item's way say whether it may. */
async function operate({ client, counts }: UserWorld, dice: Dice, item: ItemId): Promise<void> {
  const from = dice.pick([...STAGES, "download", "deliver", "call"]);
  const dryRun = dice.chance(0.1);
  const [name, action] = dice.pick([
    ["skip", () => client.skip(item, { reason: "by hand", dryRun })],
    ["take back", () => client.takeBack(item, { dryRun })],
    ["priority", () => client.setPriority(item, dice.between(1, 5), { dryRun })],
    ["replay", () => client.replay(item, { from, dryRun })],
    ["replay", () => client.replay(item, { from, as: dice.pick(["same", "copy"]), dryRun })],
  ] as const);
  if ((await action()).ok) counts.add(`operate: ${name}`);
}

async function submit(world: UserWorld, dice: Dice): Promise<void> {
  const { client, mains, outside, brief, invariants } = world;
  if (invariants.last.items.length >= world.itemsMost) return;
  const inputs = Array.from({ length: dice.pick([1, 1, 2, 4]) }, () => ({ n: dice.between(1, 9) }));
  const options: SubmitOptions = {
    priority: dice.between(1, 5),
    ...(dice.chance(0.3) ? { delay: `${dice.between(1, 4000)}ms` } : {}),
    ...(dice.chance(0.4) ? { key: `k${dice.between(1, 3)}`, owner: dice.pick(["ann", "bo"]) } : {}),
    ...someKey(world.seed, invariants.last.items.length),
    unique: dice.pick<NonNullable<SubmitOptions["unique"]>>(["live", "live", "forever", { window: "5s" }]),
    onConflict: dice.pick<NonNullable<SubmitOptions["onConflict"]>>(["join", "replace", "reschedule"]),
  };
  const until = world.kinds.has("deadlines") && dice.chance(0.5) ? dice.between(4_100, 15_000) : undefined;
  const deadline = until === undefined ? {} : { deadline: `${until}ms` };
  const calls = options.key !== undefined && dice.chance(0.4) ? 2 : 1;
  const rare = brief.length > 0 && dice.chance(0.5) ? brief : outside;
  const main = dice.pick(rare.length > 0 && dice.chance(0.6) ? rare : mains);
  const target = main.name === "main" && dice.chance(0.5) ? { name: "main" } : main;
  const able = world.workers.filter(({ code }) => target === main && code.has(`${main.name}@${main.version}`));
  const door = able.length > 0 && dice.chance(0.8) ? dice.pick(able).sluice : client;
  // Handed over to it is only what needs nothing but its rows.
  const { key, onConflict, delay, ...rest } = options;
  const asked = door === client || dice.chance(0.2) ? { ...options, ...deadline } : { ...rest, ...deadline };
  const answers = await Promise.allSettled(
    Array.from({ length: calls }, () => door.submit(target as never, inputs as never, asked)),
  );
  for (const answer of answers) {
    if (answer.status === "fulfilled")
      for (const item of answer.value.items) invariants.acknowledged.add(parseId("item", item));
    else if (calls === 1) throw answer.reason;
  }
}
