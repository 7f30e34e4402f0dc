// What is known of a run when it is quiet.

import { setTimeout as sleep } from "node:timers/promises";
import { ENCODERS } from "../../../sandbox/media/encoder-thing.ts";
import { filmKey } from "../../../sandbox/media/releases.ts";
import { Somebody } from "../../../sandbox/media/somebody.ts";
import type { MediaWorld } from "../../../sandbox/media/world.ts";
import { check } from "./check.ts";
import { allItems, type Evidence, type ItemFacts, itemFacts, type Shelved, torrentFacts } from "./evidence.ts";
import type { Nemeses } from "./nemeses.ts";
import { ownTimes, type WorkPace } from "./own-times.ts";
import type { TransitionCount } from "./transitions.ts";
import { filesBelow, type ShelfWatcher } from "./watcher.ts";

export interface Ran {
  readonly requests: number;
  readonly troubles: readonly string[];
  readonly nemeses: Nemeses;
  readonly watcher: ShelfWatcher;
  readonly count: TransitionCount;
  readonly pace: WorkPace;
  /** Of each film. */
  readonly seconds: number;
}

const TIDY_WITHIN_MS = 90_000;
const LOOK_MS = 1_000;
/** Items that are looked at together. */
const AT_ONCE = 4;

/** All but what goes on after its end. */
export async function collect(world: MediaWorld, ran: Ran): Promise<Omit<Evidence, "processes">> {
  const { sluice, stock } = world;
  const { requests, nemeses, troubles, watcher, count } = ran;
  const items = await factsOfAll(world);
  const unknown = stock.catalogue.films.filter((_, index) => troubles[index] === "unknown");
  const evidence = {
    ...{ requests, items, broken: nemeses.broken, deleted: new Somebody(world.client).deleted() },
    stuck: (await sluice.stuck()).map(({ item, explanation }) => `${item}: ${explanation.sentence}`),
    doctor: (await sluice.doctor()).checks.filter(({ isOk }) => !isOk).map(({ name, wrong }) => `${name}: ${wrong}`),
    unknown: new Set(unknown.map(({ tmdb }) => filmKey(tmdb))),
    ...{ wallMs: wallOf(items), versions: watcher.versions, transitions: await count.counted(sluice) },
    ownTimes: ownTimes(workOf(items, ran), ran.pace),
  };
  return { ...evidence, ...(await tidied(world, evidence)) };
}

async function factsOfAll(world: MediaWorld): Promise<readonly ItemFacts[]> {
  const lines = [...(await allItems(world))];
  const items: ItemFacts[] = [];
  const next = async () => {
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) items.push(await itemFacts(world, line));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return items;
}

/** From the first that was asked for to the last that was completed. */
function wallOf(items: readonly ItemFacts[]): number {
  const ended = items.flatMap(({ finishedAt, asked }) => (asked === null ? [] : (finishedAt?.getTime() ?? [])));
  return Math.max(0, ...ended) - Math.min(...items.map(({ createdAt }) => createdAt.getTime()));
}

function workOf(items: readonly ItemFacts[], { watcher, seconds }: Ran) {
  const delivered = items.flatMap((item) => item.delivered);
  const encodes = new Set(delivered.filter(({ encoding }) => encoding !== null).map(({ sha256 }) => sha256));
  const bytes = new Map<string, number>();
  for (const one of watcher.versions) bytes.set(one.server, (bytes.get(one.server) ?? 0) + one.bytes);
  const releases = new Set(items.flatMap(({ judged }) => judged?.infohash ?? []));
  return { releases: releases.size, encodes: encodes.size, encoders: ENCODERS.length, seconds, bytes };
}

/** What was left behind is removed a little later. */
async function tidied(world: MediaWorld, evidence: Omit<Evidence, "processes" | "torrents" | "shelved">) {
  const look = async () => ({ torrents: await torrentFacts(world), shelved: shelvedIn(world) });
  const isTidy = (seen: Awaited<ReturnType<typeof look>>) =>
    check({ ...evidence, ...seen, processes: [] }).every(({ kind }) => kind !== "orphan" && kind !== "left behind");
  const limit = performance.now() + TIDY_WITHIN_MS;
  let seen = await look();
  while (!isTidy(seen) && performance.now() < limit) {
    await sleep(LOOK_MS);
    seen = await look();
  }
  return seen;
}

function shelvedIn({ shelves }: MediaWorld): readonly Shelved[] {
  return [...shelves].flatMap(([server, root]) => filesBelow(root).map((path) => ({ server, path })));
}
