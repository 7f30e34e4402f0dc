// `npm run demo -- --once`: some documents are uploaded while the gateway is down, and go on to their end when it is back. What came of
// each is compared with what it has to be.

import { setTimeout as sleep } from "node:timers/promises";
import { busyOf } from "../../src/apps/documents/index.ts";
import { type Converting, convertingIn, judge, read, upload } from "../documents/converting.ts";
import { type DrawerFile, drawerOf, fillDrawer } from "../documents/drawer.ts";
import type { MediaWorld } from "../media/world.ts";
import type { Screen } from "./screen.ts";
import type { Came } from "./show.ts";

/** One of them is locked, and one damaged. */
const PAPERS = 6;
const LOOK_MS = 250;
const OWNER = "demo";

export async function documentsOnce(world: MediaWorld, screen: Screen, late: AbortSignal): Promise<Came> {
  const converting = convertingIn(world);
  const papers = await fillDrawer(drawerOf(converting.documents), PAPERS);
  await world.things.break("gateway", "stop");
  screen.say(`the gateway is stopped, and ${papers.length} PDFs are uploaded`);
  const ids = await Promise.all(papers.map((one) => upload(converting, one, OWNER)));
  await until(async () => (await busyOf(world.sluice)).banner !== null, late);
  await world.things.mend("gateway", "stop");
  screen.say("the gateway is back: they go on by themselves");
  const all = () => Promise.all(ids.map((id) => read(converting, id)));
  await until(async () => (await all()).every(({ finishedAt }) => finishedAt !== null), late);
  return await told(converting, papers, await all());
}

async function told(
  converting: Converting,
  papers: readonly DrawerFile[],
  all: Awaited<ReturnType<typeof read>>[],
): Promise<Came> {
  const lost: string[] = [];
  for (const [at, seen] of all.entries()) {
    const paper = papers[at];
    const wrong = paper === undefined ? null : await judge(converting, paper, seen);
    if (wrong !== null) lost.push(wrong);
  }
  const refused = all.filter(({ status }) => status === "failed");
  for (const { name, error } of refused) console.log(`  ${name}: ${error?.code}, ${error?.sentence}`);
  const converted = all.length - refused.length;
  return { lost, sentence: `${converted} documents are XML, and ${refused.length} were refused for what they are.` };
}

/** Also where time is up: what is missing is told afterwards. */
async function until(isSo: () => Promise<boolean>, late: AbortSignal): Promise<void> {
  while (!(late.aborted || (await isSo()))) await sleep(LOOK_MS, undefined, { signal: late }).catch(() => undefined);
}
