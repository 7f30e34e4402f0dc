import { expect, it } from "vitest";
import { seasonsOf } from "./seasons.ts";

const episode = (season: number | null, number: number | null) => ({
  ...{ item: `itm_${season}_${number}`, season, episode: number, name: null, airs: null, status: "PENDING" },
  ...{ state: "queued", progress: 0, sentence: "", readyBy: null, targets: [] },
});

it("episodes stand in their seasons, in the order of their numbers, specials last", () => {
  const seasons = seasonsOf([episode(2, 1), episode(0, 1), episode(1, 10), episode(1, 2)]);
  expect(seasons.map(({ season, episodes }) => [season, episodes.map((one) => one.episode)])).toEqual([
    [1, [2, 10]],
    [2, [1]],
    [0, [1]],
  ]);
});
