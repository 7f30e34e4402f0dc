import { describe, expect, it } from "vitest";
import { film, found, GB, GOOD, reasons, why } from "../../../../test/support/releases.ts";
import type { FoundRelease } from "./wanted.ts";

describe("a film is refused", () => {
  it.each<[string, string, Partial<FoundRelease>, string[]]>([
    ["never, if it is the one", GOOD, {}, []],
    ["for another title", "The.Matrix.Reloaded.1999.1080p.BluRay.x264-G", {}, ["wrong_title"]],
    ["for another year", "The.Matrix.2021.1080p.BluRay.x264-G", {}, ["wrong_year"]],
    ["not for a year's difference", "The.Matrix.2000.1080p.BluRay.x264-G", {}, []],
    ["without a year", "The.Matrix.1080p.BluRay.x264-G", {}, ["wrong_year"]],
    ["not without a year where an id agrees", "The.Matrix.1080p.BluRay.x264-G", { imdb: "133093" }, []],
    ["as a series", "The.Matrix.S01E01.1080p.WEB.x264-G", {}, ["wrong_title"]],
    ["for an id that contradicts", GOOD, { imdb: "tt0234215" }, ["wrong_ids"]],
    ["for one of two ids that contradicts", GOOD, { imdb: "0133093", tmdb: 604 }, ["wrong_ids"]],
    ["not for an id of 0", GOOD, { tmdb: 0 }, []],
    ["for its name alone, if no id says more", "Matrix.Sbornik.1999.1080p.BluRay.x264-G", {}, ["wrong_title"]],
    ["not for a longer name where an id agrees", "Matrix.Sbornik.1999.1080p.BluRay.x264-G", { tmdb: 603 }, []],
    [
      "for a name far off, whatever an id says",
      "Finding.Nemo.1999.1080p.BluRay.x264-G",
      { tmdb: 603 },
      ["wrong_title"],
    ],
    ["not in another script beside its own", "Матрица / The Matrix (1999) BDRip 1080p", {}, []],
    ["for 2160p", "The.Matrix.1999.2160p.WEB-DL.x265-G", {}, ["resolution_not_allowed"]],
    ["for no resolution", "The.Matrix.1999.HDCAM.x264-G", {}, ["resolution_not_allowed", "source_not_allowed"]],
    ["for its source", "The.Matrix.1999.1080p.HDTS.x264-G", {}, ["source_not_allowed"]],
    ["for its codec", "The.Matrix.1999.1080p.BluRay.AV1-G", {}, ["codec_not_allowed"]],
    ["not for a codec it does not tell", "The.Matrix.1999.1080p.BluRay-G", {}, []],
    ["as a disc", "The.Matrix.1999.COMPLETE.BLURAY.1080p-G", {}, ["disc_image"]],
    ["as a sample", "The.Matrix.1999.1080p.BluRay.x264-G.sample", {}, ["sample"]],
    ["as a trailer", "The.Matrix.1999.Trailer.1080p.WEB.x264-G", {}, ["extra"]],
    ["as an archive", "The.Matrix.1999.1080p.BluRay.x264-G.rar", {}, ["rar"]],
    ["for a password", "The.Matrix.1999.1080p.BluRay.x264.PASSWORDED-G", {}, ["encrypted"]],
    ["in three dimensions", "The.Matrix.1999.3D.1080p.BluRay.x264-G", {}, ["forbidden_word"]],
    ["in another language", "The.Matrix.1999.FRENCH.1080p.BluRay.x264-G", {}, ["language"]],
    ["not in several languages", "The.Matrix.1999.MULTi.FRENCH.1080p.BluRay.x264-G", {}, []],
    ["for being too small", GOOD, { bytes: 100_000_000 }, ["too_small"]],
    ["for being too large", GOOD, { bytes: 35 * GB }, ["too_large"]],
    ["without seeders", GOOD, { seeders: 0 }, ["no_seeders"]],
    [
      "for every reason there is",
      "The.Matrix.1999.2160p.FRENCH.AV1-G",
      { seeders: 0 },
      ["resolution_not_allowed", "codec_not_allowed", "language", "no_seeders"],
    ],
    ["without a title", "...", {}, ["unreadable_name"]],
    ["for a name of 10,000 characters", "The.Matrix.1999.".padEnd(10_000, "x"), {}, ["unreadable_name"]],
  ])("%s", (_title, title, more, codes) => expect(why(film, found(title, more))).toEqual(codes));

  it.each([0, -1, Number.NaN, 0.5, 2 ** 60])("for %d bytes, which is nonsense", (bytes) =>
    expect(why(film, found(GOOD, { bytes }))).toEqual(["nonsense_size"]),
  );

  it("not for seeders that nobody counted", () => {
    const { seeders: _seeders, ...uncounted } = found(GOOD);
    expect(why(film, uncounted)).toEqual([]);
  });

  it("for what its profile says", () => {
    expect(why(film, found(GOOD), { bannedGroups: ["g"] })).toEqual(["banned_group"]);
    expect(why(film, found(GOOD), { requiredWords: ["Atmos"] })).toEqual(["required_word_missing"]);
    expect(why(film, found(GOOD), { forbiddenWords: ["matrix"] })).toEqual([]);
    expect(why(film, found(GOOD), { languages: ["de"] })).toEqual(["language"]);
    expect(why({ ...film, originalLanguage: "de" }, found(GOOD), { languages: ["de"] })).toEqual([]);
    expect(why({ ...film, originalLanguage: "fr" }, found("Matrix.1999.FRENCH.1080p.WEB.x264"))).toEqual([]);
  });

  it("after it was tried in vain, by its hash in any case or by its entry", () => {
    const hash = "AB".repeat(20);
    const because = "no byte came for 30 minutes";
    const stalled = [{ infohash: hash.toLowerCase(), because }];
    expect(why(film, found(GOOD, { infohash: hash }), {}, stalled)).toEqual(["blocked"]);
    expect(reasons(film, [found(GOOD, { infohash: hash })], {}, stalled)).toEqual([`blocked: ${because}`]);
    expect(why(film, found(GOOD, { guid: "this" }), {}, [{ guid: "this", because }])).toEqual(["blocked"]);
    expect(why(film, found(GOOD), {}, [{ infohash: "", because }])).toEqual([]);
  });

  it("with a sentence that says what would have fitted", () => {
    expect(reasons(film, [found("The.Matrix.1999.2160p.WEB.x265-G")])).toEqual([
      "2160p is not allowed; allowed: 1080p, 720p",
    ]);
    expect(reasons(film, [found("Heat.1995.1080p.BluRay.x264")])).toEqual([
      'the name says "Heat", wanted is "The Matrix"',
    ]);
    expect(reasons(film, [found(GOOD, { bytes: 100_000_000 })])).toEqual([
      "it has 100 MB, a film of 136 minutes needs 272 MB at least",
    ]);
  });
});
