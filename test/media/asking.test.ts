// Asking for films and series: what is under way is joined, what is there is said to be there, what failed begins anew; and what it
// costs the services. In memory, time as it is told.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listCards, readCard } from "../../src/apps/media/index.ts";
import { standardProfile } from "../../src/apps/media/releases/index.ts";
import { setProfile } from "../../src/apps/media/settings/settings.sql.ts";
import type { RequestId } from "../../src/engine/index.ts";
import { type MediaWorld, makeRelease, openMedia } from "./media-world.ts";

let world: MediaWorld;
beforeEach(async () => {
  world = await openMedia();
});
afterEach(() => world.t.close());

const film = { kind: "film", tmdb: 19 } as const;
const best = makeRelease({ name: "Metropolis.1927.1080p.BluRay.x265-GOOD" });
const everybody = { owner: null };
const season = (...seasons: number[]) => ({ kind: "series", tmdb: 7, seasons }) as const;
const episodesOf = (number: number, count: number) =>
  Array.from(
    { length: count },
    (_, index) => `The.Sluice.Keepers.S0${number}E${String(index + 1).padStart(2, "0")}.mkv`,
  );
const pack = (number: number, count: number) =>
  makeRelease({
    ...{ name: `The.Sluice.Keepers.S0${number}.1080p.WEB-DL.x265-PACK`, season: number },
    files: episodesOf(number, count),
  });

const card = async (request: RequestId | null) =>
  await readCard(world.t.sluice, request ?? expect.unreachable(), everybody);
const cards = async (show: "all" | "mine" | "ready" | "waiting" | "problems", owner: string | null = null) =>
  (await listCards(world.t.sluice, { show, me: "mia", limit: 50 }, { owner })).entries;

describe("a film", () => {
  it("that is new is asked for, with the profile of that name as it is now", async () => {
    await setProfile(world.t.db, {
      name: "small",
      profile: { ...standardProfile, name: "small", resolutions: ["480p"] },
    });
    expect(await world.ask({ ...film, profile: "small" })).toMatchObject({
      ...{ outcome: "new", would: null, sentence: "Metropolis (1927) is asked for." },
    });
    await world.t.drain();
    const [one] = await cards("all");
    expect(one).toMatchObject({ title: "Metropolis", year: 1927, status: "PENDING", counts: { total: 1 } });
    const { input } = await world.t.sluice.item(one?.items[0]?.item ?? expect.unreachable());
    expect(input).toMatchObject({ title: "Metropolis", profile: { name: "small", resolutions: ["480p"] } });
    await expect(world.ask({ ...film, profile: "smal" })).rejects.toMatchObject({ field: "profile" });
  });

  it("that is under way is joined: another owner, further targets, and nothing else", async () => {
    for (const name of ["nas", "attic"]) await world.setServer(name);
    const first = await world.ask({ ...film, targets: [{ name: "nas", encoding: null }] });
    await world.t.drain();
    const again = await world.ask({ ...film, targets: [{ name: "attic", encoding: "hevc" }] }, "mo");
    expect(again).toMatchObject({ outcome: "joined", request: first.request });
    const { owners, targets, items } = await card(first.request);
    expect([owners, targets.map(({ name }) => name), items.length]).toEqual([["mia", "mo"], ["nas", "attic"], 1]);
    expect((await world.ask(film)).sentence).toBe("You have asked for Metropolis (1927) already, and it is under way.");
  });

  it("that one of two gives up goes on for the other; the last one ends it, and asking again begins anew", async () => {
    const { request } = await world.ask(film);
    await world.ask(film, "mo");
    await world.t.drain();
    const id = request ?? expect.unreachable();
    expect(await world.t.sluice.leave(id, { owner: "mia" })).toEqual({ ok: true, left: true });
    expect((await card(request)).status).toBe("PENDING");
    await world.t.sluice.leave(id, { owner: "mo" });
    expect((await card(request)).status).toBe("CANCELLED");
    const anew = await world.ask(film);
    expect(anew.outcome).toBe("new");
    expect(anew.request).not.toBe(request);
  });

  it("that is there is said to be there, to whoever asks, and can be replayed", async () => {
    world.offer(world.first, best);
    const { request } = await world.ask(film);
    await world.t.advance("2m");
    expect(await world.ask(film, "mo")).toMatchObject({ outcome: "there", request });
    const { status, owners, items } = await card(request);
    expect([status, owners]).toEqual(["COMPLETED", ["mia", "mo"]]);
    const item = items[0]?.item ?? expect.unreachable();
    expect(await world.t.sluice.replay(item, { from: "search" })).toEqual({ ok: true });
    expect((await world.ask(film)).outcome).toBe("joined");
  });

  it("and a series of the same number have nothing to do with each other", async () => {
    world.metadata.world.addFilm({ id: 7, title: "Seven", date: "1995-09-22" });
    const { request } = await world.ask({ kind: "series", tmdb: 7, seasons: [2] });
    const other = await world.ask({ kind: "film", tmdb: 7 });
    expect([other.outcome, other.request === request]).toEqual(["new", false]);
  });

  it("that the metadata service does not know is refused, and where that is away it is asked for all the same", async () => {
    await expect(world.ask({ kind: "film", tmdb: 404 })).rejects.toMatchObject({ code: "NOT_FOUND", field: "tmdb" });
    world.metadata.down();
    expect(await world.ask(film)).toMatchObject({ outcome: "new", sentence: "film 19 is asked for." });
    await world.t.drain();
    expect((await cards("waiting"))[0]).toMatchObject({
      title: "Film 19",
      sentence: expect.stringContaining("metadata"),
    });
  });

  it("that was handed in past these routes is among what was asked for, and is joined", async () => {
    const { request } = await world.t.submit(world.media, [{ ...film, profile: standardProfile }], { owner: "ann" });
    await world.t.drain();
    expect(await cards("all")).toMatchObject([{ request, title: "Metropolis", owners: ["ann"] }]);
    expect(await world.ask(film)).toMatchObject({ outcome: "joined", request });
  });

  it("is only tried out in a dry run", async () => {
    expect(await world.ask(film, "mia", true)).toMatchObject({
      request: null,
      would: "Would ask for Metropolis (1927).",
    });
    expect(await cards("all")).toEqual([]);
    const { request } = await world.ask(film);
    expect(await world.ask(film, "mo", true)).toMatchObject({ request, outcome: "joined" });
    expect((await card(request)).owners).toEqual(["mia"]);
  });
});

