// One run: a world, requests over a while in which things are broken at random, all of it mended, and then what has become of them.

import { rmSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Trouble } from "../../../sandbox/media/releases.ts";
import { startMediaWorld } from "../../../sandbox/media/world.ts";
import { temporaryFolder } from "../../../sandbox/temporary-folder.ts";
import type { Logger } from "../../../src/engine/index.ts";
import { seededRandom } from "../../../src/kit/index.ts";
import { check, type Finding } from "./check.ts";
import { collect } from "./collect.ts";
import type { Evidence } from "./evidence.ts";
import { askAll, quiet, tell } from "./meanwhile.ts";
import { Nemeses } from "./nemeses.ts";
import type { RunOptions } from "./options.ts";
import { planOutages, planRequests, planTroubles, sizesOf } from "./plan.ts";
import { encodingProcesses, processesOf } from "./processes.ts";
import { TransitionCount } from "./transitions.ts";
import { ShelfWatcher } from "./watcher.ts";

export interface Outcome extends RunOptions {
  readonly evidence: Evidence;
  readonly findings: readonly Finding[];
  readonly fired: ReadonlyMap<string, number>;
  /** From the last mend until nothing was under way any more. */
  readonly quietMs: number;
  /** The machine's, over a minute, when it was asked for last. */
  readonly load: number;
}

/** Too few to open a breaker in the usual way while something is broken for a moment: each would wait for its five minutes. */
const FEW = 200;
const GONE_WITHIN_MS = 20_000;
const LOOK_MS = 500;
const SHAPE = { seconds: 4, kilobytes: 150 };
/** Services take their time, as real ones do; what is sent again after a cut is less than what one may bring. */
const PACE = {
  ...{ releaseSeconds: 3, announceSeconds: 30, torrentsAtATime: 30, seedMs: 10_000, retryAfterSeconds: 3 },
  ...{ encodeSpeed: 2, encodesAtATime: 4, serverBytesPerSecond: 400_000, cutBytes: 100_000 },
};

export async function run(options: RunOptions, say: (line: string) => void, over: AbortSignal): Promise<Outcome> {
  const { requests, seconds, seed, keep } = options;
  const folder = temporaryFolder("sluice-requests");
  const troubles = planTroubles(sizesOf(requests), seededRandom(seed));
  const count = new TransitionCount();
  const ended = new AbortController();
  const world = await openWorld(folder, options, count.log, (film) => troubles[film] ?? "none");
  try {
    say(`the world is up with ${world.stock.releases.length} releases${keep ? ` in ${folder}` : ""}`);
    const following = count.follow(world.sluice, ended.signal);
    const watcher = new ShelfWatcher(world.shelves);
    watcher.start();
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
    watcher.stop();
    say("everything is quiet, and is being compared");
    const ran = { requests, troubles, nemeses, watcher, count, pace: PACE, seconds: SHAPE.seconds };
    const known = await collect(world, ran);
    const encoding = await untilNone(() => encodingProcesses(folder));
    ended.abort();
    await following;
    await world.close();
    const evidence = { ...known, processes: [...encoding, ...(await untilNone(() => processesOf(folder)))] };
    return { ...options, evidence, findings: check(evidence), fired: nemeses.fired(), quietMs, load };
  } finally {
    ended.abort();
    await world.close();
    if (!keep) rmSync(folder, { recursive: true, force: true });
  }
}

/** Those that are still there when time is up. */
async function untilNone(look: () => readonly string[]): Promise<readonly string[]> {
  const limit = performance.now() + GONE_WITHIN_MS;
  while (look().length > 0 && performance.now() < limit) await sleep(LOOK_MS);
  return look();
}

/** Longer than anything is broken for, and than it takes a download client to ask a tracker again. */
const stallAfter = (seconds: number): `${number}s` => `${Math.round(Math.min(75, Math.max(25, seconds / 2)))}s`;

function openWorld(folder: string, { requests, seconds }: RunOptions, log: Logger, trouble: (film: number) => Trouble) {
  const { films, series } = sizesOf(requests);
  const stall = stallAfter(seconds);
  return startMediaWorld({
    ...{ folder, log, port: 0, version: "proof", admin: { name: "ann", password: "correct horse battery" } },
    stock: { size: { films, series, episodes: 6 }, shape: SHAPE, trouble, hasOthers: false },
    pace: PACE,
    // Hours and minutes are seconds here; how often something may fail is as usual.
    limits: {
      ...{ every: "1s", torrents: 30, stallNever: stall, stallStopped: stall, searchAgain: "30s", answersFresh: "10s" },
      ...{ indexerRate: "50/s", backoff: { base: "1s", cap: "10s", jitter: "10%" } },
      ...{ encodeEvery: "1s", encodeStopped: "8s", encoderLost: "5s", encoderSays: "1s", fullAgain: "5s" },
      breaker: { cooldown: "3s", ...(requests < FEW ? { failures: 1, items: 1 } : {}) },
    },
    concurrency: 20,
  });
}
