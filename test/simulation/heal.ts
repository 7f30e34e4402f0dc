// Faults stop. From here on everything has to come to rest within a bound: every item ended, nothing in anybody's hands,
// every process able to stop, and every event seen once.

import { formatId } from "../../src/kit/index.ts";
import { REMAINS } from "./actions.sql.ts";
import { hasOutside } from "./outside-pipelines.ts";
import { schedulesOf } from "./recurring.ts";
import { take } from "./run-seed.ts";
import { quiet } from "./scheduler.ts";
import { checkSizes } from "./sizes.ts";
import { NEXT_DUE, PLACED_BADLY, WEEKS_WENT } from "./snapshot.sql.ts";
import type { Subscriber } from "./subscriber.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

/**
 * What may pass between the last fault and rest, time that items spend in waits of their own aside: a dead worker is
 * found (8 s and a look of 1 s), its successor starts (2 s), a visit runs into its limit (12 s), and a few stages with
 * polls, floors of waits (5 s each) and retries in between.
 */
const BOUND_MS = 180_000;
/** With services: waits for one that is down last minutes, and time is not left out while anything is watched. */
const OUTSIDE_BOUND_MS = 600_000;
const STEPS_MOST = 9_000;
const OUTSIDE_STEPS_MOST = 20_000;
/** Those who compare do so every five minutes, and believe only what they saw twice. */
const COMPARE_MS = 10_000;
const LEFTOVERS_MS = 1_000_000;
const LOOK_EVERY = 12;
const AGE_MS = 20 * 3_600_000;
const AGE_ROUNDS = 12;
const BUSY_LOOKS = 10;
const AGES_MOST = 5;

export async function heal(world: World, subscriber: Subscriber, from: number): Promise<number> {
  if (world.violation !== undefined) return from;
  world.trace.note("faults stop");
  world.isHealed = true;
  world.services.heal();
  if (hasOutside(world.seed) || world.kinds.size > 0) world.setClockRight();
  world.database.downUntil = 0;
  for (const process of world.processes) process.pausedUntil = 0;
  const [bound, most] = hasOutside(world.seed) ? [OUTSIDE_BOUND_MS, OUTSIDE_STEPS_MOST] : [BOUND_MS, STEPS_MOST];
  const began = world.scheduler.now;
  let step = from;
  let skipped = 0;
  let waited = 0;
  let aged = 0;
  let closing: Promise<void>[] | undefined;
  let stopped = false;
  while (world.violation === undefined && !stopped) {
    // Aging comes when everything is at rest, and has its own bound.
    const steps = step - from - aged * BUSY_LOOKS * LOOK_EVERY;
    if (world.scheduler.now - began - skipped > bound || steps > most) {
      world.fail(
        new Violation(
          "liveness",
          `not at rest ${Math.round(world.scheduler.now - began - skipped)} ms after the last fault: ${standing(world)}`,
        ),
      );
      break;
    }
    const task = world.scheduler.next();
    if (task === undefined) break;
    step += 1;
    await take(world, step, task, undefined);
    if (step % LOOK_EVERY !== 0 || world.database.holder !== undefined) continue;
    if (closing !== undefined) continue;
    await help(world);
    world.guard(() => world.invariants.actions.deadlines?.checkSoon());
    if (isAtRest(world) && hasLeftovers(world)) {
      // In the middle of a call, time left out would be time that nobody answered.
      if (isAsking(world)) continue;
      // Nothing goes on any more but what nobody knows of: found when somebody compares, which is not often.
      world.scheduler.now += COMPARE_MS;
      skipped += COMPARE_MS;
      waited += COMPARE_MS;
      world.counts.add("waited for leftovers");
      if (waited > LEFTOVERS_MS) world.fail(new Violation("orphans", `nobody removes ${leftovers(world)}`));
    } else if (isAtRest(world) && (world.invariants.actions.removal?.aging.length ?? 0) > 0) {
      // Whoever is at it is let finish first; where somebody always is, for a while.
      const isBusy = world.scheduler.has(({ isStatement }) => isStatement);
      if (isBusy && step % (BUSY_LOOKS * LOOK_EVERY) !== 0) continue;
      skipped += age(world, aged);
      aged += 1;
    } else if (isAtRest(world)) {
      world.isClosing = true;
      closing = world.processes.map(async (process) => await process.sluice?.close());
      void Promise.all(closing)
        .then(() => finish(world, subscriber))
        .then(
          () => {
            stopped = true;
          },
          (error: unknown) => world.fail(new Violation("liveness", `stop() failed: ${String(error)}`)),
        );
    } else skipped += skip(world);
  }
  await quiet();
  if (world.violation === undefined) world.guard(() => checkEnd(world, subscriber));
  return step;
}

/**
 * What does not stay goes when its time has come, which is looked at every hour; and not for a day after a clock that leapt
 * by days.
 */
function age(world: World, rounds: number): number {
  if (rounds % AGE_ROUNDS === 0) world.jumpClock(AGE_MS);
  world.scheduler.now += COMPARE_MS;
  if (rounds > AGES_MOST * AGE_ROUNDS)
    world.fail(new Violation("removal", `nobody removes what is over: ${world.invariants.actions.removal?.aging}`));
  return COMPARE_MS;
}

