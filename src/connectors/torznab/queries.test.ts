import { describe, expect, test } from "vitest";
import type { IndexerCaps, Release, Wanted } from "./indexer.ts";
import { looksWanted, queriesFor, queryText, toQueryString } from "./queries.ts";

const able = (parameters: string, isRaw = false) => ({ parameters: parameters.split(","), isRaw });
const caps = (some: Partial<IndexerCaps>): IndexerCaps => ({
  ...{ title: "x", pageSize: 100, search: able("q"), film: null, tv: null, categories: [] },
  ...some,
});
const asked = (wanted: Wanted, some: Partial<IndexerCaps>) =>
  queriesFor(wanted, caps(some)).map((query) => toQueryString(query));

const film: Wanted = { kind: "film", title: "Amélie: 100% Love & Co.", year: 2001, imdbId: "tt0211915", tmdbId: 194 };
const episode: Wanted = { kind: "episode", title: "The Night", season: 1, episode: 2, tvdbId: 77, imdbId: "tt0211916" };
const season: Wanted = { kind: "season", title: "The Night", season: 12 };

describe("a film is asked for", () => {
  test.each<[string, Partial<IndexerCaps>, readonly string[]]>([
    [
      "by IMDb first, then by text",
      { film: able("q,imdbid,tmdbid") },
      ["t=movie&imdbid=0211915&cat=2000", "t=movie&q=Amelie%20100%20Love%20and%20Co%202001&cat=2000"],
    ],
    [
      "by TMDB, where it knows no other",
      { film: able("tmdbid") },
      ["t=movie&tmdbid=194&cat=2000", "t=search&q=Amelie%20100%20Love%20and%20Co%202001&cat=2000"],
    ],
    [
      "by text, where it knows no ids",
      { film: able("q") },
      ["t=movie&q=Amelie%20100%20Love%20and%20Co%202001&cat=2000"],
    ],
    [
      "as it is written, where texts are compared raw",
      { film: able("q", true) },
      ["t=movie&q=Am%C3%A9lie%3A%20100%25%20Love%20%26%20Co.%202001&cat=2000"],
    ],
    [
      "by the search for anything, where there is none for films",
      {},
      ["t=search&q=Amelie%20100%20Love%20and%20Co%202001&cat=2000"],
    ],
    ["not at all, where nothing can be searched", { search: null }, []],
  ])("%s", (_, some, expected) => {
    expect(asked(film, some)).toEqual(expected);
  });

  test("without a year that nobody knows", () => {
    expect(asked({ ...film, year: null }, {})).toEqual(["t=search&q=Amelie%20100%20Love%20and%20Co&cat=2000"]);
  });
});

describe("an episode is asked for", () => {
  test.each<[string, Partial<IndexerCaps>, readonly string[]]>([
    [
      "by TheTVDB, season and number, then by text",
      { tv: able("q,season,ep,tvdbid,imdbid") },
      ["t=tvsearch&tvdbid=77&season=1&ep=2&cat=5000", "t=tvsearch&q=The%20Night&season=1&ep=2&cat=5000"],
    ],
    [
      "by IMDb, where it knows no other",
      { tv: able("season,ep,imdbid"), search: null },
      ["t=tvsearch&imdbid=0211916&season=1&ep=2&cat=5000"],
    ],
    [
      "by text alone, where an id would mean the whole series",
      { tv: able("q,season,tvdbid") },
      ["t=tvsearch&q=The%20Night%20S01E02&cat=5000"],
    ],
    ["by the search for anything", {}, ["t=search&q=The%20Night%20S01E02&cat=5000"]],
  ])("%s", (_, some, expected) => {
    expect(asked(episode, some)).toEqual(expected);
  });
});

test.each<[string, Partial<IndexerCaps>, readonly string[]]>([
  ["by its number", { tv: able("q,season") }, ["t=tvsearch&q=The%20Night&season=12&cat=5000"]],
  ["by text", {}, ["t=search&q=The%20Night%20S12&cat=5000"]],
])("a season is asked for %s", (_, some, expected) => {
  expect(asked(season, some)).toEqual(expected);
});

test("categories are those that were configured", () => {
  const [query] = queriesFor(season, caps({}), { film: [2000], tv: [5030, 5040] });
  expect(query?.parameters).toContainEqual(["cat", "5030,5040"]);
  expect(toQueryString(queriesFor(season, caps({}), { film: [], tv: [] })[0] ?? expect.fail())).not.toContain("cat=");
});

test.each([
  ["Ocean’s Eleven", "Oceans Eleven"],
  ["WALL·E", "WALL E"],
  ["Tom & Jerry", "Tom and Jerry"],
  ["七人の侍", "七人の侍"],
])("%s is written as %s", (title, expected) => {
  expect(queryText(title, { isRaw: false })).toBe(expected);
});

describe("a release looks like what was wanted", () => {
  const release = (some: Partial<Release>) =>
    ({ title: "x", imdbId: null, tmdbId: null, tvdbId: null, ...some }) as Release; // all that is looked at
  test.each<[Partial<Release>, boolean]>([
    [{ imdbId: "tt0211915" }, true],
    [{ imdbId: "tt0000001", title: "Amelie.100.Love.and.Co.2001" }, false],
    [{ title: "Amelie.100.Love.and.Co.2001.1080p" }, true],
    [{ title: "AMÉLIE 100% love & co" }, true],
    [{ title: "Another.Film.2001" }, false],
  ])("%j: %s", (some, expected) => {
    expect(looksWanted(release(some), film)).toBe(expected);
  });
});
