// A torrent that stands still, and what comes after it, to the second. Services in memory, time as it is told.
import { afterEach, beforeEach, expect, it } from "vitest";
import { MEDIA_LIMITS } from "../../src/apps/media/index.ts";
import { standardProfile } from "../../src/apps/media/releases/index.ts";
import type { ItemId } from "../../src/engine/index.ts";
import { toMilliseconds } from "../../src/kit/index.ts";
import { type MediaWorld, makeRelease, openMedia } from "./media-world.ts";
import { stallTime } from "./stall-time.ts";

let world: MediaWorld;
beforeEach(async () => {
  world = await openMedia({ limits: { stallNever: LIMIT_MS } });
});
afterEach(() => world.t.close());

const best = makeRelease({ name: "Metropolis.1927.1080p.BluRay.x265-GOOD" });
const second = makeRelease({ name: "Metropolis.1927.720p.WEB-DL.x264-FINE" });
const LIMIT_MS = 61_000;
const ROUND_MS = toMilliseconds(MEDIA_LIMITS.every, "every");

it("the next release runs within one round after the limit", async () => {
  world.offer(world.first, best, 0);
  world.offer(world.first, second);
  const input = { kind: "film" as const, tmdb: 19, title: "Metropolis", profile: standardProfile };
  const { items } = await world.t.submit(world.media, [input]);
  const id = items[0] as ItemId;
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