/** Time that nobody needs is left out: a wait of an hour is a wait, however long one polls meanwhile. */
function skip(world: World): number {
  const { runs, services } = world.invariants.last;
  const open = new Set(services.filter(([, isOpen]) => isOpen).map(([name]) => name));
  // Nobody looks at what is outside while its service is down.
  const isBusy = (run: (typeof runs)[number]) =>
    run[6] === 1 || (run[6] === 2 && !open.has(world.invariants.laneOf(run)?.service ?? ""));
  if (runs.some(isBusy)) return 0;
  const [due] = world.read<{ in_ms: number | null }>(NEXT_DUE);
  const ms = due?.in_ms ?? 0;
  if (ms < 400) return 0;
  world.scheduler.now += ms - 50;
  return ms - 50;
}

/** Opens what is closed, answers what is asked, tells whoever waits: from here on people are helpful. */
async function help(world: World): Promise<void> {
  const client = world.clientSluice;
  if (client === undefined) return;
  const { valves, waiters, questions } = world.invariants.last;
  const ignore = () => {};
  for (const [pipeline, stage, , version, kind] of valves) {
    // A breaker closes by itself.
    if (kind === "breaker") continue;
    const named = { ...(version === null ? {} : { version }), ...(stage === null ? {} : { stage }) };
    if (kind === "switch") client.switches.on({ pipeline: pipeline ?? "", stage: "", ...named }).catch(ignore);
    else if (kind === "hold") client.versions.release(pipeline ?? "", version ?? 0).catch(ignore);
    else client.resume({ ...(pipeline === null ? {} : { pipeline }), ...named }).catch(ignore);
  }
  for (const [, kind, key] of waiters) if (kind === "signal") client.signal(key).catch(ignore);
  if (world.invariants.actions.schedules?.isPaused === false)
    for (const { name } of schedulesOf(world.seed)) client.schedules.pause(name).catch(ignore);
  for (const [question] of questions) client.answer(formatId("question", question), "a").catch(ignore);
  await quiet();
}

function isAtRest(world: World): boolean {
  const { runs, valves } = world.invariants.last;
  const { bulk, finders, schedules, removal } = world.invariants.actions;
  return (
    (bulk?.open.length ?? 0) === 0 &&
    finders?.hasFoundAll !== false &&
    schedules?.isPaused !== false &&
    (removal?.pending.length ?? 0) === 0 &&
    runs.length === 0 &&
    valves.every(([, , , , kind]) => kind === "breaker") &&
    world.clientSluice !== undefined &&
    world.processes.length > 0 &&
    world.processes.every((one) => one.sluice !== undefined && !one.isStopping)
  );
}

/** Something goes on outside, or is owed. */
function hasLeftovers(world: World): boolean {
  return world.services.alive().length > 0 || world.invariants.last.intents.some(([, , , , , isOver]) => !isOver);
}

function isAsking(world: World): boolean {
  return world.scheduler.has(({ label }) => / is asked to | answers /.test(label));
}

function leftovers(world: World): string {
  const { intents, services, watches, workers } = world.invariants.last;
  const open = intents.filter(([, , , , , isOver]) => !isOver);
  return JSON.stringify({ alive: world.services.alive(), open, services, watches, workers });
}

async function finish(world: World, subscriber: Subscriber): Promise<void> {
  await world.clientSluice?.close();
  while (await subscriber.read());
}

function checkEnd(world: World, subscriber: Subscriber): void {
  world.invariants.check(world.nowText());
  checkSizes(world);
  checkFeed(world, subscriber);
  const { removal } = world.invariants.actions;
  const [left] = removal === undefined ? [] : world.read<{ what: string; item: string }>(REMAINS, [[...removal.gone]]);
  if (left !== undefined)
    throw new Violation("removal", `item ${left.item} is gone, and there is still a ${left.what}`);
  const [bad] = world.read<{ item: string; placed: number; done: number }>(PLACED_BADLY);
  if (bad !== undefined)
    throw new Violation(
      "no gap",
      `item ${bad.item} was done ${bad.done} times and its own writes happened ${bad.placed} times`,
    );
  for (const [place, effects] of world.outside.effectsOf()) {
    const [item = ""] = place.split("/");
    if (effects > world.invariants.seriesOf(item))
      throw new Violation("effects", `${place} had ${effects} effects in ${world.invariants.seriesOf(item)} series`);
  }
  world.counts.add("came to rest");
}

function checkFeed(world: World, subscriber: Subscriber): void {
  const events = world.read<{ seq: string }>({ name: "all-events", text: "select seq::text from sluice.journal" });
  const unread = events.find(({ seq }) => !subscriber.hasSeen(seq));
  // What was removed, or went with its week after a clock that leapt by months, may have been read before.
  const [weeks] = world.read<{ went: boolean }>(WEEKS_WENT);
  const mayGo = world.kinds.has("removal") || weeks?.went === true;
  const isMore = mayGo ? events.length > subscriber.count : events.length !== subscriber.count;
  if (unread !== undefined || isMore)
    throw new Violation(
      "feed",
      `${events.length} events happened and ${subscriber.count} were read, not ${unread?.seq}`,
    );
}

function standing(world: World): string {
  const { runs, waiters, questions, valves, services, intents } = world.invariants.last;
  const { bulk, finders, schedules, removal } = world.invariants.actions;
  return JSON.stringify({
    actions: [bulk?.open, finders?.hasFoundAll, schedules?.isPaused, removal?.pending, removal?.aging],
    runs,
    services,
    intents,
    waiters,
    questions,
    valves,
    processes: world.processes.map((one) => [one.name, one.epochs, one.isStopping]),
  });
}
