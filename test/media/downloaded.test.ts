// From what somebody asks for to DOWNLOADED, on real services, with each of their troubles.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ItemId } from "../../src/engine/index.ts";
import { QbittorrentWorld } from "../support/qbittorrent-world.ts";
import { until } from "../support/until.ts";
import { type NewFilm, RealMediaWorld, sha256 } from "./real-media-world.ts";

/** Longer than it takes a busy machine to do what has to be done before. */
const limits = { stallNever: "30s", stallStopped: "30s" } as const;
const world = new RealMediaWorld(new QbittorrentWorld(), { limits });
beforeAll(() => world.start());
afterAll(() => world.stop());

const GOOD = "1080p.BluRay.x265-GOOD";
const FINE = "720p.WEB-DL.x264-FINE";

const ask = async (film: NewFilm): Promise<ItemId> => (await world.ask(film)).id;
const state = async (id: ItemId) => (await world.sluice.item(id)).state;
const soon = { timeout: 100_000, interval: 200 };
async function done(id: ItemId): Promise<{ readonly infohash: string; readonly sha256: string }> {
  await expect.poll(async () => await state(id), soon).toBe("done");
  const { outputs } = await world.sluice.item(id);
  const { infohash, path } = outputs.download as { infohash: string; path: string };
  return { infohash, sha256: sha256(readFileSync(path)) };
}
const attemptsOf = async (id: ItemId) => (await world.sluice.item(id)).attempts.used;

beforeEach(() => {
  for (const indexer of [world.first, world.second]) indexer.standing = undefined;
});

describe("a film", () => {
  it("is downloaded from the best release, and is the very film", async () => {
    const film = world.newFilm();
    await world.release(world.first, `${film.name}.${FINE}`);
    const best = await world.release(world.second, `${film.name}.${GOOD}`);
    const got = await done(await ask(film));
    expect(got.infohash).toBe(best.infohash);
    expect(best.hashes).toContain(got.sha256);
  });

  it.each([
    ["answers 429", { status: 429, headers: { "retry-after": "2" } }],
    ["answers with a web page", "web-page" as const],
    ["is silent", "silent" as const],
  ])("is taken from the other indexer while one %s", async (_, trouble) => {
    const film = world.newFilm();
    const fine = await world.release(world.first, `${film.name}.${FINE}`);
    world.second.standing = trouble;
    expect((await done(await ask(film))).infohash).toBe(fine.infohash);
  });

  it("waits for an indexer that is down while the other has nothing, without an attempt, and goes on when it is back", async () => {
    const film = world.newFilm();
    await world.second.down();
    const id = await ask(film);
    await expect.poll(async () => (await world.sluice.explain(id)).reason, soon).toBe("service_down");
    expect((await world.sluice.explain(id)).sentence).toContain("indexer:second");
    const best = await world.release(world.second, `${film.name}.${GOOD}`);
    await world.second.up();
    await world.sluice.checkService("indexer:second");
    expect((await done(id)).infohash).toBe(best.infohash);
    // The one that was done.
    expect(await attemptsOf(id)).toBe(1);
  });

  it("that nobody seeds goes on with the next release, and leaves no torrent behind", async () => {
    const film = world.newFilm();
    const dead = await world.release(world.first, `${film.name}.${GOOD}`, { isSeeded: false });
    const fine = await world.release(world.first, `${film.name}.${FINE}`);
    expect((await done(await ask(film))).infohash).toBe(fine.infohash);
    const has = async (infohash: string) =>
      (await world.downloads.person.torrents()).some(({ infohash_v1 }) => infohash_v1 === infohash);
    await until(async () => !(await has(dead.infohash)), "the dead torrent is removed");
    expect(await has(fine.infohash)).toBe(true);
  });

  it("whose torrent somebody deletes in the client is begun again", async () => {
    const film = world.newFilm();
    const best = await world.release(world.first, `${film.name}.${GOOD}`, { isSeeded: false });
    const id = await ask(film);
    const mine = async () => (await world.downloads.person.torrents()).find((one) => one.infohash_v1 === best.infohash);
    await until(async () => (await mine()) !== undefined, "it is in the client");
    await world.downloads.person.ask("torrents/delete", { hashes: best.infohash, deleteFiles: "true" });
    await world.downloads.seed(best);
    expect((await done(id)).infohash).toBe(best.infohash);
  });

  it("waits for a client that is away, without an attempt, and goes on when it is back", async () => {
    const film = world.newFilm();
    const best = await world.release(world.first, `${film.name}.${GOOD}`);
    await world.downloads.leecher.kill();
    const id = await ask(film);
    await expect.poll(async () => (await world.sluice.explain(id)).reason, soon).toMatch(/service_down|backoff/);
    await world.downloads.leecher.start();
    await world.sluice.checkService("torrents:main");
    expect((await done(id)).infohash).toBe(best.infohash);
    // The one that was done.
    expect(await attemptsOf(id)).toBe(1);
  });

  it("survives that the client is killed in the middle of it, and started again", async () => {
    const film = world.newFilm();
    const best = await world.release(world.first, `${film.name}.${GOOD}`);
    await world.release(world.first, `${film.name}.${FINE}`);
    // Slow enough to be seen on its way.
    await world.downloads.limitSeeder(best.infohash, 20_000);
    const id = await ask(film);
    const mine = async () => (await world.downloads.person.torrents()).find((one) => one.infohash_v1 === best.infohash);
    await until(async () => ((await mine())?.downloaded ?? 0) > 0, "some of it has come");
    await world.downloads.leecher.kill();
    const isDown = async () =>
      (await world.sluice.services()).some(({ name, state: how }) => name === "torrents:main" && how === "down");
    await expect.poll(isDown, soon).toBe(true);
    await world.downloads.limitSeeder(best.infohash, 0);
    await world.downloads.leecher.start();
    await world.sluice.checkService("torrents:main");
    const got = await done(id);
    expect([got.infohash, best.hashes.has(got.sha256)]).toEqual([best.infohash, true]);
    expect((await world.sluice.history(id)).entries.filter(({ code }) => code === "STALLED")).toEqual([]);
    expect(await attemptsOf(id)).toBe(1);
  });
});
