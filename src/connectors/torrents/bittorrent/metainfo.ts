// What a torrent says of itself: read, checked and bounded. Pure.

import { createHash } from "node:crypto";
import { type Bencoded, BencodedDictionary, BencodeError } from "../bencode.ts";
import { asBytes, asList, asMap, asNumber, asText, type BencodedMap, readMap } from "./bencode.ts";
import { checkDistinct, safeNames, TorrentRefused } from "./paths.ts";

export interface PlacedFile {
  /** Its own, below the torrent's folder. */
  readonly names: readonly string[];
  readonly bytes: number;
  /** Where it begins in the torrent as a whole. */
  readonly offset: number;
  /** Stands for zeros between files, and is on no disk. */
  readonly isPadding: boolean;
}

export interface Metainfo {
  readonly infohash: string;
  readonly name: string;
  /** A single file is the torrent's own name; else they are in a folder of that name. */
  readonly isSingle: boolean;
  readonly files: readonly PlacedFile[];
  readonly totalBytes: number;
  readonly pieceBytes: number;
  readonly pieceCount: number;
  /** Twenty bytes for each. */
  readonly hashes: Buffer;
  readonly isPrivate: boolean;
}

export interface TorrentLimits {
  readonly files: number;
  readonly metadataBytes: number;
}

const LARGEST_PIECE = 64 * 1024 * 1024;
const MOST_TRACKERS = 20;

/** A .torrent: the bytes that its infohash is of, and its trackers. */
export function readTorrentFile(file: Uint8Array): { readonly info: Buffer; readonly trackers: readonly string[] } {
  const torrent = wellFormed(() => readMap(file));
  const info = torrent?.get("info");
  if (!(info instanceof BencodedDictionary)) throw new TorrentRefused("it says nothing of what it is of");
  const tiers = (asList(torrent?.get("announce-list")) ?? []).flatMap((tier) => asList(tier) ?? []);
  const trackers = knownTrackers([asText(torrent?.get("announce")), ...tiers.map(asText)]);
  return { info: Buffer.from(info.bytes), trackers };
}

/** Of a magnet link. */
export function readTrackers(magnet: string): readonly string[] {
  return knownTrackers(new URLSearchParams(magnet.slice(magnet.indexOf("?") + 1)).getAll("tr"));
}

function knownTrackers(addresses: readonly (string | undefined)[]): readonly string[] {
  const usable = addresses.filter((one) => one !== undefined && one.length < 2_000 && /^(https?|udp):\/\//i.test(one));
  return [...new Set(usable as readonly string[])].slice(0, MOST_TRACKERS); // undefined was left out
}

export const sha1Of = (info: Uint8Array): string => createHash("sha1").update(info).digest("hex");

export function readInfo(info: Uint8Array, limits: TorrentLimits): Metainfo {
  if (info.byteLength > limits.metadataBytes)
    throw new TorrentRefused(`it describes itself in ${info.byteLength} bytes; ${limits.metadataBytes} is the most`);
  const map = wellFormed(() => readMap(info));
  if (map === undefined) throw new TorrentRefused("what it says of itself is no dictionary");
  const hashes = asBytes(map.get("pieces"));
  if (hashes === undefined || hashes.length === 0 || hashes.length % 20 !== 0) {
    if (map.has("meta version") || map.has("file tree"))
      throw new TorrentRefused("it is of BitTorrent v2 alone; v1 and both together are understood", "TORRENT_V2_ONLY");
    throw new TorrentRefused("it has no list of pieces");
  }
  const pieceBytes = asNumber(map.get("piece length")) ?? 0;
  if (!(pieceBytes >= 1_024 && pieceBytes <= LARGEST_PIECE))
    throw new TorrentRefused(`it has pieces of ${pieceBytes} bytes`);
  const [name = ""] = safeNames([asText(map.get("name.utf-8")) ?? asText(map.get("name")) ?? ""]);
  const list = asList(map.get("files"));
  const files = list === undefined ? singleFile(map) : manyFiles(list, limits);
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const pieceCount = hashes.length / 20;
  if (!Number.isSafeInteger(totalBytes) || totalBytes <= 0) throw new TorrentRefused("there is nothing in it");
  if (Math.ceil(totalBytes / pieceBytes) !== pieceCount)
    throw new TorrentRefused(`it has ${pieceCount} pieces for ${totalBytes} bytes, which is not right`);
  return {
    infohash: sha1Of(info),
    name,
    isSingle: list === undefined,
    files: files.map((file) =>
      list === undefined ? { ...file, names: [name] } : { ...file, names: [name, ...file.names] },
    ),
    totalBytes,
    pieceBytes,
    pieceCount,
    hashes: Buffer.from(hashes),
    isPrivate: asNumber(map.get("private")) === 1,
  };
}

function singleFile(map: BencodedMap): readonly PlacedFile[] {
  refuseLink(map);
  return [{ names: [], bytes: sizeOf(map), offset: 0, isPadding: false }];
}

function manyFiles(list: readonly Bencoded[], limits: TorrentLimits): readonly PlacedFile[] {
  if (list.length > limits.files) throw new TorrentRefused(`it has ${list.length} files; ${limits.files} is the most`);
  let offset = 0;
  const files = list.map((entry): PlacedFile => {
    const file = asMap(entry);
    if (file === undefined) throw new TorrentRefused("it has a file that is none");
    refuseLink(file);
    const names = (asList(file.get("path.utf-8")) ?? asList(file.get("path")) ?? []).map((name) => asText(name) ?? "");
    const isPadding = attributes(file).includes("p");
    const placed = { names: isPadding ? names : safeNames(names), bytes: sizeOf(file), offset, isPadding };
    offset += placed.bytes;
    return placed;
  });
  checkDistinct(files.filter(({ isPadding }) => !isPadding).map(({ names }) => names));
  return files;
}

function sizeOf(file: BencodedMap): number {
  const bytes = asNumber(file.get("length"));
  if (bytes === undefined || bytes < 0) throw new TorrentRefused("it has a file without a size");
  return bytes;
}

const attributes = (file: BencodedMap): string => asText(file.get("attr")) ?? "";

function refuseLink(file: BencodedMap): void {
  if (attributes(file).includes("l") || file.has("symlink path"))
    throw new TorrentRefused("it has a link to another file, which could lead anywhere");
}

function wellFormed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BencodeError) throw new TorrentRefused(error.message);
    throw error;
  }
}