describe("a series", () => {
  it("of which a season is under way gets another season into the same request", async () => {
    const { request } = await world.ask(season(1));
    await world.t.drain();
    const more = await world.ask(season(1, 2), "mo");
    expect(more).toMatchObject({ outcome: "joined", request });
    await world.t.drain();
    const { counts, items, owners, sentence } = await card(request);
    expect([counts.total, items.length, owners]).toEqual([12, 12, ["mia", "mo"]]);
    expect(items.map(({ season: s, episode }) => `${s}x${episode}`).slice(9)).toEqual(["1x10", "2x1", "2x2"]);
    expect(sentence).toBe("0 of 12 ready, 12 wait: nobody has it in the wanted quality.");
  });

  it("that two ask for at the same moment has every episode once", async () => {
    const answers = await Promise.all(["a", "b", "c"].map((owner) => world.ask(season(1), owner)));
    await Promise.all(["d", "e"].map((owner) => world.ask(season(2, 1), owner)));
    await world.t.advance("1m");
    expect(new Set(answers.map(({ request }) => request)).size).toBe(1);
    const { items, owners } = await card(answers[0]?.request ?? null);
    expect(new Set(items.map((one) => `${one.season}x${one.episode}`)).size).toBe(12);
    expect([items.length, [...owners].sort().join()]).toEqual([12, "a,b,c,d,e"]);
  });

  it("of which a season is there says so, and of more only what is missing is asked for", async () => {
    world.offer(world.first, pack(1, 10));
    const { request } = await world.ask(season(1));
    await world.t.advance("5m");
    expect(await card(request)).toMatchObject({
      status: "COMPLETED",
      progress: 100,
      counts: { total: 10, completed: 10 },
    });
    expect(await world.ask(season(1), "mo")).toMatchObject({ outcome: "there", request });
    const all = await world.ask({ kind: "series", tmdb: 7 });
    expect(all.outcome).toBe("new");
    await world.t.drain();
    expect((await card(all.request)).items.map((one) => `${one.season}x${one.episode}`)).toEqual(["2x1", "2x2"]);
  });

  it("asked for again while it is under way has its cancelled episodes tried again", async () => {
    const { request } = await world.ask(season(2));
    await world.t.drain();
    const [one, two] = (await card(request)).items;
    await world.ask(season(1));
    await world.t.drain();
    await world.t.cancel(one?.item ?? expect.unreachable());
    await world.ask({ kind: "series", tmdb: 7, episodes: [{ season: 2, episode: 1 }] });
    await world.t.drain();
    const { items, counts } = await card(request);
    expect(items.filter((item) => item.season === 2).map(({ item }) => item)).toEqual([one?.item, two?.item]);
    expect([counts.total, counts.cancelled]).toEqual([12, 0]);
  });

  it("that does not exist, or seasons of it, fails in words, and what is known of it is had", async () => {
    world.metadata.down();
    const { request } = await world.ask({ kind: "series", tmdb: 8 });
    world.metadata.down(false);
    await world.t.advance("40m");
    expect(await card(request)).toMatchObject({ status: "FAILED", counts: { total: 0 }, items: [] });
    expect((await card(request)).sentence).toContain("TMDB_NOT_FOUND");
    expect(await cards("problems")).toMatchObject([{ request }]);
    const some = await world.ask(season(2, 9));
    await world.t.drain();
    expect(await card(some.request)).toMatchObject({ counts: { total: 2 }, unknown: ["season 9"] });
  });
});

