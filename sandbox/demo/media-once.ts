// `npm run demo -- --once`: some films, a season and documents to their end, with things broken on the way, and every file at every server
// compared with what the world knows of it.

import { setTimeout as sleep } from "node:timers/promises";
import type { ItemView, RequestId } from "../../src/engine/index.ts";
import { plain } from "../../src/main/render/paint.ts";
import { table } from "../../src/main/render/table.ts";
import { type JudgedDelivery, judgeDeliveries } from "../media/delivered.ts";
import { judge } from "../media/truth.ts";
import type { MediaWorld } from "../media/world.ts";
import { documentsOnce } from "./documents-once.ts";
import { histories } from "./histories.ts";
import { breakThings } from "./media-breaks.ts";
import { askFor } from "./media-live.ts";
import { makeScreen, type Screen } from "./screen.ts";
import type { Came, OnceOptions } from "./show.ts";
import { TALLY_COLUMNS, tally } from "./tally.ts";

const FILMS = 2;
const LOOK_MS = 250;
const LONGEST_MS = 165_000;
const PAGE = 200;

export async function mediaOnce(world: MediaWorld, { items = FILMS, over }: OnceOptions): Promise<Came> {
  const { sluice, stock, app } = world;
  const { films, series } = stock.catalogue;
  const screen = makeScreen(process.stdout, () => performance.now());
  const asked = [
    ...films.slice(0, items).map(({ tmdb }) => ({ kind: "film" as const, tmdb })),
    ...series.slice(0, 1).map(({ tmdb }) => ({ kind: "series" as const, tmdb, seasons: [1] })),
  ];
  const episodes = series[0]?.seasons[0]?.episodes.length ?? 0;
  const requests = (await Promise.all(asked.map((one) => askFor(world, one)))).flatMap(({ request }) => request ?? []);
  const late = AbortSignal.any([over, AbortSignal.timeout(LONGEST_MS)]);
  const ended = new AbortController();
  const isOver = AbortSignal.any([late, ended.signal]);
  const [documents] = await Promise.all([
    documentsOnce(world, screen, late),
    ends(world, requests, late).finally(() => ended.abort()),
    show(world, screen, isOver),
    breakThings(world, screen, isOver),
  ]);
  if (over.aborted) return { lost: [], sentence: "" };
  const views = await Promise.all((await lines(world)).map(({ id }) => sluice.item(id)));
  const rows = tally(
    await histories(
      sluice,
      views.map(({ id }) => id),
    ),
    app.media.stages.map(({ name }) => name),
  );
  console.log(`\n${table(TALLY_COLUMNS, rows, { isTerminal: true, width: 120, paint: plain })}\n`);
  const lost = [...documents.lost];
  let files = 0;
  for (const view of views) {
    const { wrong, delivered } = await told(world, view);
    lost.push(...wrong);
    files += delivered.length;
  }
  const sentence = `All ${views.length} films and episodes are COMPLETED: ${files} files at ${world.shelves.size} SFTP servers, each what was asked for. ${documents.sentence}`;
  return { lost: views.length === items + episodes ? lost : [...lost, "not everything was begun"], sentence };
}

/** Also where time is up: what is missing is told afterwards. */
async function ends({ sluice }: MediaWorld, requests: readonly RequestId[], late: AbortSignal): Promise<void> {
  const all = Promise.all(requests.map((request) => sluice.result(request, { signal: late })));
  await all.catch((error: unknown) => {
    if (!late.aborted) throw error;
  });
}

/** Without their parts. */
async function lines({ sluice, app }: MediaWorld) {
  const { entries } = await sluice.items({ pipeline: app.media.name }, { limit: PAGE });
  return entries.filter(({ part }) => part === null).toReversed();
}

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

interface Told {
  readonly wrong: readonly string[];
  readonly delivered: readonly JudgedDelivery[];
}

/** Tells what came of it, and answers with what is wrong. */
async function told(world: MediaWorld, view: ItemView): Promise<Told> {
  const { sluice, stock, shelves } = world;
  if (view.state !== "done")
    return { wrong: [`${view.title}: ${(await sluice.explain(view.id)).sentence}`], delivered: [] };
  const { wrong, infohash } = await judge(stock, view);
  const delivered = await judgeDeliveries(world, view);
  const missing = delivered.length === shelves.size ? [] : [`${view.title} is at ${delivered.length} servers`];
  console.log(`  ${view.title}, from ${stock.release(infohash)?.name ?? infohash}`);
  for (const [sha256, same] of Map.groupBy(delivered, (one) => one.sha256)) {
    const what = same[0]?.encoding ?? "as it was found";
    console.log(`    sha256 ${sha256}  ${same.map(({ server }) => server).join(", ")}: ${what}`);
  }
  return {
    wrong: [...missing, ...[wrong, ...delivered.map((one) => one.wrong)].flatMap((one) => one ?? [])],
    delivered,
  };
}
