// `npm run demo -- --world media --once`: some films and a season's pack to their end, with the download client killed in the middle, and
// every file compared with what the world knows of it.

import { setTimeout as sleep } from "node:timers/promises";
import type { ItemView, RequestId } from "../../src/engine/index.ts";
import { judge } from "../media/truth.ts";
import type { MediaWorld } from "../media/world.ts";
import { askFor } from "./media-live.ts";
import { makeScreen, type Screen } from "./screen.ts";
import type { Came, OnceOptions } from "./show.ts";

const FILMS = 2;
const LOOK_MS = 250;
const LONGEST_MS = 150_000;
const PAGE = 100;

export async function mediaOnce(world: MediaWorld, { items = FILMS, over }: OnceOptions): Promise<Came> {
  const { sluice, stock } = world;
  const { films, series } = stock.catalogue;
  const screen = makeScreen(process.stdout, () => performance.now());
  const asked = [
    ...films.slice(0, items).map(({ tmdb }) => ({ kind: "film" as const, tmdb })),
    ...series.slice(0, 1).map(({ tmdb }) => ({ kind: "series" as const, tmdb, seasons: [1] })),
  ];
  const requests = (await Promise.all(asked.map((one) => askFor(world, one)))).flatMap(({ request }) => request ?? []);
  const late = AbortSignal.any([over, AbortSignal.timeout(LONGEST_MS)]);
  const ended = new AbortController();
  const isOver = AbortSignal.any([late, ended.signal]);
  await Promise.all([
    ends(world, requests, late).finally(() => ended.abort()),
    show(world, screen, isOver),
    killClient(world, screen, isOver),
  ]);
  if (over.aborted) return { lost: [], sentence: "" };
  const views = await Promise.all((await lines(world)).map(({ id }) => sluice.item(id)));
  const lost: string[] = [];
  for (const view of views) lost.push(...(await wrongWith(world, view)));
  const sentence = `All ${views.length} files are what was asked for, by their checksums.`;
  return { lost: views.length < items ? [...lost, "not everything was begun"] : lost, sentence };
}

/** Also where time is up: what is missing is told afterwards. */
async function ends({ sluice }: MediaWorld, requests: readonly RequestId[], late: AbortSignal): Promise<void> {
  const all = Promise.all(requests.map((request) => sluice.result(request, { signal: late })));
  await all.catch((error: unknown) => {
    if (!late.aborted) throw error;
  });
}

const lines = async ({ sluice, app }: MediaWorld) =>
  (await sluice.items({ pipeline: app.media.name }, { limit: PAGE })).entries.toReversed();

async function show(world: MediaWorld, screen: Screen, isOver: AbortSignal): Promise<void> {
  const look = async () =>
    screen.draw(
      (await lines(world)).map(({ title, stage, state, progress }) => ({ title: title ?? "", stage, state, progress })),
    );
  while (!isOver.aborted) {
    await look();
    await sleep(LOOK_MS, undefined, { signal: isOver }).catch(() => undefined);
  }
  await look();
}

/** When some of it is here, and started again at once. */
async function killClient(world: MediaWorld, screen: Screen, isOver: AbortSignal): Promise<void> {
  const isUnderWay = async () =>
    (await lines(world)).some(({ stage, progress }) => stage === "download" && progress > 25);
  while (!(isOver.aborted || (await isUnderWay()))) await sleep(LOOK_MS);
  if (isOver.aborted) return;
  await world.things.break("client", "kill");
  screen.say("the download client is killed");
  await world.things.mend("client", "kill");
  screen.say("the download client is started again, and goes on from what was on the disk");
}

/** Tells what came of it, and answers with what is wrong. */
async function wrongWith({ sluice, stock }: MediaWorld, view: ItemView): Promise<readonly string[]> {
  if (view.state !== "done") return [`${view.title}: ${(await sluice.explain(view.id)).sentence}`];
  const { wrong, sha256, infohash } = await judge(stock, view);
  if (wrong !== null) return [wrong];
  console.log(`  ${view.title}\n    sha256 ${sha256}  from ${stock.release(infohash)?.name ?? infohash}`);
  return [];
}
