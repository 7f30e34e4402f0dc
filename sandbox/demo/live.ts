// `npm run demo`: films are handed in at a gentle pace, so that something moves all the time, until somebody has seen enough.

import { setTimeout as sleep } from "node:timers/promises";
import type { Sluice } from "../../src/engine/index.ts";
import { films } from "../pipeline.ts";
import type { World } from "../world.ts";
import { demoKey } from "./credentials.ts";
import { film, filmKey } from "./titles.ts";

const EVERY_MS = 4_000;
/** Enough to see; while something is broken they only pile up. */
const ALIVE_MOST = 25;
const FIRST = 3;
const OWNER = "demo";

/** Resolves when it is told to end. */
export async function live(
  world: World,
  admin: { readonly name: string; readonly password: string },
  over: AbortSignal,
) {
  const { sluice, url } = world;
  let count = 0;
  const handIn = async () => {
    const next = film(count, { asks: true });
    count += 1;
    await sluice.submit(films, [next], { key: filmKey(next), owner: OWNER });
  };
  for (let first = 0; first < FIRST; first += 1) await handIn();
  const key = await demoKey(sluice);
  console.log(`
  ${url}    name: ${admin.name}    password: ${admin.password}

  From a shell:
    export SLUICE_URL=${url} SLUICE_API_KEY=${key}
    npx sluice watch
    npx sluice sandbox                        what can be broken
    npx sluice sandbox break converter stop   and mended: sandbox mend

  Ctrl-C ends everything.`);
  while (!over.aborted) {
    await sleep(EVERY_MS, undefined, { signal: over }).catch(() => undefined);
    if (!over.aborted && (await alive(sluice)) < ALIVE_MOST) await handIn();
  }
}

async function alive(sluice: Pick<Sluice, "standing">): Promise<number> {
  const standing = (await sluice.standing({})).find(({ pipeline }) => pipeline === films.name);
  return standing === undefined ? 0 : standing.queued + standing.running + standing.waiting + standing.needsYou;
}
