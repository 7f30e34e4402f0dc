import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { film, firstThree, GB, map, places } from "../../../../test/support/torrent-files.ts";
import { mapFiles } from "./file-map.ts";

describe("a release of which nothing can be used", () => {
  it.each<[string, string, Record<string, number>]>([
    ["has no files", "no_files", {}],
    ["is packed", "rar", { "F/film.rar": 0.1, "F/film.r00": 4, "F/film.r01": 4, "F/Sample/sample.mkv": 0.05 }],
    ["is packed beside a video that is not it", "rar", { "F/film.rar": 8, "F/clip.mkv": 0.1 }],
    ["is locked", "encrypted", { "F/film.zip": 8, "F/Password.txt": 0.001 }],
    ["is encrypted", "encrypted", { "F/film.mkv.enc": 8 }],
    ["is a Blu-ray", "disc_image", { "F/BDMV/STREAM/00001.m2ts": 30, "F/BDMV/index.bdmv": 0.001 }],
    ["is a DVD", "disc_image", { "F/VIDEO_TS/VTS_01_1.VOB": 1, "F/VIDEO_TS/VIDEO_TS.IFO": 0.001 }],
    ["is an image", "disc_image", { "F/film.iso": 30 }],
    ["is a playlist", "playlist", { "F/The.Matrix.1999.1080p.m3u8": 0.001 }],
    ["holds a program", "executable", { "F/film.mkv": 8, "F/codec.exe": 0.01 }],
    ["is a program that looks like a video", "executable", { "F/film.mkv.scr": 2 }],
    ["leads out of its folder", "unsafe_path", { "F/film.mkv": 8, "../../etc/passwd": 0.1 }],
    ["has a NUL in a name", "unsafe_path", { "F/film\0.mkv": 8 }],
    ["has a name that no disk takes", "unsafe_path", { [`F/${"x".repeat(300)}.mkv`]: 8 }],
    ["has only a sample and music", "no_video", { "F/song.mp3": 0.1, "F/film-trailer.mkv": 0.1 }],
    ["has a video of no bytes", "no_video", { "F/film.mkv": 0 }],
  ])("%s: %s", (_, code, files) => {
    const mapped = map(firstThree, files);
    expect(mapped.problem?.code).toBe(code);
    expect(mapped.problem?.reason).toMatch(/^\w.{10,}/);
    expect(places(mapped)).toEqual([code, code, code]);
  });

  it("is not one that has a small archive or a list of addresses beside the video", () => {
    expect(places(map(film, { "F/film.mkv": 8, "F/subs.rar": 0.001, "F/site.url": 0.001 }))).toEqual([0]);
  });

  it("has more files than anything has", () => {
    const files = Array.from({ length: 20_001 }, (_, index) => ({ index, path: `F/${index}.mkv`, bytes: 1 }));
    expect(mapFiles({ wanted: film, release: "", files }).problem?.code).toBe("too_many_files");
  });
});

it("tells of everything that is wanted once, and gives no file that is not there", () => {
  const name = fc.oneof(
    fc.constantFrom(
      "The.Wire.S01E01.mkv",
      "S/The.Wire.S01E02E03.mkv",
      "x.mkv",
      "01.mkv",
      "a.rar",
      "s.srt",
      "Treme.S01E01.mkv",
    ),
    fc.string({ unit: "binary", maxLength: 30 }).map((text) => `${text}.mkv`),
  );
  const files = fc.uniqueArray(fc.record({ path: name, bytes: fc.integer({ min: 0, max: GB }) }), {
    maxLength: 8,
    selector: ({ path }) => path,
  });
  fc.assert(
    fc.property(files, (list) => {
      const entries = list.map((file, index) => ({ ...file, index }));
      const mapped = mapFiles({ wanted: firstThree, files: entries, release: "The.Wire.S01" });
      expect(mapped.parts.map(({ key }) => key)).toEqual(["e1", "e2", "e3"]);
      for (const { file, problem } of mapped.parts) {
        expect(file === null).toBe(problem !== null);
        if (file !== null) expect(entries[file]?.path).toMatch(/^(S\/)?The\.Wire|^01\.mkv$|\d/);
      }
      const reversed = mapFiles({ wanted: firstThree, files: [...entries].reverse(), release: "The.Wire.S01" });
      expect(places(reversed).map(String)).toEqual(places(mapped).map(String));
    }),
    { numRuns: 100 },
  );
});
