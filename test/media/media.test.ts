// What becomes of a film or a season, up to DOWNLOADED, with every trouble on the way. Services in memory, time as it is told.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Found } from "../../src/apps/media/found.ts";
import { standardProfile } from "../../src/apps/media/releases/index.ts";
import { chooseRelease } from "../../src/apps/media/releases-view/choose.ts";
import { releaseId } from "../../src/apps/media/releases-view/releases.ts";
import type { ItemId } from "../../src/engine/index.ts";
import { type MediaWorld, makeRelease, openMedia } from "./media-world.ts";

let world: MediaWorld;
beforeEach(async () => {
  world = await openMedia();
});
afterEach(() => world.t.close());

const film = (tmdb: number, title: string) => ({ kind: "film" as const, tmdb, title, profile: standardProfile });
const best = makeRelease({ name: "Metropolis.1927.1080p.BluRay.x265-GOOD" });
const second = makeRelease({ name: "Metropolis.1927.720p.WEB-DL.x264-FINE" });

async function ask(tmdb = 19, title = "Metropolis"): Promise<ItemId> {
  const { items } = await world.t.submit(world.media, [film(tmdb, title)]);
  return items[0] as ItemId;
}
const item = (id: ItemId) => world.t.sluice.item(id);
const why = (id: ItemId) => world.t.sluice.explain(id);
const foundOf = async (id: ItemId) => (await item(id)).outputs.search as Found;
const downloadOf = async (id: ItemId) => (await item(id)).outputs.download as { infohash: string; path: string };

describe("a film", () => {
  it("is found at both indexers, taken from the best release, downloaded and proved", async () => {
    world.offer(world.first, second);
    world.offer(world.second, best);
    const id = await ask();
    await world.t.advance("2m");
    expect(await world.t.trace(id)).toEqual([
      "search accepted",
      "search done",
      "download chosen",
      "download started",
      "download seen DONE",
      "download done",
      "encode skip",
      "deliver skip",
      "publish skip",
    ]);
    const { taken, next } = await foundOf(id);
    expect([taken.title, ...next.map(({ title }) => title)]).toEqual([best.offer.title, second.offer.title]);
    expect((await downloadOf(id)).path).toBe(`/downloads/${best.infohash}/${best.offer.title}/${best.offer.title}.mkv`);
    const { gates } = await item(id);
    expect(gates.filter(({ stage }) => stage === "download").map(({ gate, verdict }) => `${gate} ${verdict}`)).toEqual([
      "sourceExists passed",
      "downloadComplete passed",
      "wholeVideo passed",
    ]);
  });

  it("that nobody has is not available, says what was refused, and is searched for again after six hours", async () => {
    world.offer(world.first, makeRelease({ name: "Metropolis.1927.CAM.x264-BAD" }));
    world.offer(world.first, makeRelease({ name: "Metropolis.Nights.1927.1080p.BluRay.x265-GOOD" }));
    const id = await ask();
    await world.t.drain();
    expect((await why(id)).reason).toBe("not_available");
    const saved = (await item(id)).checkpoint?.value ?? {};
    const { refused } = saved as { refused: { title: string; reason: string }[] };
    expect(refused.map(({ title }) => title).sort()).toEqual([
      "Metropolis.1927.CAM.x264-BAD",
      "Metropolis.Nights.1927.1080p.BluRay.x265-GOOD",
    ]);
    expect(refused.every(({ reason }) => reason.length > 5)).toBe(true);
    world.offer(world.second, best);
    await world.t.advance("5h");
    expect((await why(id)).reason).toBe("not_available");
    await world.t.advance("2h");
    expect((await item(id)).state).toBe("done");
    expect((await world.t.trace(id)).filter((line) => line.includes("fault"))).toEqual([]);
  });

  it("waits for an indexer that is down when the others have nothing, and costs no attempt", async () => {
    world.second.down();
    const id = await ask();
    await world.t.drain();
    const { reason, sentence } = await why(id);
    expect(reason).toBe("service_down");
    expect(sentence).toContain("indexer:second");
    world.offer(world.second, best);
    world.second.down(false);
    await world.t.advance("40m");
    expect((await item(id)).state).toBe("done");
    expect((await item(id)).attempts.used).toBe(1);
  });

  it("is taken from whoever answers while another indexer is down", async () => {
    world.second.down();
    world.offer(world.first, second);
    const id = await ask();
    await world.t.advance("2m");
    expect((await downloadOf(id)).infohash).toBe(second.infohash);
  });

  it("that stands still goes on with the next release, without another search, and leaves nothing behind", async () => {
    world.offer(world.first, best);
    world.offer(world.first, second);
    world.torrents.world.lie(best.infohash, "stalls");
    const id = await ask();
    await world.t.advance("1m");
    const searches = world.first.calls.search;
    await world.t.advance("40m");
    expect((await downloadOf(id)).infohash).toBe(second.infohash);
    expect(world.first.calls.search).toBe(searches);
    expect((await foundOf(id)).blocked).toMatchObject([{ infohash: best.infohash, reason: "it stood still" }]);
    expect(world.torrents.world.truth().alive).toEqual([second.infohash]);
  });

  it("without a single byte for ten minutes goes on with the next release", async () => {
    world.offer(world.first, makeRelease({ name: best.offer.title }), 0);
    world.offer(world.first, second);
    const id = await ask();
    await world.t.advance("15m");
    expect((await downloadOf(id)).infohash).toBe(second.infohash);
  });

  it("whose torrent is deleted in the client is begun again", async () => {
    world.offer(world.first, best);
    world.torrents.world.lie(best.infohash, "vanishes");
    const id = await ask();
    await world.t.advance("20s");
    world.torrents.world.lie(best.infohash, "moves");
    await world.t.advance("10m");
    expect((await downloadOf(id)).infohash).toBe(best.infohash);
    expect((await foundOf(id)).blocked).toEqual([]);
  });

  it("that is no whole film is refused with the reason, and the next release is taken", async () => {
    world.offer(world.first, best);
    world.offer(world.first, second);
    world.bad.add(best.infohash);
    const id = await ask();
    await world.t.advance("10m");
    expect((await downloadOf(id)).infohash).toBe(second.infohash);
    expect((await foundOf(id)).refused[0]?.reason).toMatch(/no whole film: .* ends after 0:30 min/);
  });

  it("may be chosen by a person among what was refused", async () => {
    const small = makeRelease({ name: "Metropolis.1927.480p.DVDRip.x264-OLD", megabytes: 700 });
    world.offer(world.first, small);
    const id = await ask();
    await world.t.drain();
    expect((await why(id)).reason).toBe("not_available");
    const chosen = releaseId({ indexer: "first", guid: small.offer.id });
    expect(await chooseRelease(world.t.sluice, id, chosen, {})).toEqual({ ok: true });
    await world.t.advance("2m");
    expect((await downloadOf(id)).infohash).toBe(small.infohash);
  });

  it("that the metadata service does not know fails for good, in its words", async () => {
    const id = await ask(404, "Nothing");
    await world.t.drain();
    expect(await item(id)).toMatchObject({ state: "failed", code: "TMDB_NOT_FOUND" });
  });

  it("that is cancelled takes its torrent with it", async () => {
    world.offer(world.first, best);
    world.torrents.world.lie(best.infohash, "stalls");
    const id = await ask();
    await world.t.advance("30s");
    expect(world.torrents.world.truth().alive).toEqual([best.infohash]);
    await world.t.cancel(id);
    await world.t.advance("2m");
    expect(world.torrents.world.truth()).toMatchObject({ alive: [], orphans: [] });
  });
});

