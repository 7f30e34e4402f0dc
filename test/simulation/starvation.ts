// Nobody waits for ever: items of the worst priority that have been ready for longer than ten minutes, and better ones that
// never end. Workers die and are stopped at first; when that is over, each of the old ones has to be entered within a bound.

import type { AnyPipeline } from "../../src/engine/index.ts";
import type { Sluice } from "../../src/engine/sluice.ts";
import { parseId } from "../../src/kit/index.ts";
import { Dice } from "./dice.ts";
import type { Decision } from "./faults.ts";
import { pipelinesIn } from "./pipelines.ts";
import { type SeedResult, session, take } from "./run-seed.ts";
import { quiet } from "./scheduler.ts";
import { RESET } from "./snapshot.sql.ts";
import { Violation } from "./violation.ts";
import { surroundingsOf } from "./visits.ts";
import { World } from "./world.ts";
import type { WorldOptions } from "./world-options.ts";

const AGE_MS = 11 * 60_000;
const FAULTY_STEPS = 300;
const FAULT_EVERY = 50;
/** After the last fault: one of sixteen claims of each worker, a few lanes in turn, some twenty steps to a claim. */
const BOUND_STEPS = 3_000;
/** More than all workers together take at once. */
const READY_LEAST = 20;
const LOOK_EVERY = 10;
const KEYS_OF_BETTER = 10;

export async function runStarving(seed: number, options: WorldOptions = {}): Promise<SeedResult> {
  const sql = await session();
  sql.exec(RESET);
  const world: World = new World(seed, sql, {
    ...{ workers: 2, script: () => "done", begin: (client) => submitOld(client, pipelinesOf(world)) },
    ...options,
  });
  try {
    world.begin();
    await quiet();
    const { steps, decisions } = await starve(world);
    return {
      ...{ seed, steps, decisions, fingerprint: world.trace.fingerprint(), counts: world.counts.entries() },
      ...{ violation: world.violation, lines: world.trace.lines, virtualMs: world.scheduler.now },
    };
  } finally {
    world.database.dropTransactionOf(world.database.holder ?? world.client);
  }
}

/** Nothing flows until they are there. */
async function submitOld(client: Sluice, pipelines: readonly AnyPipeline[]): Promise<void> {
  await client.pause({});
  for (const pipeline of pipelines)
    await client.submit(pipeline as never, [{ n: 0 }] as never, { priority: 5, fairness: "old" });
}

async function starve(world: World): Promise<{ steps: number; decisions: Decision[] }> {
  const dice = new Dice(world.seed, "starving");
  const decisions: Decision[] = [];
  let steps = 0;
  const step = async (decision?: Decision): Promise<void> => {
    steps += 1;
    const task = world.scheduler.next();
    if (task === undefined) world.fail(new Violation("liveness", "nobody does anything"));
    else await take(world, steps, task, decision);
  };
  const isReady = () => world.invariants.last.items.length === pipelinesOf(world).length;
  while (!isReady() && world.violation === undefined && steps < BOUND_STEPS) await step();
  const old = world.invariants.last.items.map(([id]) => id);
  world.jumpClock(AGE_MS);
  const better = new Better(world, old);
  better.submit();
  world.clientSluice?.resume({}).catch((error: unknown) => world.caught(error));
  const calmFrom = steps + FAULTY_STEPS;
  let waiting = old;
  while (world.violation === undefined && waiting.length > 0 && steps < calmFrom + BOUND_STEPS) {
    world.isHealed = steps >= calmFrom;
    const kind = dice.pick(["crashBefore", "crashAfter", "longPause"] as const);
    const decision = { step: steps + 1, kind, detail: dice.fraction() };
    const strikes = !world.isHealed && steps % FAULT_EVERY === 0;
    if (strikes) decisions.push(decision);
    await step(strikes ? decision : undefined);
    if (steps % LOOK_EVERY !== 0) continue;
    better.submit();
    const left = waiting.filter((item) => isUntouched(world, item));
    // Where nothing better was ready, an old one may be entered for want of anything else.
    if (better.ready() > 0) world.counts.add("checked: starvation", waiting.length - left.length);
    waiting = left;
  }
  if (waiting.length > 0)
    world.fail(
      new Violation("starvation", `items ${waiting} were never entered, and ${better.ended()} better ones were done`),
    );
  return { steps, decisions };
}

/** A claim raises its version. */
function isUntouched(world: World, item: string): boolean {
  return world.invariants.last.runs.some(([id, , , version]) => id === item && version === 0);
}

function pipelinesOf(world: World): AnyPipeline[] {
  return Object.values(pipelinesIn(surroundingsOf(world, undefined)));
}

/** Work of the best priority that never ends, of many keys in every pipeline. */
class Better {
  readonly #world: World;
  readonly #old: ReadonlySet<string>;
  readonly #pipelines: readonly AnyPipeline[];
  #submitted = 0;
  #isSubmitting = false;

  constructor(world: World, old: readonly string[]) {
    this.#world = world;
    this.#old = new Set(old);
    this.#pipelines = pipelinesOf(world);
  }

  ready(): number {
    return this.#world.invariants.last.runs.filter(([id, , , , , , state]) => state === 0 && !this.#old.has(id)).length;
  }

  ended(): number {
    return this.#world.invariants.last.items.filter(([id, , state]) => state !== 0 && !this.#old.has(id)).length;
  }

  /** Until there is enough again in every pipeline. */
  submit(): void {
    const client = this.#world.clientSluice;
    if (client === undefined || this.#isSubmitting || this.ready() >= READY_LEAST) return;
    const pipeline = this.#pipelines[this.#submitted % this.#pipelines.length];
    const fairness = `better ${this.#submitted % KEYS_OF_BETTER}`;
    this.#submitted += 1;
    this.#isSubmitting = true;
    client
      .submit(pipeline as never, [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }] as never, { priority: 1, fairness })
      .then(({ items }) => {
        for (const item of items) this.#world.invariants.acknowledged.add(parseId("item", item));
      })
      .catch((error: unknown) => this.#world.trace.note(`the user was told: ${String(error)}`))
      .finally(() => {
        this.#isSubmitting = false;
      });
  }
}
