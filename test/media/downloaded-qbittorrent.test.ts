// What holds with every download client, and what is seen with a real qBittorrent alone.
import { afterAll, beforeAll, describe, it } from "vitest";
import { QbittorrentWorld } from "../support/qbittorrent-world.ts";
import { until } from "../support/until.ts";
import { asking, downloadedCases, FINE, GOOD } from "./downloaded-cases.ts";
import { RealMediaWorld } from "./real-media-world.ts";
import { stallTime, toldUntilDone } from "./stall-time.ts";

const LIMIT_MS = 20_000;
const world = new RealMediaWorld(new QbittorrentWorld(), {
  limits: { torrents: 50, every: "1s", stallNever: LIMIT_MS, stallStopped: LIMIT_MS },
});
beforeAll(() => world.start());
afterAll(() => world.stop());

const { done, found, gone, removed } = asking(world);
const inClient = async (infohash: string) =>
  (await world.downloads.person.torrents()).find((one) => one.infohash_v1 === infohash);

// Each has a film of its own, and waits for most of its time.
describe.concurrent("every client", () => downloadedCases(world));

describe.concurrent("a film", () => {
  it("whose only seeder leaves half way goes on with the next release", async ({ expect }) => {
    const film = world.newFilm();
    const best = await world.release(world.first, `${film.name}.${GOOD}`);
    const fine = await world.release(world.first, `${film.name}.${FINE}`);
    // Slow enough to be seen on its way.
    await world.downloads.limitSeeder(best.infohash, 20_000);
    const { id } = await world.ask(film);
    await until(async () => ((await inClient(best.infohash))?.downloaded ?? 0) > 0, "some of it has come");
    await world.downloads.unseed(best.infohash);
    expect((await inClient(best.infohash))?.progress).toBeLessThan(1);
    expect((await done(id, expect)).infohash).toBe(fine.infohash);
    expect((await found(id)).blocked).toMatchObject([{ infohash: best.infohash, reason: "it stood still" }]);
    await gone(best.infohash);
  });

  it("that stands still is given the time that people are told, and then the next release runs", async ({ expect }) => {
    const film = world.newFilm();
    await world.release(world.first, `${film.name}.${GOOD}`, { isSeeded: false });
    const fine = await world.release(world.first, `${film.name}.${FINE}`);
    const { id } = await world.ask(film);
    const told = await toldUntilDone(world.sluice, id);
    const { foundMs, nextMs } = await stallTime(world.sluice, id, told);
    // How soon, stalls.test.ts tells to the second, and stall-cli.ts on a machine that has nothing else to do.
    expect([foundMs >= 0, nextMs >= 0]).toEqual([true, true]);
    expect((await done(id, expect)).infohash).toBe(fine.infohash);
  });

  it("whose request is removed seeds for as long as its indexer asks, and then goes", async ({ expect }) => {
    const film = world.newFilm();
    const best = await world.release(world.first, `${film.name}.${GOOD}`, { minimumSeedMs: 30_000 });
    const { id, request } = await world.ask(film);
    await done(id, expect);
    await world.sluice.remove(request);
    const removals = async () =>
      (await world.sluice.items({ pipeline: "cleanup", reason: "seeding" }, { limit: 5 })).entries;
    await until(async () => (await removals()).length === 1, "its removal waits");
    const [waiting] = await removals();
    expect(waiting?.attempts.used).toBe(0);
    let seeded = 0;
    await until(async () => {
      const torrent = await inClient(best.infohash);
      seeded = torrent?.seeding_time ?? seeded;
      return torrent === undefined;
    }, "it is gone");
    // As it was seen last, which may be a while ago on a machine that is busy; to the second it is told by seeding.test.ts.
    expect(seeded).toBeGreaterThanOrEqual(15);
    await removed(request);
  });
});
