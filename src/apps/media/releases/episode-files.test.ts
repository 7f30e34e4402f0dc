import { describe, expect, it } from "vitest";
import { episode, firstThree, map, places, show } from "../../../../test/support/torrent-files.ts";

describe("the files of episodes", () => {
  it("are found by their numbers, in any folder, with the subtitles of each", () => {
    const mapped = map(firstThree, {
      "The.Wire.S01/Season 1/The.Wire.S01E02.1080p.mkv": 1,
      "The.Wire.S01/Season 1/The.Wire.S01E01.1080p.mkv": 1,
      "The.Wire.S01/Season 1/The.Wire.S01E01.1080p.en.srt": 0.001,
      "The.Wire.S01/Subs/The.Wire.S01E02.1080p/2_English.srt": 0.001,
      "The.Wire.S01/Subs/the wire 1x03.srt": 0.001,
      "The.Wire.S01/Season 1/The.Wire.1x03.mkv": 1,
      "The.Wire.S01/Season 1/The.Wire.S01E04.mkv": 1,
      "The.Wire.S01/Sample/the.wire.s01e01.sample.mkv": 0.05,
      "The.Wire.S01/Extras/Making.of.mkv": 1,
    });
    expect(mapped.parts.map(({ file, subtitles }) => [file, subtitles])).toEqual([
      [1, [2]],
      [0, [3]],
      [5, [4]],
    ]);
    expect(mapped.unmapped).toEqual([]);
  });

  it("may be one for several", () => {
    expect(places(map(firstThree, { "W/The.Wire.S01E01E02.mkv": 2, "W/The.Wire.S01E03.mkv": 1 }))).toEqual([0, 0, 1]);
    expect(places(map(firstThree, { "W/The.Wire.S01E01-E03.mkv": 3 }))).toEqual([0, 0, 0]);
  });

  it("are told by their folder's season where they have a bare number", () => {
    const files = { "W/Season 1/01.mkv": 1, "W/Season 1/02 - The Detail.mkv": 1, "W/Season 2/03.mkv": 1 };
    expect(places(map(firstThree, files))).toEqual([0, 1, "not_in_release"]);
    expect(places(map(firstThree, { "01.mkv": 1, "E02.mkv": 1 }, "The.Wire.S01.1080p"))).toEqual([
      0,
      1,
      "not_in_release",
    ]);
  });

  it("are told by numbers over all seasons, where these are known, and not across seasons", () => {
    const anime = show(episode(1, { season: 2, absolute: 13 }), episode(2, { season: 2, absolute: 14 }));
    const named = (number: number) => `[G] The Wire - ${number} [1080p].mkv`;
    expect(places(map(anime, { [named(13)]: 1, [named(14)]: 1 }))).toEqual([0, 1]);
    expect(places(map(anime, { [`S2/${named(13)}`]: 1 }, "The Wire S2"))).toEqual([0, "not_in_release"]);
    expect(places(map(anime, { [`The Wire S1/${named(13)}`]: 1 }))).toEqual(["not_in_release", "not_in_release"]);
    expect(places(map(anime, { "[G] The Wire S2 - 02 [1080p].mkv": 1 }))).toEqual(["not_in_release", 0]);
  });

  it("are told by the day", () => {
    const daily = show(episode(1, { airDate: "2024-03-12" }));
    expect(places(map(daily, { "The.Wire.2024.03.12.mkv": 1 }))).toEqual([0]);
    expect(places(map(daily, { "The.Wire.2024.03.13.mkv": 1 }))).toEqual(["not_in_release"]);
  });

  it("are of a season that is 0 in a folder of specials", () => {
    expect(places(map(show(episode(1, { season: 0 })), { "W/Specials/01.mkv": 1, "W/Season 1/01.mkv": 1 }))).toEqual([
      0,
    ]);
  });

  it("are what their release says, if there is one whose name says nothing", () => {
    expect(places(map(firstThree, { "abcdef.mkv": 1 }, "The.Wire.S01E02.1080p"))).toEqual([
      "not_in_release",
      0,
      "not_in_release",
    ]);
    expect(places(map(firstThree, { "abcdef.mkv": 1, "ghi.mkv": 1 }, "The.Wire.S01E02"))).toContain("unreadable_name");
  });

  it("are the repaired one of two, then the larger", () => {
    const versions = {
      "The.Wire.S01E01.1080p.mkv": 3,
      "The.Wire.S01E01.REPACK.1080p.mkv": 2,
      "The.Wire.S01E01.720p.mkv": 1,
    };
    expect(places(map(show(episode(1)), versions))).toEqual([1]);
    expect(places(map(show(episode(1)), { "The.Wire.S01E01.720p.mkv": 1, "The.Wire.S01E01.1080p.mkv": 2 }))).toEqual([
      1,
    ]);
  });
});

describe("a name that cannot be read", () => {
  it("is told on what it might be, and only there", () => {
    const files = {
      "The.Wire.S01/The.Wire.S01E01.mkv": 1,
      "The.Wire.S01/xyz.mkv": 1,
      "The.Wire.S01/The.Wire.S01E03.mkv": 1,
    };
    const mapped = map(firstThree, files);
    expect(places(mapped)).toEqual([0, "unreadable_name", 2]);
    expect(mapped.parts[1]?.problem?.reason).toBe('it may be "xyz.mkv", whose name does not tell which episode it is');
    expect(mapped.unmapped).toEqual([
      { index: 1, path: "The.Wire.S01/xyz.mkv", reason: "its name does not tell which episode it is" },
    ]);
  });

  it("might be none of another season than its folder's", () => {
    const two = show(episode(1), episode(1, { key: "s2", season: 2 }));
    expect(places(map(two, { "W/Season 2/xyz.mkv": 1, "W/Season 3/a.mkv": 1 }))).toEqual([
      "not_in_release",
      "unreadable_name",
    ]);
  });
});

describe("a file of another title", () => {
  it("is never taken, whatever its number", () => {
    const mapped = map(firstThree, { "W/The.Wire.S01E01.mkv": 1, "W/Treme.S01E02.mkv": 9 });
    expect(places(mapped)).toEqual([0, "other_title", "not_in_release"]);
    expect(mapped.unmapped).toEqual([
      { index: 1, path: "W/Treme.S01E02.mkv", reason: "it is called by another title" },
    ]);
    expect(places(map(firstThree, { "Lost.S01E01.mkv": 1 }))).toContain("other_title");
    expect(places(map(firstThree, { "ire.S01E01.mkv": 1 }))).toContain("other_title");
    expect(places(map(firstThree, { "NCIS.Los.Angeles.S01E01.mkv": 1 }))).toContain("other_title");
  });

  it.each([
    "tw.s01e01.mkv",
    "S01E01.mkv",
    "The Wire (2002) S01E01.mkv",
    "The.Wire.US.S01E01.mkv",
    "rvrs-the.wire.s01e01.mkv",
  ])("is not what is only written otherwise: %s", (name) =>
    expect(places(map(show(episode(1)), { [name]: 1 }))).toEqual([0]),
  );
});
