// A torrent that stands still, and what comes after it, to the second; and what is no stall. Services in memory, time as it is told.
import { afterEach, describe, expect, it } from "vitest";
import { MEDIA_LIMITS } from "../../src/apps/media/index.ts";
import { standardProfile } from "../../src/apps/media/releases/index.ts";
import type { ItemId } from "../../src/engine/index.ts";
import { toMilliseconds } from "../../src/kit/index.ts";
import { type MediaWorld, type MediaWorldOptions, makeRelease, openMedia } from "./media-world.ts";
import { stallTime } from "./stall-time.ts";

let world: MediaWorld;
afterEach(() => world.t.close());

const best = makeRelease({ name: "Metropolis.1927.1080p.BluRay.x265-GOOD" });
const second = makeRelease({ name: "Metropolis.1927.720p.WEB-DL.x264-FINE" });
const LIMIT_MS = 61_000;
const ROUND_MS = toMilliseconds(MEDIA_LIMITS.every, "every");

/** Asked for in a world in which both have it, and so many seed the better one. */
async function asked(options: MediaWorldOptions, seeds = 1): Promise<ItemId> {
  world = await openMedia(options);
  world.offer(world.first, best, seeds);
  world.offer(world.first, second);
  const input = { kind: "film" as const, tmdb: 19, title: "Metropolis", profile: standardProfile };
  const { items } = await world.t.submit(world.media, [input]);
  return items[0] as ItemId;
}
const past = async (id: ItemId) => (await world.t.sluice.history(id)).entries.flatMap(({ code }) => code ?? []);

it("the next release runs within one round after the limit", async () => {
  const id = await asked({ limits: { stallNever: LIMIT_MS } }, 0);
  await world.t.advance("55s");
  expect(world.torrents.world.truth().alive).toEqual([best.infohash]);
  const { until } = await world.t.sluice.explain(id);
  // In steps of five seconds at most, so that every round comes in its time.
  await world.t.advance("1m");
  expect((await world.t.sluice.item(id)).state).toBe("done");
  const { foundMs, nextMs } = await stallTime(world.t.sluice, id, until === null ? [] : [until]);
  expect(foundMs).toBeGreaterThanOrEqual(0);
  expect(foundMs + nextMs).toBeLessThanOrEqual(ROUND_MS);
});

describe("no stall is", () => {
  const limits = { stallNever: "2m", stallStopped: "2m" } as const;
  /** Six minutes and a half from its first byte to its last. */
  const ticks = 80;
  /** A minute at a time, so that every round comes in its time. */
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) await world.t.advance("1m");
  };
  const bytes = () => world.torrents.world.get(best.infohash)?.receivedBytes ?? 0;
  const isBest = async (id: ItemId) => {
    expect(await past(id)).not.toContain("STALLED");
    const { state, outputs, attempts } = await world.t.sluice.item(id);
    expect([state, (outputs.download as { infohash: string }).infohash]).toEqual(["done", best.infohash]);
    expect(attempts.used).toBe(1);
  };

  it("what is fetched again after a crash: for longer than the limit it is less than there was", async () => {
    const id = await asked({ limits, ticks });
    await pass(5);
    const before = bytes();
    world.powerCut();
    await pass(3);
    expect(bytes()).toBeGreaterThan(0);
    expect(bytes()).toBeLessThan(before);
    await pass(5);
    await isBest(id);
  });

  it("what its user has paused, for however long", async () => {
    const id = await asked({ limits, ticks });
    await pass(1);
    world.torrents.world.pause(best.infohash);
    await pass(10);
    const { sentence, until } = await world.t.sluice.explain(id);
    expect([sentence, until]).toEqual([expect.stringContaining("paused"), null]);
    world.torrents.world.resume(best.infohash);
    await pass(8);
    await isBest(id);
  });

  it("what stands in a client that is away, nor what has just come back", async () => {
    const id = await asked({ limits, ticks });
    await pass(1);
    world.torrents.down();
    await pass(10);
    world.torrents.down(false);
    await pass(20);
    await isBest(id);
  });
});
