// One seed from beginning to end: chaos for a while, then healing, then everything has to come to rest.

import type { PGlite } from "@electric-sql/pglite";
import { openPglite } from "../../src/engine/testing/pglite.ts";
import { checkExplained } from "./explained.ts";
import { type Decision, type FaultKind, givenPlan, type Plan, randomPlan } from "./faults.ts";
import { heal } from "./heal.ts";
import { type Party, quiet, type Task } from "./scheduler.ts";
import { SimulatedProcess } from "./simulated-process.ts";
import { checkSizes } from "./sizes.ts";
import { PREPARE, RESET } from "./snapshot.sql.ts";
import { SqlSession } from "./sql-session.ts";
import { Subscriber } from "./subscriber.ts";
import { Violation } from "./violation.ts";
import { World } from "./world.ts";
import type { WorldOptions } from "./world-options.ts";

export interface SeedOptions {
  /** Faults to take instead of drawing them. */
  readonly decisions?: readonly Decision[];
  readonly steps?: number;
  readonly world?: WorldOptions;
}

export interface SeedResult {
  readonly seed: number;
  readonly steps: number;
  readonly fingerprint: string;
  readonly counts: [string, number][];
  readonly violation: Violation | undefined;
  readonly decisions: readonly Decision[];
  readonly lines: readonly string[];
  readonly virtualMs: number;
}

/** Steps between two looks at what is too dear to look at after every commit. */
const LOOK_EVERY = 90;

let opened: Promise<SqlSession> | undefined;

/** One database per process: making one takes longer than several seeds. */
export function session(): Promise<SqlSession> {
  opened ??= openPglite().then(({ pglite }: { pglite: PGlite }) => {
    const made = new SqlSession(pglite);
    made.exec("set client_min_messages = error");
    made.exec(PREPARE);
    return made;
  });
  return opened;
}

export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedResult> {
  const sql = await session();
  sql.exec(RESET);
  const world = new World(seed, sql, options.world);
  const drawn = randomPlan(seed);
  const plan: Plan = options.decisions === undefined ? drawn : givenPlan(options.decisions);
  const crashed = (error: unknown) =>
    world.fail(new Violation("no crash", `nobody caught ${error instanceof Error ? error.stack : String(error)}`));
  process.on("unhandledRejection", crashed);
  try {
    world.begin();
    const subscriber = new Subscriber(world.database.databaseOf(world.client), world.dice, world.counts);
    subscribe(world, subscriber);
    await quiet();
    let steps = await chaos(world, plan, options.steps ?? world.dice.between(450, 900));
    steps = await heal(world, subscriber, steps);
    return {
      seed,
      steps,
      fingerprint: world.trace.fingerprint(),
      counts: world.counts.entries(),
      violation: world.violation,
      decisions: options.decisions ?? drawn.taken,
      lines: world.trace.lines,
      virtualMs: world.scheduler.now,
    };
  } finally {
    process.off("unhandledRejection", crashed);
    world.database.dropTransactionOf(world.database.holder ?? world.client);
  }
}

async function chaos(world: World, plan: Plan, limit: number): Promise<number> {
  let step = 0;
  while (step < limit && world.violation === undefined) {
    step += 1;
    const task = world.scheduler.next();
    if (task === undefined) break;
    const decision = plan.at(step);
    await take(world, step, task, decision);
  }
  return step;
}

/** Lets one task go on, with or without an accident. */
export async function take(world: World, step: number, task: Task, decision: Decision | undefined): Promise<void> {
  const { database, trace, scheduler } = world;
  const { party } = task;
  trace.step(
    `${step} ${scheduler.now.toFixed(1)} ${party.name} ${task.label}${decision === undefined ? "" : ` ! ${decision.kind}`}`,
  );
  const goesOn = decision === undefined || strike(world, task, decision);
  if (goesOn && party.alive) {
    if (party.pausedUntil > scheduler.now)
      scheduler.park(party, task.label, 0, task.go, task.isStatement ? task.isFree : undefined);
    else task.go();
  }
  if (database.struck && decision !== undefined) world.counts.add(`fault: ${decision.kind}`);
  database.struck = false;
  database.fault = undefined;
  await quiet();
  await startAtOnce(world, party);
  if (step % LOOK_EVERY === 0) await look(world, step);
  const { holder } = database;
  if (holder !== undefined) {
    world.counts.add("checked: bounds");
    // Whoever has a transaction open asks the database, and waits for nothing else.
    if (!scheduler.has((one) => one.party === holder && one.isStatement && one.isFree())) {
      world.fail(new Violation("bounds", `${holder.name} has a transaction open and waits for something else`));
    }
  }
}

/** Too dear after every commit. Never while a transaction is open: there is one session for all. */
async function look(world: World, step: number): Promise<void> {
  if (world.database.holder !== undefined || world.violation !== undefined) return;
  try {
    checkSizes(world);
    await checkExplained(world, step);
  } catch (error) {
    world.caught(error);
  }
}

/** Most processes start in one step: dying there again and again would leave no time for anything else. */
async function startAtOnce(world: World, party: Party): Promise<void> {
  if (!(party instanceof SimulatedProcess) || !party.startsAtOnce) return;
  while (party.alive && party.sluice === undefined) {
    const task = world.scheduler.takeOf(party);
    if (task === undefined) return;
    world.trace.step(`        ${party.name} ${task.label}`);
    task.go();
    await quiet();
  }
}

/** True when the task goes on all the same. */
function strike(world: World, task: Task, { kind, detail }: Decision): boolean {
  const worker = task.party instanceof SimulatedProcess ? task.party : undefined;
  const seen = (): true => {
    world.counts.add(`fault: ${kind}`);
    return true;
  };
  const onStatement = (): true => {
    world.database.fault = kind;
    return true;
  };
  const actions: Record<FaultKind, () => boolean> = {
    crashBefore: () => {
      if (worker === undefined) return true;
      seen();
      world.counts.add("crashes");
      world.kill(worker);
      return false;
    },
    crashAfter: () => {
      if (worker === undefined) return true;
      seen();
      world.counts.add("crashes");
      onStatement();
      // What is no statement has no effect to survive it.
      if (!task.isStatement) world.kill(worker);
      return true;
    },
    lostReply: onStatement,
    failBefore: onStatement,
    conflict: onStatement,
    trouble: onStatement,
    pause: () => pauseFor(world, worker, 200 + detail * 4_000, seen),
    longPause: () => pauseFor(world, worker, 9_000 + detail * 12_000, seen),
    databaseRestart: () => {
      world.database.restart(world.scheduler.now + 200 + detail * 3_000);
      return seen();
    },
    clockJump: () => {
      const hours = detail < 0.8 ? 6 : 24 * 50;
      world.jumpClock((detail * 10 - Math.floor(detail * 10) - 0.5) * 2 * hours * 3_600_000);
      return seen();
    },
    terminate: () => {
      if (worker !== undefined && world.terminate(worker)) seen();
      return true;
    },
    user: () => {
      world.user(detail);
      return seen();
    },
  };
  return actions[kind]();
}

function pauseFor(world: World, worker: SimulatedProcess | undefined, ms: number, seen: () => void): boolean {
  if (worker === undefined) return true;
  seen();
  world.counts.add("pauses");
  world.pause(worker, ms);
  return true;
}

function subscribe(world: World, subscriber: Subscriber): void {
  const again = () => world.scheduler.park(world.client, "reads the feed", 1_500, read);
  const read = () => {
    if (world.isHealed) return;
    subscriber.read().then(again, (error: unknown) => {
      if (error instanceof Violation) world.fail(error);
      again();
    });
  };
  again();
}
