// What is whole gives back first what it has to, and then it goes. Services in memory, time as it is told.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { standardProfile } from "../../src/apps/media/releases/index.ts";
import type { ItemId, RequestId } from "../../src/engine/index.ts";
import { type MadeRelease, type MediaWorld, makeRelease, openMedia } from "./media-world.ts";

let world: MediaWorld;
beforeEach(async () => {
  world = await openMedia();
});
afterEach(() => world.t.close());

const HOURS = 3_600_000;
const asked = { minimumRatio: 1.5, minimumSeedMs: 48 * HOURS };
const best = makeRelease({ name: "Metropolis.1927.1080p.BluRay.x265-GOOD", ...asked });
const second = makeRelease({ name: "Metropolis.1927.720p.WEB-DL.x264-FINE" });

async function ask(tmdb = 19): Promise<{ readonly id: ItemId; readonly request: RequestId }> {
  const input = { kind: "film" as const, tmdb, title: "Metropolis", profile: standardProfile };
  const { request, items } = await world.t.submit(world.media, [input]);
  return { id: items[0] as ItemId, request };
}
const alive = () => world.torrents.world.truth().alive;
const state = async (id: ItemId) => (await world.t.sluice.item(id)).state;
/** A second for each tick of the fake. */
function seeded({ infohash }: MadeRelease, ms: number): void {
  const torrent = world.torrents.world.get(infohash);
  if (torrent !== undefined) torrent.seededTicks = ms / 1_000;
}
async function removals() {
  const { entries } = await world.t.sluice.items({ pipeline: "cleanup" }, { limit: 10 });
  return await Promise.all(entries.map(async ({ id }) => ({ id, ...(await world.t.sluice.explain(id)) })));
}
async function aWhile(): Promise<void> {
  for (let time = 0; time < 4; time += 1) await world.t.advance("15m");
}
async function downloaded(): Promise<{ readonly id: ItemId; readonly request: RequestId }> {
  const film = await ask();
  await world.t.advance("2m");
  expect(await state(film.id)).toBe("done");
  return film;
}

describe("a film whose request is removed", () => {
  it("keeps seeding until the first of what its indexer asks for is reached, says so, and then goes with its files", async () => {
    world.offer(world.first, best);
    const { request } = await downloaded();
    seeded(best, 1_000);
    // The fake gives back a tenth with each second.
    const torrent = world.torrents.world.get(best.infohash);
    await world.t.sluice.remove(request);
    await aWhile();
    expect(alive()).toEqual([best.infohash]);
    const [removal] = await removals();
    expect(removal).toMatchObject({ state: "waiting", reason: "seeding" });
    expect(removal?.sentence).toMatch(
      /keeps seeding until it has given back 1.5 of what it got or seeded for 2 d; then it is removed, since .*costs no attempt/,
    );
    if (torrent !== undefined) torrent.seededTicks = 15;
    await aWhile();
    expect(world.torrents.world.truth()).toMatchObject({ alive: [], onDisk: new Set() });
    await expect(world.t.sluice.request(request)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("goes at once when nobody asks for anything", async () => {
    world.offer(world.first, second);
    const { request } = await downloaded();
    await world.t.sluice.remove(request);
    for (let time = 0; time < 4; time += 1) await world.t.advance("15s");
    expect(world.torrents.world.truth()).toMatchObject({ alive: [], onDisk: new Set() });
  });

  it("that a person removes in the client meanwhile has nothing left to wait for", async () => {
    world.offer(world.first, best);
    const { request } = await downloaded();
    await world.t.sluice.remove(request);
    await aWhile();
    world.torrents.world.vanish(best.infohash);
    await aWhile();
    await expect(world.t.sluice.request(request)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("that was there before us loses our tag at once, and nothing else", async () => {
    world.offer(world.first, best);
    world.torrents.world.add(best.infohash, "/elsewhere", [], best.published);
    const { request } = await downloaded();
    await world.t.sluice.remove(request);
    for (let time = 0; time < 4; time += 1) await world.t.advance("15s");
    expect([...(world.torrents.world.get(best.infohash)?.tags ?? [])]).toEqual([]);
    expect(world.torrents.world.truth()).toMatchObject({ alive: [best.infohash], stolen: [] });
  });
});

it("a torrent that is not whole goes at once, whatever its indexer asks for", async () => {
  world.offer(world.first, best);
  world.torrents.world.lie(best.infohash, "stalls");
  const { id } = await ask();
  await world.t.advance("30s");
  expect(alive()).toEqual([best.infohash]);
  await world.t.cancel(id);
  await world.t.advance("1m");
  expect(alive()).toEqual([]);
});

it("a whole one that is not what it said keeps seeding while the next release is taken", async () => {
  world.offer(world.first, best);
  world.offer(world.first, second);
  world.bad.add(best.infohash);
  const { id } = await ask();
  await world.t.advance("10m");
  expect(await state(id)).toBe("done");
  expect(alive()).toEqual([best.infohash, second.infohash]);
  seeded(best, 48 * HOURS);
  await aWhile();
  expect(alive()).toEqual([second.infohash]);
});

it("what is set counts besides what the indexer asks for", async () => {
  await world.t.close();
  world = await openMedia({ limits: { seedTime: "3d" } });
  world.offer(world.first, best);
  const { request } = await downloaded();
  await world.t.sluice.remove(request);
  seeded(best, 50 * HOURS);
  await aWhile();
  expect((await removals())[0]?.sentence).toContain("keeps seeding until it has seeded for 3 d;");
  seeded(best, 72 * HOURS);
  await aWhile();
  expect(alive()).toEqual([]);
});
