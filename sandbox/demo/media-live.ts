// `npm run demo`: some films and a season are asked for, and one more film now and then, until there are none left.

import { setTimeout as sleep } from "node:timers/promises";
import { type Asked, ask } from "../../src/apps/media/index.ts";
import type { GivenAdmin } from "../../src/server/access/ensure-admin.ts";
import type { MediaWorld } from "../media/world.ts";
import { demoKey } from "./credentials.ts";

const EVERY_MS = 15_000;
const FIRST = 4;
/** While something is broken they only pile up. */
const ALIVE_MOST = 15;
const OWNER = "demo";

export async function askFor({ sluice, app }: MediaWorld, asked: Pick<Asked, "kind" | "tmdb"> & Partial<Asked>) {
  // Of one kind or the other, as it was given.
  const whole = { targets: [], policy: "best-effort", ...asked } as Asked;
  return await ask({ ...app, sluice }, whole, { owner: OWNER, dryRun: false });
}

/** Resolves when it is told to end. */
export async function mediaLive(world: MediaWorld, admin: GivenAdmin, over: AbortSignal): Promise<void> {
  const { sluice, url, stock } = world;
  const { films, series } = stock.catalogue;
  const coming = [...films];
  const next = async () => {
    const film = coming.shift();
    if (film !== undefined) await askFor(world, { kind: "film", tmdb: film.tmdb });
  };
  for (let first = 0; first < FIRST; first += 1) await next();
  const [first] = series;
  if (first !== undefined) await askFor(world, { kind: "series", tmdb: first.tmdb, seasons: [1] });
  const key = await demoKey(sluice);
  console.log(`
  ${url}    name: ${admin.name}    password: ${admin.password}

  There are ${films.length} films and ${series.length} series to ask for, all of them made here: ${films[4]?.title}, ${films[6]?.title}, ${series[1]?.title}.

  From a shell:
    export SLUICE_URL=${url} SLUICE_API_KEY=${key}
    npx sluice watch
    npx sluice sandbox                        what can be broken
    npx sluice sandbox break seeder stall     after 12 s the next release is taken
    npx sluice sandbox break forge freeze     its encodes go to the other encoder
    npx sluice sandbox break attic cut        what is sent there goes on from where it was cut
    npx sluice sandbox break gateway lie      no XML is believed that is none; documents are tried again
    npx sluice sandbox mend                   all of it

  Ctrl-C ends everything.`);
  while (!over.aborted) {
    await sleep(EVERY_MS, undefined, { signal: over }).catch(() => undefined);
    if (!over.aborted && (await alive(world)) < ALIVE_MOST) await next();
  }
}

async function alive({ sluice, app }: MediaWorld): Promise<number> {
  const standing = (await sluice.standing({})).find(({ pipeline }) => pipeline === app.media.name);
  return standing === undefined ? 0 : standing.queued + standing.running + standing.waiting + standing.needsYou;
}
