import { expect, it } from "vitest";
import { formatRef, parseRef, tagOf } from "./torrent-ref.ts";

const infohash = "0123456789abcdef0123456789abcdef01234567";

it("names a torrent and the tag on it, and is read back", () => {
  const ref = { infohash, tag: tagOf("ABC.download.1") };
  expect(formatRef(ref)).toBe(`${infohash}/sluice-ABC_download_1`);
  expect(parseRef(formatRef(ref))).toEqual(ref);
});

it.each(["", infohash, `${infohash}/other`, `${infohash.toUpperCase()}/sluice-a`, `${infohash}/sluice-a/b`])(
  "%j is none",
  (ref) => {
    expect(() => parseRef(ref)).toThrow("no reference to a torrent");
  },
);