describe("what it costs the services", () => {
  const asked = (what: string) => world.metadata.world.truth().asked.filter((one) => one === what).length;

  it("a season of ten is one look-up of the series, one of the season, and one search at each indexer", async () => {
    world.offer(world.second, pack(1, 10));
    await world.ask(season(1));
    await world.t.advance("5m");
    expect([asked("series 7"), asked("season 1 of 7")]).toEqual([1, 1]);
    expect([world.first.calls.search, world.second.calls.search]).toEqual([1, 1]);
    expect(await cards("ready")).toHaveLength(1);
  });

  it("where the season has nothing that fits, each episode is searched for by itself, once", async () => {
    await world.ask(season(2));
    await world.t.drain();
    expect([world.first.calls.search, world.second.calls.search]).toEqual([3, 3]);
    await world.t.advance("7h");
    expect([world.first.calls.search, world.second.calls.search]).toEqual([6, 6]);
  });

  it("what went wrong is not kept: the next one asks again", async () => {
    world.second.trouble("search", "crash");
    await world.ask(film);
    await world.t.drain();
    await world.t.advance("3m");
    expect(world.second.calls.search).toBe(2);
    expect(world.first.calls.search).toBe(1);
  });
});

describe("cards", () => {
  it("say of what stands in the line of a service that is down that it waits for it", async () => {
    for (const indexer of [world.first, world.second]) indexer.down();
    const { request } = await world.ask(season(1));
    await world.t.advance("2m");
    const { sentence, items } = await card(request);
    expect(sentence).toBe("0 of 10 ready, 10 wait: for a service that does not answer.");
    expect(new Set(items.map(({ state }) => state))).toEqual(new Set(["waiting"]));
    expect(items.filter((one) => !one.sentence.startsWith("Waiting for "))).toEqual([]);
    for (const indexer of [world.first, world.second]) indexer.down(false);
    world.offer(world.first, pack(1, 10));
    await world.t.advance("40m");
    expect((await card(request)).sentence).toBe("10 of 10 ready.");
  });

  it("are listed by how they stand, and members see their own", async () => {
    world.offer(world.first, best);
    const there = await world.ask(film);
    await world.t.advance("2m");
    const late = await world.ask({ kind: "film", tmdb: 20 }, "mo");
    await world.t.drain();
    const ids = async (...asked: Parameters<typeof cards>) => (await cards(...asked)).map(({ request }) => request);
    expect(await ids("all")).toEqual([late.request, there.request]);
    expect(await ids("ready")).toEqual([there.request]);
    expect(await ids("waiting")).toEqual([late.request]);
    expect(await ids("problems")).toEqual([]);
    expect(await ids("mine")).toEqual([there.request]);
    expect(await ids("all", "mo")).toEqual([late.request]);
    await expect(
      readCard(world.t.sluice, late.request ?? expect.unreachable(), { owner: "mia" }),
    ).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("go on where a page ended", async () => {
    for (const tmdb of [19, 20]) await world.ask({ kind: "film", tmdb });
    const page = (after?: string) =>
      listCards(world.t.sluice, { show: "all", me: "mia", limit: 1, ...(after ? { after } : {}) }, everybody);
    const first = await page();
    const second = await page(first.next ?? expect.unreachable());
    expect([first.entries[0]?.tmdb, second.entries[0]?.tmdb]).toEqual([20, 19]);
  });
});
