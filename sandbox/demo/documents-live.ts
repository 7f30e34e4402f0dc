// `npm run demo`: what is in the drawer is uploaded, one now and then, until nothing is left in it.

import { setTimeout as sleep } from "node:timers/promises";
import { countOpen } from "../../src/apps/documents/index.ts";
import { convertingIn, upload } from "../documents/converting.ts";
import { drawerOf, fillDrawer } from "../documents/drawer.ts";
import type { MediaWorld } from "../media/world.ts";

const EVERY_MS = 10_000;
const PAPERS = 60;
/** At once, so that there is something to look at. */
const FIRST = 5;
/** While the gateway is broken they only pile up. */
const OPEN_MOST = 12;
const OWNER = "demo";

/** Resolves when it is told to end. */
export async function documentsLive(world: MediaWorld, over: AbortSignal): Promise<void> {
  const converting = convertingIn(world);
  const coming = await fillDrawer(drawerOf(converting.documents), PAPERS);
  const next = async () => {
    const one = coming.shift();
    if (one !== undefined) await upload(converting, one, OWNER);
  };
  for (let first = 0; first < FIRST; first += 1) await next();
  while (!over.aborted) {
    await sleep(EVERY_MS, undefined, { signal: over }).catch(() => undefined);
    if (!over.aborted && (await countOpen(world.sluice.tables, OWNER, OPEN_MOST)) < OPEN_MOST) await next();
  }
}
