import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { bencode, type Encodable, makeTorrent } from "../../../sandbox/media/make-torrent.ts";
import { Fault } from "../../engine/index.ts";
import { infohashOf, MOST_TORRENT_BYTES, readMagnet, readTorrent } from "./infohash.ts";

const PIECES = Buffer.alloc(20, 7);
const sha1 = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

function torrent(info: Record<string, Encodable>): Buffer {
  return bencode({ announce: "http://127.0.0.1/announce", info });
}

const single = { name: "film.mkv", length: 16_000, "piece length": 16_384, pieces: PIECES };
const refusal = (act: () => unknown) => {
  try {
    return `no refusal but ${JSON.stringify(act())}`;
  } catch (error) {
    return error instanceof Fault && error.kind === "permanent" ? `${error.code}: ${error.message}` : error;
  }
};

describe("a torrent file", () => {
  it("is named by the hash of the very bytes of its info", () => {
    const read = readTorrent(torrent(single));
    expect(read).toEqual({
      infohash: sha1(bencode(single)),
      infohashV2: null,
      name: "film.mkv",
      files: [{ path: "film.mkv", bytes: 16_000 }],
      bytes: 16_000,
    });
  });

  it("keeps its name where its keys are out of order, which writing it anew would mend", () => {
    const info = Buffer.concat([
      Buffer.from("d6:pieces20:"),
      PIECES,
      Buffer.from("12:piece lengthi16384e4:name1:a6:lengthi5ee"),
    ]);
    const file = Buffer.concat([Buffer.from("d4:info"), info, Buffer.from("7:comment1:xe")]);
    expect(readTorrent(file).infohash).toBe(sha1(info));
    expect(sha1(info)).not.toBe(sha1(bencode({ pieces: PIECES, "piece length": 16_384, name: "a", length: 5 })));
  });

  it("names its files with its folder, and leaves out what only fills up pieces", () => {
    const files = [
      { length: 10, path: ["Season 1", "e01.mkv"] },
      { length: 6, path: [".pad", "6"], attr: "p" },
      { length: 20, path: ["latin-\u00e9.mkv"], "path.utf-8": ["utf-8-é.mkv"] },
    ];
    const read = readTorrent(torrent({ name: "Pack", "piece length": 16_384, pieces: PIECES, files }));
    expect(read.files).toEqual([
      { path: "Pack/Season 1/e01.mkv", bytes: 10 },
      { path: "Pack/utf-8-é.mkv", bytes: 20 },
    ]);
    expect(read.bytes).toBe(30);
  });

  it("of both versions has both names, and goes by the first", () => {
    const info = { ...single, "meta version": 2, "file tree": { "film.mkv": { "": { length: 16_000 } } } };
    const { infohash, infohashV2 } = readTorrent(torrent(info));
    expect(infohash).toBe(sha1(bencode(info)));
    expect(infohashV2).toBe(createHash("sha256").update(bencode(info)).digest("hex"));
  });

  it("of version 2 alone is refused, and what would do is said", () => {
    const { pieces: _, ...rest } = single;
    expect(refusal(() => readTorrent(torrent({ ...rest, "meta version": 2 })))).toBe(
      "TORRENT_V2_ONLY: a torrent of version 2 alone cannot be downloaded: a hybrid of it or one of version 1 can",
    );
  });

  test.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(), "it is empty"],
    ["a page", Buffer.from("<!doctype html><html>log in</html>"), 'it begins with "<!doctype html>'],
    ["more after its end", Buffer.concat([torrent(single), Buffer.from("x")]), "1 bytes follow after its end"],
    ["half of it", torrent(single).subarray(0, 60), "is cut off"],
    ["lists in lists in lists", Buffer.from(`d4:info${"l".repeat(100_000)}`), "nested more than 64 deep"],
    ["more values than there could be", Buffer.from(`d4:infol${"le".repeat(600_000)}ee`), "more than 500000 values"],
    ["a text longer than the file", Buffer.from("d999999999999:a"), "goes beyond its end"],
    ["a text of negative length", Buffer.from("d-5:hello"), "negative length"],
    ["a length that no number holds", Buffer.from(`d${"9".repeat(400)}:a`), "a number that is too large"],
    ["a number with a zero before it", Buffer.from("d4:infoi007ee"), "a number that is written wrongly"],
    ["minus nothing", Buffer.from("d4:infoi-0ee"), "a number that is written wrongly"],
    ["no digits", Buffer.from("d4:infoiee"), "a number that is written wrongly"],
    ["one key twice", Buffer.from("d4:infode4:infodee"), "names the same key twice"],
    ["no info", bencode({ announce: "x" }), "info is missing or no dictionary"],
    ["an info that is a list", bencode({ info: [] }), "info is missing or no dictionary"],
    ["no pieces", torrent({ name: "a", length: 1 }), "the hashes of its pieces are missing"],
    ["half a piece's hash", torrent({ ...single, pieces: Buffer.alloc(19) }), "the hashes of its pieces are missing"],
    ["a length below nothing", torrent({ ...single, length: -1 }), "has no length, or one below 0"],
    ["a name that leads up", torrent({ ...single, name: "../../etc/passwd" }), 'is called "../../etc/passwd"'],
    ["a name that is above", torrent({ ...single, name: ".." }), 'is called ".."'],
    ["a name with a NUL", torrent({ ...single, name: "a\0b" }), "is called"],
    ["a name with a backslash", torrent({ ...single, name: "a\\b" }), "is called"],
    ["no files", torrent({ ...single, files: [] }), "its list of files is empty"],
    ["a file of no name", torrent({ ...single, files: [{ length: 1, path: [] }] }), "has no name"],
    ["a file that leads up", torrent({ ...single, files: [{ length: 1, path: ["..", "x"] }] }), 'is called ".."'],
    [
      "a hundred thousand files",
      torrent({ ...single, files: Array.from({ length: 100_000 }, () => ({ length: 1, path: ["a"] })) }),
      "it has 100000 files, more than the 10000 allowed",
    ],
    ["more than ten megabytes", Buffer.alloc(MOST_TORRENT_BYTES + 1, 0x64), "more than the 10485760 allowed"],
  ])("that is %s is refused, and why is said", (_, bytes, why) => {
    const said = refusal(() => readTorrent(bytes));
    expect(said).toContain("NOT_A_TORRENT: this is no torrent file that can be used: ");
    expect(said).toContain(why);
  });

  it("with a name of 300 characters is one: the client cuts it as its disk needs", () => {
    expect(readTorrent(torrent({ ...single, name: "x".repeat(300) })).name).toHaveLength(300);
  });

  it("is read or refused, whatever it is: never another error", () => {
    const bytes = torrent(single);
    const spoilt = fc.tuple(fc.nat(bytes.byteLength - 1), fc.nat(255)).map(([at, byte]) => {
      const copy = Uint8Array.from(bytes);
      copy[at] = byte;
      return copy;
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), spoilt), (any) => {
        try {
          readTorrent(any);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("a magnet link", () => {
  const HEX = "0123456789abcdef0123456789abcdef01234567";
  const BASE32 = "AERUKZ4JVPG66AJDIVTYTK6N54ASGRLH";

  test.each([
    [`magnet:?xt=urn:btih:${HEX}`, null],
    [`magnet:?xt=urn:btih:${HEX.toUpperCase()}&dn=A%20film`, "A film"],
    [`MAGNET:?dn=A+film&xt.1=urn:btih:${HEX}&tr=http%3A%2F%2Ftracker`, "A film"],
    [`magnet:?xt=urn:btih:${BASE32}`, null],
    [`magnet:?xt=urn:btih:${BASE32.toLowerCase()}&xt=urn:btmh:1220${"ab".repeat(32)}`, null],
  ])("%s names a torrent", (magnet, name) => {
    expect(readMagnet(magnet)).toEqual({ infohash: HEX, name });
    expect(infohashOf({ magnet })).toBe(HEX);
  });

  it("is the same torrent as its file", () => {
    const content = Buffer.from("content");
    const made = makeTorrent({ name: "a", files: [{ content }], announce: "http://127.0.0.1/announce" });
    expect(infohashOf({ magnet: made.magnet })).toBe(infohashOf({ file: made.file }));
  });

  test.each([
    ["http://indexer/file.torrent", 'does not begin with "magnet:?"'],
    ["magnet:?dn=film", "has no urn:btih:"],
    ["magnet:?xt=urn:btih:abc", "neither 40 hex digits nor 32"],
    [`magnet:?xt=urn:btih:${HEX}g`, "neither 40 hex digits nor 32"],
    [`magnet:?xt=urn:btih:${HEX}&xt=urn:btih:${HEX.replace("0", "1")}`, "names two torrents"],
    [`magnet:?xt=urn:btih:${HEX}\nhttp://169.254.169.254/`, "a line break"],
    [`magnet:?xt=urn:btih:${HEX}&dn=${"x".repeat(20_000)}`, "more than 16384 characters"],
  ])("%s is refused, and why is said", (magnet, why) => {
    expect(refusal(() => readMagnet(magnet))).toContain(why);
  });

  it("of version 2 alone is refused", () => {
    expect(refusal(() => readMagnet(`magnet:?xt=urn:btmh:1220${"ab".repeat(32)}`))).toContain("TORRENT_V2_ONLY");
  });
});
