// What is done while a run goes on: asking for things, saying how far it is, and waiting until it is quiet.

import { setTimeout as sleep } from "node:timers/promises";
import { Somebody } from "../../../sandbox/media/somebody.ts";
import type { MediaWorld } from "../../../sandbox/media/world.ts";
import { ask } from "../../../src/apps/media/index.ts";
import { allItems } from "./evidence.ts";
import { until } from "./nemeses.ts";
import type { PlannedRequest } from "./plan.ts";

/** Who finds a service away that too few ask for its breaker to open looks again after five minutes and a half; nothing waits longer. */
const QUIET_WITHIN_MS = 420_000;
const LOOK_MS = 1_000;

export async function askAll(world: MediaWorld, asked: readonly PlannedRequest[], over: AbortSignal): Promise<void> {
  const began = performance.now();
  const somebody = new Somebody(world.client);
  for (const { atMs, kind, tmdb, seasons, episodes, isThere } of asked) {
    await until(began + atMs, over);
    if (over.aborted) return;
    const best = world.stock.releases.find(({ ids, place }) => ids.tmdb === tmdb && place === 0);
    // The client may be away, which is as good as if nobody had added it.
    if (isThere && best !== undefined) await somebody.add(best).catch(() => undefined);
    // Without a target it goes to all servers that are set.
    const common = { tmdb, targets: [], policy: "best-effort" as const };
    const wanted = kind === "film" ? { kind, ...common } : { kind, ...common, seasons, episodes };
    await ask({ ...world.app, sluice: world.sluice }, wanted, { owner: "proof", dryRun: false });
  }
}

export async function tell(
  world: MediaWorld,
  seconds: number,
  say: (line: string) => void,
  over: AbortSignal,
): Promise<void> {
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
    const items = (await allItems(world)).filter(({ partOf }) => partOf === null);
    const states = Map.groupBy(items, ({ stage, state }) => (state === "done" ? "done" : `${stage} ${state}`));
    const counts = [...states].map(([name, all]) => `${all.length} ${name}`).join(", ");
    say(`${Math.round(at / 1_000)} s: ${counts}; broken: ${broken.join(", ") || "nothing"}`);
  }
}

/** Nothing is under way but what nobody has, or time is up; what has not ended by then is found by the checker. */
export async function quiet(world: MediaWorld, unknown: number, over: AbortSignal): Promise<void> {
  const limit = performance.now() + QUIET_WITHIN_MS;
  while (performance.now() < limit && !over.aborted) {
    const alive = (await allItems(world)).filter(({ finishedAt }) => finishedAt === null);
    const isWaiting = alive.every(({ reason }) => reason === "not_available");
    if (alive.length <= unknown && isWaiting) return;
    await sleep(LOOK_MS);
  }
}
