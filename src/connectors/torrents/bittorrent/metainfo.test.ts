import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Encodable, encode } from "./bencode.ts";
import { readInfo, readTorrentFile, readTrackers } from "./metainfo.ts";
import { safeNames, TorrentRefused } from "./paths.ts";

const limits = { files: 100, metadataBytes: 1_000_000 };
const PIECE = 16_384;
const hashes = (count: number) => Buffer.alloc(20 * count, 1);
const info = (more: { readonly [key: string]: Encodable }) =>
  encode({ name: "x", "piece length": PIECE, pieces: hashes(1), ...more });
const read = (more: { readonly [key: string]: Encodable }) => readInfo(info(more), limits);
const withPath = (...path: string[]) => ({ files: [{ length: 1, path }] });

describe("what a torrent says of itself", () => {
  it("is read, for one file and for many, with where each begins", () => {
    expect(read({ length: 10 })).toMatchObject({
      name: "x",
      isSingle: true,
      totalBytes: 10,
      pieceCount: 1,
      isPrivate: false,
      files: [{ names: ["x"], bytes: 10, offset: 0, isPadding: false }],
    });
    const files = [
      { length: 10, path: ["a"] },
      { length: 5, path: [".pad", "5"], attr: "p" },
      { length: 7, path: ["b", "c"] },
    ];
    expect(read({ files, private: 1 })).toMatchObject({
      isPrivate: true,
      totalBytes: 22,
      files: [
        { names: ["x", "a"], offset: 0 },
        { isPadding: true, offset: 10 },
        { names: ["x", "b", "c"], offset: 15 },
      ],
    });
  });

  it("has the infohash of its own bytes", () => {
    const bytes = info({ length: 10 });
    const file = Buffer.concat([Buffer.from("d4:info"), bytes, Buffer.from("e")]);
    expect(readTorrentFile(file).info.equals(bytes)).toBe(true);
    expect(readInfo(bytes, limits).infohash).toBe(createHash("sha1").update(bytes).digest("hex"));
  });

  it.each([
    ["pieces that do not add up", { length: PIECE + 1 }, "not right"],
    ["nothing in it", { length: 0 }, "nothing in it"],
    ["a negative size", { length: -1 }, "without a size"],
    ["pieces of no size", { length: 1, "piece length": 0 }, "pieces of 0"],
    ["huge pieces", { length: 1, "piece length": 2 ** 40 }, "pieces of"],
    ["no hashes", { length: 1, pieces: "" }, "no list of pieces"],
    ["half a hash", { length: 1, pieces: Buffer.alloc(19) }, "no list of pieces"],
    ["version 2 alone", { "meta version": 2, pieces: "" }, "v2 alone"],
    ["a name that leads out", { length: 1, name: ".." }, 'named ".."'],
    ["a link", { length: 1, attr: "l", "symlink path": ["etc"] }, "link to another file"],
    ["a file that leads out", withPath("..", "..", "etc", "passwd"), 'named ".."'],
    ["a whole path", withPath("/etc/passwd"), "leave its folder"],
    ["a path of another system", withPath("..\\..\\x"), "leave its folder"],
    ["a NUL", withPath("a\0"), "leave its folder"],
    ["no path", withPath(), "without a name"],
    ["an empty name", withPath("a", ""), 'named ""'],
    ["deep folders", withPath(...Array.from({ length: 30 }, () => "d")), "deeper than"],
    ["a long path", withPath(...Array.from({ length: 20 }, () => "d".repeat(200))), "longer than"],
    [
      "two files in one place",
      {
        files: [
          { length: 1, path: ["A"] },
          { length: 1, path: ["a"] },
        ],
      },
      "two files in one",
    ],
    [
      "a file in a file",
      {
        files: [
          { length: 1, path: ["a"] },
          { length: 1, path: ["a", "b"] },
        ],
      },
      "a file and a folder",
    ],
    [
      "too many files",
      { files: Array.from({ length: 101 }, (_, i) => ({ length: 1, path: [`${i}`] })) },
      "100 is the most",
    ],
  ] as const)("is refused with %s", (_, more, words) => {
    expect(() => read(more)).toThrow(TorrentRefused);
    expect(() => read(more)).toThrow(words);
  });

  it("is refused where it is no torrent at all, or too long", () => {
    expect(() => readTorrentFile(Buffer.from("<html>"))).toThrow(TorrentRefused);
    expect(() => readTorrentFile(Buffer.from("de"))).toThrow("nothing of what it is of");
    expect(() => readInfo(info({ length: 1 }), { ...limits, metadataBytes: 10 })).toThrow("10 is the most");
  });

  it("names trackers that can be asked, each once, and not too many", () => {
    const tiers = [["udp://a:1", "http://b/announce"], ["wss://c", "http://b/announce"], ["file:///etc/passwd"]];
    const file = encode({ announce: "http://b/announce", "announce-list": tiers, info: {} });
    expect(readTorrentFile(file).trackers).toEqual(["http://b/announce", "udp://a:1"]);
    const many = Array.from({ length: 50 }, (_, i) => `&tr=http%3A%2F%2Ft${i}%2F`).join("");
    expect(readTrackers(`magnet:?xt=urn:btih:x${many}`)).toHaveLength(20);
  });
});

describe("names", () => {
  it("that are too long for a disk keep their end, and stay different", () => {
    const [one = "", other = ""] = ["é".repeat(200), `${"é".repeat(199)}e`].flatMap((name) =>
      safeNames([`${name}.mkv`]),
    );
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(255);
    expect(one.endsWith(".mkv")).toBe(true);
    expect(one).not.toBe(other);
    expect(one.isWellFormed()).toBe(true);
  });

  it("lose what would move a cursor", () => {
    expect(safeNames(["a\u001b[2Jb\n"])).toEqual(["a_[2Jb_"]);
  });
});
