import { describe, expect, it } from "vitest";
import { film, map, places } from "../../../../test/support/torrent-files.ts";

describe("the file of a film", () => {
  it("is the large one, beside samples, extras and trailers; with all the subtitles", () => {
    const mapped = map(film, {
      "The.Matrix.1999/Sample/the.matrix.sample.mkv": 0.05,
      "The.Matrix.1999/the.matrix.1999.mkv": 8,
      "The.Matrix.1999/Featurettes/Making of.mkv": 2,
      "The.Matrix.1999/the.matrix.1999-trailer.mkv": 0.1,
      "The.Matrix.1999/Subs/2_English.srt": 0.001,
      "The.Matrix.1999/the.matrix.nfo": 0.001,
    });
    expect(mapped).toEqual({
      problem: null,
      parts: [{ key: "film", file: 1, subtitles: [4], problem: null }],
      unmapped: [],
    });
  });

  it("may be called anything, as long as it names nothing else", () => {
    expect(places(map(film, { "abc123.mkv": 8 }))).toEqual([0]);
    expect(places(map(film, { "Sample.mkv": 8 }))).toEqual([0]);
    expect(places(map(film, { "Heat.1995.mkv": 8 }))).toEqual(["other_title"]);
    expect(places(map(film, { "Heat.1999.mkv": 8 }))).toEqual(["other_title"]);
    expect(places(map(film, { "The.Matrix.2021.mkv": 8 }))).toEqual(["other_title"]);
    expect(places(map(film, { "The.Matrix.S01E01.mkv": 8 }))).toEqual(["other_title"]);
    expect(places(map(film, { "Virus.1999.mkv": 8 }, "Virus.AKA.The.Matrix.1999.German.1080p"))).toEqual([0]);
  });

  it("is the one that is called so among several films", () => {
    const trilogy = { "T/The.Matrix.Reloaded.2003.mkv": 9, "T/The.Matrix.1999.mkv": 8, "T/Revolutions.2003.mkv": 9 };
    const mapped = map(film, trilogy);
    expect(places(mapped)).toEqual([1]);
    expect(mapped.unmapped.map(({ index }) => index)).toEqual([0, 2]);
  });

  it("is the larger of two versions, and none of several that could be anything", () => {
    expect(places(map(film, { "The.Matrix.1999.720p.mkv": 4, "The.Matrix.1999.1080p.mkv": 8 }))).toEqual([1]);
    expect(places(map(film, { "a.mkv": 4, "b.mkv": 5 }))).toEqual(["several_candidates"]);
    expect(places(map(film, { "a.mkv": 1, "b.mkv": 5 }))).toEqual([1]);
    expect(places(map(film, { "The.Matrix.1999.CD1.avi": 0.7, "The.Matrix.1999.CD2.avi": 0.7 }))).toEqual(["in_parts"]);
  });
});
