import { expect, it } from "vitest";
import { catalogue } from "../../../sandbox/media/catalogue.ts";
import { seededRandom } from "../../../src/kit/index.ts";
import { readOptions } from "./options.ts";
import { planOutages, planRequests, planTroubles, sizesOf } from "./plan.ts";

const SEEDS = Array.from({ length: 50 }, (_, seed) => seed + 1);
const THINGS = [
  ...["attic", "beacon", "cabin", "client", "forge", "harbour", "jellyfin", "metadata", "mill", "seeder", "tracker"],
  ...["vault", "worker"],
];

it.each([25, 600])("breaks everything in %d seconds, one thing only once at a time", (seconds) => {
  for (const seed of SEEDS) {
    const all = planOutages(seconds, seededRandom(seed));
    expect([...new Set(all.map(({ thing }) => thing))].sort()).toEqual(THINGS);
    for (const outages of Map.groupBy(all, ({ thing }) => thing).values())
      for (const [index, { atMs, ms }] of outages.entries())
        expect(outages[index + 1]?.atMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(atMs + ms);
  }
});

it("asks for every title once, within the time, and for the same with the same seed", () => {
  const sizes = sizesOf(500);
  expect(sizes).toEqual({ films: 480, series: 20 });
  const troubles = planTroubles(sizes, seededRandom(1));
  expect(troubles.filter((one) => one === "unknown")).toHaveLength(2);
  const plan = () => planRequests(catalogue(sizes), troubles, 600, seededRandom(2));
  expect(new Set(plan().map(({ kind, tmdb }) => `${kind} ${tmdb}`)).size).toBe(500);
  expect(plan().at(-1)?.atMs).toBeLessThan(600_000);
  expect(plan()).toEqual(plan());
});

it("understands what is typed, and says what would work", () => {
  expect(readOptions(["--requests", "40", "--seconds", "25", "--seed", "3", "--judge-times"], 1)).toEqual({
    ...{ requests: 40, seconds: 25, seed: 3, judgesTimes: true, keep: false },
  });
  expect(readOptions([], 7)).toEqual({ requests: 300, seconds: 600, seed: 7, judgesTimes: false, keep: false });
  for (const wrong of [["--requests", "5"], ["--seconds", "x"], ["--minutes"], ["--loud"]])
    expect(readOptions(wrong, 1)).toContain("usage: ");
});
