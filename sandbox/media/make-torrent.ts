// Torrents of the demo world and of tests, made from content that is at hand.

import { createHash } from "node:crypto";

export type Encodable = number | string | Uint8Array | readonly Encodable[] | { readonly [key: string]: Encodable };

/** Keys in the order of their bytes, as everybody expects. */
export function bencode(value: Encodable): Buffer {
  if (typeof value === "number") return Buffer.from(`i${value}e`);
  if (typeof value === "string" || value instanceof Uint8Array) {
    const bytes = Buffer.from(value);
    return Buffer.concat([Buffer.from(`${bytes.byteLength}:`), bytes]);
  }
  if (isList(value)) return Buffer.concat([Buffer.from("l"), ...value.map(bencode), Buffer.from("e")]);
  const entries = Object.entries(value).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const pieces = entries.flatMap(([key, each]) => [bencode(key), bencode(each)]);
  return Buffer.concat([Buffer.from("d"), ...pieces, Buffer.from("e")]);
}

function isList(value: Encodable): value is readonly Encodable[] {
  return Array.isArray(value);
}

export interface TorrentMaking {
  readonly name: string;
  /** One without a path is a torrent of one file, which has the torrent's name. */
  readonly files: readonly { readonly path?: string; readonly content: Uint8Array }[];
  /** The tracker's address. */
  readonly announce: string;
}

export const PIECE_BYTES = 16_384;

export function makeTorrent({ name, files, announce }: TorrentMaking): {
  readonly infohash: string;
  readonly file: Uint8Array;
  readonly magnet: string;
} {
  const content = Buffer.concat(files.map((file) => file.content));
  const pieces: Buffer[] = [];
  for (let at = 0; at < content.byteLength; at += PIECE_BYTES)
    pieces.push(
      createHash("sha1")
        .update(content.subarray(at, at + PIECE_BYTES))
        .digest(),
    );
  const [only] = files;
  const held: { readonly [key: string]: Encodable } =
    files.length === 1 && only?.path === undefined
      ? { length: content.byteLength }
      : { files: files.map((file) => ({ length: file.content.byteLength, path: (file.path ?? "").split("/") })) };
  const info = { ...held, name, "piece length": PIECE_BYTES, pieces: Buffer.concat(pieces) };
  const infohash = createHash("sha1").update(bencode(info)).digest("hex");
  const magnet = `magnet:?xt=urn:btih:${infohash}&dn=${encodeURIComponent(name)}&tr=${encodeURIComponent(announce)}`;
  return { infohash, file: bencode({ announce, info }), magnet };
}