describe("a season", () => {
  const name = "The.Sluice.Keepers.S01.1080p.WEB-DL.x265-PACK";
  const files = Array.from(
    { length: 10 },
    (_, index) => `The.Sluice.Keepers.S01E${String(index + 1).padStart(2, "0")}.mkv`,
  );
  const ofSeason = async () => {
    const request = await world.t.submit(world.series, [{ tmdb: 7, seasons: [1], profile: standardProfile }]);
    await world.t.advance("5m");
    return (await world.t.sluice.items({ request: request.request, pipeline: "media" }, { limit: 50 })).entries;
  };

  it("is one item per episode, and one pack serves them all", async () => {
    const pack = makeRelease({ name, files, season: 1 });
    world.offer(world.first, pack);
    const episodes = await ofSeason();
    expect(episodes.map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => "done"));
    const paths = new Set(await Promise.all(episodes.map(async ({ id }) => (await downloadOf(id)).path)));
    expect(paths.size).toBe(10);
    expect(world.torrents.world.truth().begun.get(pack.infohash)).toBe(1);
  });

  it("with one name that cannot be read: nine are done, and the tenth says which release did not hold it", async () => {
    world.offer(world.first, makeRelease({ name, files: [...files.slice(0, 9), "scan0017.mkv"], season: 1 }));
    const episodes = await ofSeason();
    const waiting = episodes.filter(({ state }) => state !== "done");
    expect(episodes.filter(({ state }) => state === "done")).toHaveLength(9);
    expect(waiting.map(({ reason }) => reason)).toEqual(["not_available"]);
    const { checkpoint } = await item(waiting[0]?.id as ItemId);
    expect(JSON.stringify(checkpoint?.value)).toMatch(/S01.1080p.*PACK/);
  });

  it("that is on next week waits for its day", async () => {
    await world.t.close();
    world = await openMedia({ start: new Date("2019-02-20T12:00:00Z") });
    world.offer(world.first, makeRelease({ name, files, season: 1 }));
    expect((await ofSeason()).map(({ reason }) => reason)).toEqual(Array.from({ length: 10 }, () => "not_aired"));
    await world.t.advance("9d");
    const { entries } = await world.t.sluice.items({ pipeline: "media" }, { limit: 50 });
    expect(new Set(entries.map(({ state }) => state))).toEqual(new Set(["done"]));
  });

  it("that does not exist fails in words", async () => {
    const { items } = await world.t.submit(world.series, [{ tmdb: 7, seasons: [9], profile: standardProfile }]);
    await world.t.drain();
    expect(await item(items[0] as ItemId)).toMatchObject({ state: "failed", code: "TMDB_NOT_FOUND" });
  });
});

it("two films whose torrents have the same name and other content are kept apart", async () => {
  const one = makeRelease({ name: "Metropolis.1927.1080p.BluRay.x265-GOOD", files: ["film.mkv"], content: "one" });
  const two = makeRelease({ name: "Nosferatu.1922.1080p.BluRay.x265-GOOD", files: ["film.mkv"], content: "two" });
  world.offer(world.first, one);
  world.offer(world.first, two);
  const [a, b] = [await ask(19, "Metropolis"), await ask(20, "Nosferatu")];
  await world.t.advance("5m");
  expect((await downloadOf(a)).path).toContain(one.infohash);
  expect((await downloadOf(b)).path).toContain(two.infohash);
});

it("a torrent that was there before us is used, and never removed", async () => {
  world.offer(world.first, best);
  world.torrents.world.add(best.infohash, "/elsewhere", [], best.published);
  const id = await ask();
  await world.t.advance("5m");
  expect((await item(id)).state).toBe("done");
  expect(world.torrents.world.truth()).toMatchObject({ alive: [best.infohash], stolen: [] });
});
