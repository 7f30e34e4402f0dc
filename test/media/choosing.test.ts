// A person chooses among what was found, or wants another search: wherever the item stands.
import { afterEach, beforeEach, expect, it } from "vitest";
import { chooseRelease, releaseId, releasesOf, releasesSentence, searchAgain } from "../../src/apps/media/index.ts";
import type { ItemId } from "../../src/engine/index.ts";
import { type MadeRelease, type MediaWorld, makeRelease, openMedia } from "./media-world.ts";

let world: MediaWorld;
beforeEach(async () => {
  world = await openMedia();
});
afterEach(() => world.t.close());

const best = makeRelease({ name: "Metropolis.1927.1080p.BluRay.x265-GOOD" });
const second = makeRelease({ name: "Metropolis.1927.720p.WEB-DL.x264-FINE" });
const cam = makeRelease({ name: "Metropolis.1927.CAM.x264-BAD" });
const idOf = (made: MadeRelease) => releaseId({ indexer: "first", guid: made.offer.id });

async function asked(): Promise<ItemId> {
  await world.ask({ kind: "film", tmdb: 19 });
  await world.t.drain();
  const { entries } = await world.t.sluice.items({ pipeline: "media" });
  return entries[0]?.id ?? expect.unreachable();
}
const choose = (item: ItemId, made: MadeRelease) => chooseRelease(world.t.sluice, item, idOf(made), { by: "mia" });
const releases = async (item: ItemId) => {
  const { taken, next, refused, searchedAt } = await releasesOf(world.t.db, item);
  const told = [taken?.title ?? null, next.map(({ title }) => title), refused.map(({ title, code }) => [title, code])];
  return { told, searchedAt };
};
const downloadOf = async (item: ItemId) =>
  ((await world.t.sluice.item(item)).outputs.download as { infohash: string } | undefined)?.infohash;

it("one that was refused is taken while nothing fits, and its torrent is downloaded", async () => {
  world.offer(world.first, cam);
  const item = await asked();
  expect((await releases(item)).told).toEqual([null, [], [[cam.offer.title, "resolution_not_allowed"]]]);
  expect(await choose(item, cam)).toEqual({ ok: true });
  await world.t.advance("2m");
  expect(await downloadOf(item)).toBe(cam.infohash);
  expect((await releases(item)).told).toEqual([cam.offer.title, [], []]);
  expect((await world.t.sluice.item(item)).attempts.used).toBe(1);
});

it("another one is taken while the first is downloading, which leaves nothing behind and comes next", async () => {
  for (const made of [best, second, cam]) world.offer(world.first, made);
  world.torrents.world.lie(best.infohash, "stalls");
  const item = await asked();
  await world.t.advance("30s");
  expect(world.torrents.world.truth().alive).toEqual([best.infohash]);
  expect(await choose(item, best)).toEqual({ ok: false, reason: "it is being downloaded" });
  expect(await choose(item, cam)).toEqual({ ok: true });
  await world.t.advance("2m");
  expect(await downloadOf(item)).toBe(cam.infohash);
  expect(world.torrents.world.truth()).toMatchObject({ alive: [cam.infohash], orphans: [] });
  expect((await releases(item)).told).toEqual([cam.offer.title, [best.offer.title, second.offer.title], []]);
});

it("another one is taken when it is done", async () => {
  for (const made of [best, second]) world.offer(world.first, made);
  const item = await asked();
  await world.t.advance("2m");
  expect(await downloadOf(item)).toBe(best.infohash);
  expect(await choose(item, best)).toMatchObject({ ok: false });
  expect(await choose(item, second)).toEqual({ ok: true });
  await world.t.advance("2m");
  expect(await downloadOf(item)).toBe(second.infohash);
});

it("another one is taken when it has failed", async () => {
  // Complete, but nowhere on our disk.
  world.first.world.add(best.offer);
  world.torrents.world.publish(best.published, 1);
  world.offer(world.first, second);
  const item = await asked();
  await world.t.advance("1h");
  expect(await world.t.sluice.item(item)).toMatchObject({ state: "failed", code: "FILE_NOT_FOUND" });
  expect(await choose(item, second)).toEqual({ ok: true });
  await world.t.advance("2m");
  expect(await downloadOf(item)).toBe(second.infohash);
});

it("what was chosen counts once: where it stands still, the next one is taken", async () => {
  for (const made of [best, second]) world.offer(world.first, made);
  world.torrents.world.lie(best.infohash, "stalls");
  world.torrents.world.lie(second.infohash, "stalls");
  const item = await asked();
  await world.t.advance("30s");
  expect(await choose(item, second)).toEqual({ ok: true });
  await world.t.advance("1m");
  world.torrents.world.lie(best.infohash, "moves");
  await world.t.advance("40m");
  expect(await downloadOf(item)).toBe(best.infohash);
  const { told } = await releases(item);
  expect(told).toEqual([best.offer.title, [], [[second.offer.title, "BLOCKED"]]]);
});

it("one that can no longer be had is said to be gone, and the search goes on as usual", async () => {
  for (const made of [best, cam]) world.offer(world.first, made);
  world.torrents.world.lie(best.infohash, "stalls");
  const item = await asked();
  await world.t.advance("30s");
  world.first.world.remove(cam.offer.id);
  expect(await choose(item, cam)).toEqual({ ok: true });
  await world.t.advance("1m");
  expect((await releases(item)).told).toEqual([best.offer.title, [], [[cam.offer.title, expect.any(String)]]]);
});

it("an indexer that is down is waited for, and the choice stands", async () => {
  world.offer(world.first, cam);
  const item = await asked();
  world.first.down();
  await choose(item, cam);
  await world.t.drain();
  expect((await world.t.sluice.explain(item)).reason).toBe("service_down");
  world.first.down(false);
  await world.t.advance("40m");
  expect(await downloadOf(item)).toBe(cam.infohash);
});

it("another search asks all indexers, whatever they said a moment ago, and costs nothing", async () => {
  const item = await asked();
  const { searchedAt } = await releases(item);
  expect(world.first.calls.search).toBe(1);
  world.offer(world.first, best);
  await world.t.advance("1m");
  expect(await searchAgain(world.t.sluice, item, { by: "mia" })).toEqual({ ok: true });
  await world.t.advance("2m");
  expect(world.first.calls.search).toBe(2);
  expect(await downloadOf(item)).toBe(best.infohash);
  expect((await releases(item)).searchedAt?.getTime()).toBeGreaterThan(searchedAt?.getTime() ?? 0);
});

it("a dry run says what would be done and changes nothing; what was not found cannot be chosen", async () => {
  world.offer(world.first, cam);
  const item = await asked();
  const dry = await chooseRelease(world.t.sluice, item, idOf(cam), { dryRun: true });
  expect(dry).toMatchObject({ ok: true, would: { stage: "search" } });
  await world.t.advance("2m");
  expect((await world.t.sluice.item(item)).stage).toBe("search");
  await expect(choose(item, second)).rejects.toMatchObject({ code: "NOT_FOUND", field: "release" });
});

it("how the search stands is told in a sentence", async () => {
  for (const made of [best, second]) world.offer(world.first, made);
  world.torrents.world.lie(best.infohash, "stalls");
  const item = await asked();
  await world.t.advance("30s");
  const view = await world.t.sluice.item(item);
  expect(releasesSentence(view, await releasesOf(world.t.db, item), view.wait.sentence)).toBe(
    "It was taken as the best; if it fails or stands still, one other release is tried before it is searched for again.",
  );
});
