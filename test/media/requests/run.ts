// One run: a world, requests over a while in which things are broken at random, all of it mended, and then what has become of them.

import { rmSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { filmKey, type Trouble } from "../../../sandbox/media/releases.ts";
import { Somebody } from "../../../sandbox/media/somebody.ts";
import { type MediaWorld, startMediaWorld } from "../../../sandbox/media/world.ts";
import { temporaryFolder } from "../../../sandbox/temporary-folder.ts";
import { ask } from "../../../src/apps/media/index.ts";
import { seededRandom } from "../../../src/kit/index.ts";
import { check, type Finding } from "./check.ts";
import { allItems, type Evidence, itemFacts, torrentFacts } from "./evidence.ts";
import { Nemeses, until } from "./nemeses.ts";
import type { RunOptions } from "./options.ts";
import { type PlannedRequest, planOutages, planRequests, planTroubles, sizesOf } from "./plan.ts";

export interface Outcome extends RunOptions {
  readonly evidence: Evidence;
  readonly findings: readonly Finding[];
  readonly fired: ReadonlyMap<string, number>;
  /** From the last mend until nothing was under way any more. */
  readonly quietMs: number;
  /** The machine's, over a minute, when it was asked for last. */
  readonly load: number;
}

/** Who finds a service away that too few ask for its breaker to open looks again after five minutes and a half; nothing waits longer. */
const QUIET_WITHIN_MS = 420_000;
/** Too few to open a breaker in the usual way while something is broken for a moment: each would wait for its five minutes. */
const FEW = 200;
const TIDY_WITHIN_MS = 90_000;
const LOOK_MS = 1_000;

export async function run(options: RunOptions, say: (line: string) => void, over: AbortSignal): Promise<Outcome> {
  const { requests, seconds, seed, keep } = options;
  const folder = temporaryFolder("sluice-requests");
  const troubles = planTroubles(sizesOf(requests), seededRandom(seed));
  const world = await openWorld(folder, options, (film) => troubles[film] ?? "none");
  try {
    say(`the world is up with ${world.stock.releases.length} releases${keep ? ` in ${folder}` : ""}`);
    const asked = planRequests(world.stock.catalogue, troubles, seconds, seededRandom(seed + 1));
    const nemeses = new Nemeses(world.things, say);
    await Promise.all([
      nemeses.carryOut(planOutages(seconds, seededRandom(seed + 2)), over),
      askAll(world, asked, over),
      tell(world, seconds, say, over),
    ]);
    const mended = performance.now();
    const load = loadavg()[0] ?? 0;
    say("everything is mended");
    await quiet(world, troubles.filter((one) => one === "unknown").length, over);
    const quietMs = performance.now() - mended;
    const evidence = await collect(world, { ...options, nemeses, troubles });
    return { ...options, evidence, findings: check(evidence), fired: nemeses.fired(), quietMs, load };
  } finally {
    await world.close();
    if (!keep) rmSync(folder, { recursive: true, force: true });
  }
}

/** Longer than anything is broken for, and than it takes a download client to ask a tracker again. */
const stallAfter = (seconds: number): `${number}s` => `${Math.round(Math.min(75, Math.max(25, seconds / 2)))}s`;

function openWorld(folder: string, { requests, seconds }: RunOptions, trouble: (film: number) => Trouble) {
  const { films, series } = sizesOf(requests);
  const stall = stallAfter(seconds);
  return startMediaWorld({
    ...{ folder, port: 0, version: "proof", admin: { name: "ann", password: "correct horse battery" } },
    log: { info: () => undefined, warn: () => undefined, error: console.error },
    stock: { size: { films, series, episodes: 6 }, shape: { seconds: 4, kilobytes: 150 }, trouble, hasOthers: false },
    pace: { releaseSeconds: 3, announceSeconds: 30, torrentsAtATime: 30, seedMs: 10_000, retryAfterSeconds: 3 },
    // Hours and minutes are seconds here; how often something may fail is as usual.
    limits: {
      ...{ every: "1s", torrents: 30, stallNever: stall, stallStopped: stall, searchAgain: "30s", answersFresh: "10s" },
      ...{ indexerRate: "50/s", backoff: { base: "1s", cap: "10s", jitter: "10%" } },
      breaker: { cooldown: "3s", ...(requests < FEW ? { failures: 1, items: 1 } : {}) },
    },
    concurrency: 20,
  });
}

async function askAll(world: MediaWorld, asked: readonly PlannedRequest[], over: AbortSignal): Promise<void> {
  const began = performance.now();
  const somebody = new Somebody(world.client);
  for (const { atMs, kind, tmdb, seasons, episodes, isThere } of asked) {
    await until(began + atMs, over);
    if (over.aborted) return;
    const best = world.stock.releases.find(({ ids, place }) => ids.tmdb === tmdb && place === 0);
    // The client may be away, which is as good as if nobody had added it.
    if (isThere && best !== undefined) await somebody.add(best).catch(() => undefined);
    const common = { tmdb, targets: [], policy: "best-effort" as const };
    const wanted = kind === "film" ? { kind, ...common } : { kind, ...common, seasons, episodes };
    await ask({ ...world.app, sluice: world.sluice }, wanted, { owner: "proof", dryRun: false });
  }
}

async function tell(world: MediaWorld, seconds: number, say: (line: string) => void, over: AbortSignal): Promise<void> {
  const began = performance.now();
  const every = Math.max(10, seconds / 10) * 1_000;
  for (let at = every; at < seconds * 1_000; at += every) {
    await until(began + at, over);
    if (over.aborted) return;
    const broken = world.things
      .things()
      .flatMap(({ name, faults }) =>
        faults.filter((one) => one.brokenSince !== null).map((one) => `${name} ${one.name}`),
      );
    const states = Map.groupBy(await allItems(world), ({ stage, state }) =>
      state === "done" ? "done" : `${stage} ${state}`,
    );
    const counts = [...states].map(([name, all]) => `${all.length} ${name}`).join(", ");
    say(`${Math.round(at / 1_000)} s: ${counts}; broken: ${broken.join(", ") || "nothing"}`);
  }
}

/** Nothing is under way but what nobody has, or time is up; what has not ended by then is found by the checker. */
async function quiet(world: MediaWorld, unknown: number, over: AbortSignal): Promise<void> {
  const limit = performance.now() + QUIET_WITHIN_MS;
  while (performance.now() < limit && !over.aborted) {
    const alive = (await allItems(world)).filter(({ finishedAt }) => finishedAt === null);
    const isWaiting = alive.every(({ reason }) => reason === "not_available");
    if (alive.length <= unknown && isWaiting) return;
    await sleep(LOOK_MS);
  }
}

interface Ran extends RunOptions {
  readonly nemeses: Nemeses;
  readonly troubles: readonly string[];
}

async function collect(world: MediaWorld, { requests, nemeses, troubles }: Ran): Promise<Evidence> {
  const { sluice, stock } = world;
  const items = [];
  for (const line of await allItems(world)) items.push(await itemFacts(world, line));
  const { films } = stock.catalogue;
  const unknown = films.filter((_, index) => troubles[index] === "unknown");
  const evidence = {
    ...{ requests, items, broken: nemeses.broken },
    stuck: (await sluice.stuck()).map(({ item, explanation }) => `${item}: ${explanation.sentence}`),
    doctor: (await sluice.doctor()).checks.filter(({ isOk }) => !isOk).map(({ name, wrong }) => `${name}: ${wrong}`),
    unknown: new Set(unknown.map(({ tmdb }) => filmKey(tmdb))),
  };
  // What was left behind is removed a little later.
  const limit = performance.now() + TIDY_WITHIN_MS;
  let torrents = await torrentFacts(world);
  const isTidy = () => check({ ...evidence, torrents }).every(({ kind }) => kind !== "orphan");
  while (!isTidy() && performance.now() < limit) {
    await sleep(LOOK_MS);
    torrents = await torrentFacts(world);
  }
  return { ...evidence, torrents };
}
