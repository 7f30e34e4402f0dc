// One run: lets the nemeses loose on a world, heals it, waits until it is quiet, and judges what is left.

import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../../src/kit/index.ts";
import { Attendance } from "./attendance.ts";
import { check } from "./check.ts";
import { ITEMS_PER_SECOND } from "./client.ts";
import { collect } from "./collect.ts";
import { IN_LANE, INSTALLATION, UNFINISHED } from "./evidence.sql.ts";
import type { Explained } from "./evidence.ts";
import { lookAtExplanations } from "./explained.ts";
import { Nemeses } from "./nemeses.ts";
import type { ChaosOptions } from "./options.ts";
import { CAP, press } from "./pipelines.ts";
import { recoveries } from "./recovery.ts";
import type { Outcome } from "./report.ts";
import { plan } from "./schedule.ts";
import { buildWorld, type Undo, type World } from "./world.ts";

/** On an idle machine it takes about ten seconds: the last lease has to run out. What is removed outside takes longer. */
const QUIET_WITHIN_MS = 180_000;
const LOOK_MS = 200;
/** Who looks for forgotten jobs wants to see them twice, half a minute apart: only in runs that are longer than that. */
const PLANTS_FROM_SECONDS = 60;
const PLANTS = 3;
/** Asked why in one look: while they are, nobody claims. */
const EXPLAINED_MOST = 200;
const EVERY_ONE = 1_000_000;

export async function run(
  options: ChaosOptions,
  undo: (what: Undo) => void,
  say: (line: string) => void,
): Promise<Outcome> {
  const { seconds, seed } = options;
  const world = await buildWorld(options, undo, say);
  const { workers, client, over, proxies } = world;
  const isUp = () => workers.every((worker) => worker.standing === "ready");
  await until(async () => isUp());

  if (seconds >= PLANTS_FROM_SECONDS) await plantJobs(world);
  const attendance = new Attendance();
  for (const worker of workers) {
    worker.changed = () => attendance.note(workers.filter((one) => one.standing === "ready").length, Date.now());
  }
  const capped = { most: 0, cap: CAP };
  const sampling = sampleCap(world, capped);
  const explained: Explained = { looks: 0, missed: 0, items: 0, reasons: new Map(), wrong: [] };
  const explaining = lookAtExplanations(world, explained, options.explainsAll ? EVERY_ONE : EXPLAINED_MOST);
  const nemeses = new Nemeses(world);
  const began = performance.now();
  await Promise.all([
    client.submitAll(seconds * ITEMS_PER_SECOND, () => nemeses.progress, over.signal),
    nemeses.carryOut(plan(seconds, workers.length, seededRandom(seed)), over.signal),
  ]);
  say(`the last nemesis struck after ${Math.round((performance.now() - began) / 1_000)} s; healing`);
  for (const worker of workers) worker.resume();
  await nemeses.outagesOver();
  await until(async () => isUp() && client.busy === 0 && (await unfinished(world)) === 0);
  say(`everything had ended after ${Math.round((performance.now() - began) / 1_000)} s; what is left outside`);
  await until(async () => world.jobs.facts().every((job) => !job.isAlive));
  over.abort();
  await Promise.all([sampling, explaining]);
  await Promise.all(workers.map((worker) => worker.end()));

  const { downtimes, strikes, fired } = nemeses;
  const evidence = await collect(world, { downtimes, strikes, absences: attendance.absences(), capped, explained });
  const eaten = proxies.reduce((sum, proxy) => sum + proxy.eaten, 0);
  const startsMs = workers.flatMap((worker) => worker.startsMs);
  const judged = { evidence, findings: check(evidence), recoveries: recoveries(evidence) };
  return { ...judged, seconds, seed, fired, eaten, startsMs, judgesTimes: options.judgesTimes };
}

/** As if the database had been restored from before they were started. */
async function plantJobs({ ask, jobs }: World): Promise<void> {
  const [row] = await ask<{ name: string }>(INSTALLATION);
  for (let index = 0; index < PLANTS; index += 1) await jobs.plant(`slu-${row?.name}-forgotten${index}`);
}

async function unfinished({ ask }: World): Promise<number> {
  const [row] = await ask<{ count: number }>(UNFINISHED);
  return row?.count ?? 0;
}

async function sampleCap({ ask, over }: World, capped: { most: number }): Promise<void> {
  while (!over.signal.aborted) {
    // The database may be away; the next look sees it again.
    const [row] = await ask<{ count: number }>(IN_LANE, [press.name]).catch(() => []);
    capped.most = Math.max(capped.most, row?.count ?? 0);
    await sleep(LOOK_MS);
  }
}

/** Returns when it is so, or when time is up; what has not ended by then is found by the checker. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + QUIET_WITHIN_MS;
  while (performance.now() < limit) {
    if (await isSo().catch(() => false)) return;
    await sleep(LOOK_MS);
  }
}
