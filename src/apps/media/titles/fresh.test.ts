import { expect, it } from "vitest";
import { filmFreshMs, seasonFreshMs, seriesFreshMs, yearOf } from "./fresh.ts";

const NOW = new Date("2026-11-16T18:00:00Z");
const [HOUR, DAY] = [3_600_000, 86_400_000];
const one = { season: 1, name: null, episodeCount: 1, airDate: null, posterPath: null };
const airing = (airDate: string | null) => ({
  ...{ season: 1, episode: 1, name: null, overview: null, airDate, runtimeMinutes: null, stillPath: null },
});

it("what is out stays good for a day, what is to come or unknown for an hour", () => {
  expect(["2026-11-16", "2026-11-17", null].map((date) => filmFreshMs({ date }, NOW))).toEqual([DAY, HOUR, HOUR]);
  expect(seriesFreshMs({ date: "2019-01-01", seasons: [one] }, NOW)).toBe(DAY);
  expect(seriesFreshMs({ date: "2019-01-01", seasons: [] }, NOW)).toBe(HOUR);
  expect(seasonFreshMs({ episodes: [airing("2019-01-01")] }, NOW)).toBe(DAY);
  expect(seasonFreshMs({ episodes: [airing("2019-01-01"), airing("2027-01-01")] }, NOW)).toBe(HOUR);
  expect(seasonFreshMs({ episodes: [] }, NOW)).toBe(HOUR);
});

it("a year is that of a day, where there is one", () => {
  expect([yearOf("1927-01-10"), yearOf(null), yearOf("soon")]).toEqual([1927, null, null]);
});
