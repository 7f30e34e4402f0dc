// The bar at a small scale; `node test/media/many-downloads-cli.ts` is the large one.
import { expect, test } from "vitest";
import { tooDear } from "./many-downloads.ts";
import { LOOK, manyOnFake, manyOnQbittorrent } from "./many-worlds.ts";

// What is no point of progress is written every fifteen seconds: it would not show before.
const ROUNDS = 17;

test.concurrent("three hundred downloads that stand still are one call a round, and no row of an item", async () => {
  expect(tooDear(await manyOnFake(300, ROUNDS), LOOK.fake)).toEqual([]);
});

test.concurrent("forty on a real qBittorrent are one sync/maindata a round, and no row of an item", async () => {
  expect(tooDear(await manyOnQbittorrent(40, ROUNDS), LOOK.qbittorrent)).toEqual([]);
});
