// The media world: real processes on the loopback, every fault of every thing, and in the end what was asked for, byte for byte.

import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CatalogueFilm } from "../../sandbox/media/catalogue.ts";
import { filmKey, INDEXERS, type IndexerName } from "../../sandbox/media/releases.ts";
import { Somebody } from "../../sandbox/media/somebody.ts";
import type { StockRelease } from "../../sandbox/media/stock.ts";
import { askedOf, judge } from "../../sandbox/media/truth.ts";
import { type MediaWorld, startMediaWorld } from "../../sandbox/media/world.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { standardProfile } from "../../src/apps/media/releases/index.ts";
import type { ItemId } from "../../src/engine/index.ts";

const folder = temporaryFolder("sluice-media-world");
let world: MediaWorld;
let somebody: Somebody;
beforeAll(async () => {
  world = await startMediaWorld({
    ...{ folder, port: 0, version: "0.0.0", admin: { name: "ann", password: "correct horse battery" } },
    log: { info: () => undefined, warn: () => undefined, error: console.error },
    // What comes after the download has its own tests.
    delivers: false,
    stock: { size: { films: 60, episodes: 4 }, shape: { seconds: 4, kilobytes: 150 } },
    pace: { releaseSeconds: 2, retryAfterSeconds: 3 },
    limits: {
      ...{ every: "500ms", stallNever: "20s", stallStopped: "20s", searchAgain: "2s", indexerRate: "100/s" },
      answersFresh: "1s",
      ...{ backoff: { base: "1s", cap: "2s", jitter: "0%" }, breaker: { failures: 1, items: 1, cooldown: "1s" } },
    },
  });
  somebody = new Somebody(world.client);
});
afterEach(async () => {
  await world.things.mendAll();
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const soon = { timeout: 100_000, interval: 200 };
const asked = new Set<number>();

/** One that nobody asked for before, and that exactly these indexers have; its releases as they are liked. */
function newFilm(...at: readonly IndexerName[]) {
  const of = (tmdb: number) => world.stock.releases.filter(({ ids, isHidden }) => ids.tmdb === tmdb && !isHidden);
  const isAt = ({ indexers }: StockRelease) => indexers.join() === at.join();
  const film = world.stock.catalogue.films.find(({ tmdb }) => !asked.has(tmdb) && of(tmdb).every(isAt));
  if (film === undefined) throw new Error("all films were asked for");
  asked.add(film.tmdb);
  return { ...film, releases: of(film.tmdb).toSorted((a, b) => a.place - b.place) };
}
type Film = ReturnType<typeof newFilm>;

const ask = async (film: Film): Promise<ItemId> => (await request(film)).items[0] as ItemId;

function request({ tmdb, title, year }: CatalogueFilm) {
  const input = { kind: "film" as const, tmdb, title, year, profile: standardProfile };
  return world.sluice.submit(world.app.media, [input]);
}

/** Done, and what was asked for; tells which release it was. */
async function downloaded(id: ItemId): Promise<StockRelease | undefined> {
  const standing = async () => (await world.sluice.explain(id)).sentence;
  await expect.poll(standing, soon).toMatch(/^Done/);
  const { infohash, wrong } = await judge(world.stock, await world.sluice.item(id));
  expect(wrong).toBeNull();
  return world.stock.release(infohash);
}
const past = async (id: ItemId) => (await world.sluice.history(id)).entries.flatMap(({ code }) => code ?? []);
const attempts = async (id: ItemId) => (await world.sluice.item(id)).attempts.used;
const reason = async (id: ItemId) => (await world.sluice.explain(id)).reason;
const isDown = async (service: string) =>
  (await world.sluice.services()).some(({ name, state }) => name === service && state === "down");
const hasBegun = async (id: ItemId) => (await world.sluice.item(id)).outside.some(({ ref }) => ref !== null);

describe("the media world", () => {
  it("tells all its things as whole", () => {
    const things = world.things.things();
    expect(things.map(({ name, state }) => `${name} ${state}`)).toEqual(
      ["tracker", "metadata", ...INDEXERS, "seeder", "client", "worker"].map((name) => `${name} up`),
    );
    expect(things.flatMap(({ faults }) => faults.filter(({ brokenSince }) => brokenSince !== null))).toEqual([]);
  });

  it("has films of its own, of which each is another file", () => {
    const sums = world.stock.releases.flatMap(({ files }) => files.map(({ sha256 }) => sha256));
    expect(new Set(sums).size).toBe(sums.length);
    const [first] = world.stock.releases;
    expect(world.stock.fileOf(first?.files[0]?.sha256 ?? "")?.holds).toBe(filmKey(first?.ids.tmdb ?? 0));
  });

  it("downloads the best release of a film, and one pack for all episodes of a season", async () => {
    const film = newFilm("beacon", "harbour");
    const id = await ask(film);
    const [series] = world.stock.catalogue.series;
    const request = await world.sluice.submit(world.app.series, [
      { tmdb: series?.tmdb ?? 0, seasons: [1], profile: standardProfile },
    ]);
    expect((await downloaded(id))?.infohash).toBe(film.releases[0]?.infohash);
    const { items } = await request.result();
    // The first of them has told which episodes there are.
    const episodes = items.slice(1);
    expect(episodes).toHaveLength(4);
    const packs = await Promise.all(episodes.map(({ id: episode }) => downloaded(episode)));
    expect(new Set(packs.map((one) => one?.name)).size).toBe(1);
    expect(packs[0]?.files).toHaveLength(4);
  });
});

describe("an indexer", () => {
  it.each(["stop", "limit", "nonsense"])("with %s is waited for by what only it has", async (fault) => {
    await world.things.break("harbour", fault);
    const [only, both] = [newFilm("harbour"), newFilm("beacon", "harbour")];
    const ids = [await ask(only), await ask(both)] as const;
    expect(await downloaded(ids[1])).toBeDefined();
    await expect.poll(() => reason(ids[0]), soon).toMatch(/service_down|rate|backoff|busy/);
    await world.things.mend("harbour", fault);
    expect((await downloaded(ids[0]))?.infohash).toBe(only.releases[0]?.infohash);
  });

  it("that lists what is wrong has nobody taken in: half a film, and another film", async () => {
    await world.things.break("beacon", "wrong");
    const films = [newFilm("beacon"), newFilm("beacon")];
    const ids = await Promise.all(films.map(ask));
    for (const [at, id] of ids.entries())
      expect((await downloaded(id))?.infohash).toBe(films[at]?.releases[0]?.infohash);
  });
});

describe("the metadata service", () => {
  it.each(["stop", "nonsense"])("with %s is waited for, and what is being downloaded goes on", async (fault) => {
    const before = await ask(newFilm("beacon"));
    await expect.poll(() => hasBegun(before), soon).toBe(true);
    await world.things.break("metadata", fault);
    const after = await ask(newFilm("beacon"));
    await downloaded(before);
    await expect.poll(() => isDown("metadata"), soon).toBe(true);
    await world.things.mend("metadata", fault);
    await downloaded(after);
  });
});

describe("a torrent", () => {
  it("that is withheld gives way to the next release, and is removed", async () => {
    await world.things.break("seeder", "stall");
    const film = newFilm("harbour");
    const id = await ask(film);
    expect((await downloaded(id))?.infohash).toBe(film.releases[1]?.infohash);
    const isThere = async () => (await somebody.all()).some((one) => one.infohash === film.releases[0]?.infohash);
    await expect.poll(isThere, soon).toBe(false);
  });

  it("that somebody deletes is begun again", async () => {
    await world.things.break("client", "delete");
    const film = newFilm("harbour");
    const id = await ask(film);
    await expect.poll(() => past(id), soon).toContain("VANISHED");
    await world.things.mend("client", "delete");
    expect((await downloaded(id))?.infohash).toBe(film.releases[0]?.infohash);
  });

  it("that somebody has added before is used, and stays theirs", async () => {
    await world.things.break("client", "duplicate");
    const theirs = async () => (await somebody.all()).filter(({ isOurs }) => !isOurs);
    await expect.poll(async () => (await theirs()).length, soon).toBe(5);
    const added = (await theirs()).map(({ infohash }) => world.stock.release(infohash));
    const release = added.find((one) => one !== undefined && !asked.has(one.ids.tmdb));
    const film = world.stock.catalogue.films.find(({ tmdb }) => tmdb === release?.ids.tmdb);
    if (film === undefined) throw new Error("they have added something else");
    // The others have come along: whoever asks for them proves nothing any more.
    for (const one of added) asked.add(one?.ids.tmdb ?? 0);
    const { request: id, items } = await request(film);
    expect((await downloaded(items[0] as ItemId))?.infohash).toBe(release?.infohash);
    const tags = async () => (await theirs()).find(({ infohash }) => infohash === release?.infohash)?.tags.length;
    expect(await tags()).toBe(1);
    await world.sluice.remove(id);
    await expect.poll(tags, soon).toBe(0);
  });

  it.each(["tracker", "seeder"])("goes on when the %s is back", async (name) => {
    await world.things.break(name, "stop");
    const id = await ask(newFilm("beacon"));
    await expect.poll(() => hasBegun(id), soon).toBe(true);
    await world.things.mend(name, "stop");
    await downloaded(id);
  });
});

describe("a process that is killed", () => {
  it.each(["client", "worker"])("loses nothing: the %s", async (name) => {
    const film = newFilm("beacon");
    const id = await ask(film);
    await expect.poll(() => hasBegun(id), soon).toBe(true);
    await world.things.break(name, "kill");
    expect(world.things.things().find((one) => one.name === name)?.state).toBe("down");
    await world.things.mend(name, "kill");
    expect((await downloaded(id))?.infohash).toBe(film.releases[0]?.infohash);
    expect(await attempts(id)).toBe(1);
  });
});

describe("in the end", () => {
  it("the engine kept its rules, and nothing is twice", async () => {
    expect((await world.sluice.doctor()).isOk).toBe(true);
    const { entries } = await world.sluice.items({ pipeline: "media", state: "done" }, { limit: 200 });
    const views = await Promise.all(entries.map(({ id }) => world.sluice.item(id)));
    expect(new Set(views.map(askedOf)).size).toBe(views.length);
    const tags = (await somebody.all()).flatMap((one) => one.tags.filter((tag) => tag !== "sluice"));
    expect(tags).toHaveLength(views.length);
  });
});
