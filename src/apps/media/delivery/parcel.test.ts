import { describe, expect, it } from "vitest";
import type { PartsOutput } from "../../../engine/index.ts";
import type { Encoded } from "../encoded.ts";
import { encodingsMissing, fileFor } from "./parcel.ts";

const download = { infohash: "a", path: "/d/film.mkv", bytes: 10 };
const made: Encoded = {
  ...{ kind: "made", path: "/e/film.mkv", bytes: 4, sourceBytes: 10, durationMs: 1, width: 1, height: 1, encoder: "x" },
};
const encode: PartsOutput<Encoded> = {
  delivered: ["hevc", "small"],
  failed: [{ part: "av1", code: "CRASHED", message: "ffmpeg left with 1" }],
  cancelled: [],
  outputs: { hevc: made, small: { kind: "larger", reason: "it came out larger" } },
};
const to = (encoding: string | null) => ({ name: "nas", encoding });

describe("what a target gets", () => {
  it("is the encode of its profile, or the download where there is none or it came to nothing better", () => {
    expect(fileFor(to("hevc"), { download, encode })).toEqual({ path: "/e/film.mkv", bytes: 4 });
    const original = { path: "/d/film.mkv", bytes: 10 };
    expect(fileFor(to(null), { download, encode })).toEqual(original);
    expect(fileFor(to("small"), { download, encode })).toEqual(original);
    expect(fileFor(to(null), { download })).toEqual(original);
  });

  it("is nothing where the encode failed for good, with that reason", () => {
    expect(fileFor(to("av1"), { download, encode })).toMatchObject({
      ...{ code: "CRASHED", message: "it could not be encoded as av1: ffmpeg left with 1" },
    });
    expect(fileFor(to("vp9"), { download, encode })).toMatchObject({ code: "NOT_ENCODED" });
    expect(fileFor(to("vp9"), { download })).toMatchObject({ code: "NOT_ENCODED" });
  });
});

it("encodings that nobody has tried are missing, each once", () => {
  const targets = [to("vp9"), to("av1"), to("hevc"), to(null), to("vp9")];
  expect(encodingsMissing(targets, encode)).toEqual(["vp9"]);
  expect(encodingsMissing(targets, undefined)).toEqual(["vp9", "av1", "hevc"]);
});
