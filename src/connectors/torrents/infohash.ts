// What a torrent is: its infohash, taken from the bytes themselves and never guessed, and the files it claims to hold.

import { createHash } from "node:crypto";
import { type Fault, permanent } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import { type Bencoded, BencodedDictionary, BencodeError, readBencode } from "./bencode.ts";
import type { TorrentSource } from "./torrents.ts";

export const MOST_TORRENT_BYTES = 10 * 1024 * 1024;
const MOST_FILES = 10_000;
const LONGEST_MAGNET = 16_384;

export interface TorrentContent {
  /** Of version 1, which every client knows a torrent by: 40 hex digits in lower case. */
  readonly infohash: string;
  /** Of version 2, where it has one besides: 64 hex digits. */
  readonly infohashV2: string | null;
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly bytes: number;
}

export interface Magnet {
  readonly infohash: string;
  readonly name: string | null;
}

/** Of either kind of source; a permanent fault where it is none, or one that no client of ours can load. */
export function infohashOf(source: TorrentSource): string {
  return source.magnet === undefined ? readTorrent(source.file).infohash : readMagnet(source.magnet).infohash;
}

export function readTorrent(bytes: Uint8Array): TorrentContent {
  if (bytes.byteLength > MOST_TORRENT_BYTES)
    throw refused(`it has ${bytes.byteLength} bytes, more than the ${MOST_TORRENT_BYTES} allowed`);
  if (bytes[0] !== 0x64) {
    const begins = safeText(
      Buffer.from(bytes.subarray(0, 40))
        .toString("latin1")
        .replaceAll(/\p{Cc}+/gu, " "),
      60,
    );
    throw refused(bytes.byteLength === 0 ? "it is empty" : `it begins with "${begins}"`);
  }
  const info = dictionary(field(bencoded(bytes), "info"), "info");
  const version = field(info, "meta version");
  const infohashV2 = version === 2 ? createHash("sha256").update(info.bytes).digest("hex") : null;
  const pieces = field(info, "pieces");
  if (pieces === undefined && infohashV2 !== null)
    throw permanent(
      "TORRENT_V2_ONLY",
      "a torrent of version 2 alone cannot be downloaded: a hybrid of it or one of version 1 can",
      { breaker: "none" },
    );
  if (!(pieces instanceof Uint8Array) || pieces.byteLength === 0 || pieces.byteLength % 20 !== 0)
    throw refused("the hashes of its pieces are missing or broken");
  const name = fileName(textField(info, "name"));
  const files = filesOf(info, name);
  return {
    infohash: createHash("sha1").update(info.bytes).digest("hex"),
    infohashV2,
    name,
    files,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
  };
}

function bencoded(bytes: Uint8Array): BencodedDictionary {
  try {
    return dictionary(readBencode(bytes), "it");
  } catch (error) {
    if (error instanceof BencodeError) throw refused(error.message);
    throw error;
  }
}

function filesOf(info: BencodedDictionary, name: string): TorrentContent["files"] {
  const list = field(info, "files");
  if (list === undefined) return [{ path: name, bytes: lengthOf(info) }];
  if (!Array.isArray(list) || list.length === 0) throw refused("its list of files is empty or none");
  if (list.length > MOST_FILES) throw refused(`it has ${list.length} files, more than the ${MOST_FILES} allowed`);
  return list.flatMap((entry: Bencoded) => {
    const file = dictionary(entry, "a file");
    const attributes = field(file, "attr");
    // What fills up a piece before the next file of a hybrid.
    if (attributes instanceof Uint8Array && attributes.includes(0x70)) return [];
    const parts = field(file, "path.utf-8") ?? field(file, "path");
    if (!Array.isArray(parts) || parts.length === 0) throw refused("a file of it has no name");
    return [{ path: [name, ...parts.map(text).map(fileName)].join("/"), bytes: lengthOf(file) }];
  });
}

function lengthOf(file: BencodedDictionary): number {
  const length = field(file, "length");
  if (typeof length !== "number" || length < 0) throw refused("a file of it has no length, or one below 0");
  return length;
}

/** One part of a path. What leads out of the torrent's folder is no mistake that anybody makes. */
function fileName(part: string): string {
  if (part === "" || part === "." || part === ".." || /[/\\\0]/.test(part))
    throw refused(`a file of it is called ${JSON.stringify(safeText(part, 100))}`);
  return part;
}

function textField(from: BencodedDictionary, key: string): string {
  return text(field(from, `${key}.utf-8`) ?? field(from, key));
}

/** Bytes that are no UTF-8 become question marks: names are for reading, and the client has its own. */
function text(value: Bencoded | undefined): string {
  if (!(value instanceof Uint8Array)) throw refused("it has something else where a name belongs");
  return new TextDecoder().decode(value);
}

function field(from: BencodedDictionary, key: string): Bencoded | undefined {
  return from.entries.get(key);
}

function dictionary(value: Bencoded | undefined, what: string): BencodedDictionary {
  if (value instanceof BencodedDictionary) return value;
  throw refused(`${what} is missing or no dictionary`);
}

function refused(why: string): Fault {
  return permanent("NOT_A_TORRENT", `this is no torrent file that can be used: ${why}`, { breaker: "none" });
}

export function readMagnet(magnet: string): Magnet {
  const wrong = (why: string) =>
    permanent("NOT_A_MAGNET", `this is no magnet link that can be used: ${why}`, { breaker: "none" });
  if (magnet.length > LONGEST_MAGNET) throw wrong(`it has more than ${LONGEST_MAGNET} characters`);
  // Clients take several addresses separated by line breaks: one in here would be a second one, to anywhere.
  if (/\p{Cc}/u.test(magnet)) throw wrong("it has a line break or another control character in it");
  if (!/^magnet:\?/i.test(magnet)) throw wrong('it does not begin with "magnet:?"');
  const asked = new URLSearchParams(magnet.slice(magnet.indexOf("?") + 1));
  const topics = [...asked].filter(([key]) => /^xt(\.\d+)?$/.test(key)).map(([, value]) => value);
  const hashes = new Set(topics.filter((topic) => /^urn:btih:/i.test(topic)).map((topic) => hashIn(topic.slice(9))));
  const [infohash] = hashes;
  if (hashes.size > 1) throw wrong("it names two torrents");
  if (infohash === null) throw wrong("its urn:btih: is neither 40 hex digits nor 32 letters and digits of base32");
  if (infohash !== undefined) return { infohash, name: asked.get("dn") };
  if (topics.some((topic) => /^urn:btmh:/i.test(topic)))
    throw permanent("TORRENT_V2_ONLY", "a magnet link of version 2 alone cannot be downloaded", { breaker: "none" });
  throw wrong("it has no urn:btih:");
}

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

function hashIn(topic: string): string | null {
  const word = topic.toLowerCase();
  if (/^[0-9a-f]{40}$/.test(word)) return word;
  if (!/^[a-z2-7]{32}$/.test(word)) return null;
  const bits = [...word].reduce((sum, letter) => sum * 32n + BigInt(BASE32.indexOf(letter)), 0n);
  return bits.toString(16).padStart(40, "0");
}
