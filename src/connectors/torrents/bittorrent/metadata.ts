// What a magnet link leaves out, from peers (BEP 9): asked of a few at once, believed only when it has the right hash.

import { asNumber, type BencodedMap, encode } from "./bencode.ts";
import { sha1Of } from "./metainfo.ts";
import type { Peer } from "./peer.ts";
import { BLOCK_BYTES } from "./wire.ts";

const AT_A_TIME = 3;

interface Fetch {
  readonly data: Buffer;
  readonly missing: Set<number>;
}

export class MetadataFetch {
  readonly #infohash: string;
  readonly #mostBytes: number;
  readonly #fetches = new Map<Peer, Fetch>();

  constructor(infohash: string, mostBytes: number) {
    this.#infohash = infohash;
    this.#mostBytes = mostBytes;
  }

  /** A peer has said what it knows. */
  begin(peer: Peer): void {
    const size = peer.metadataBytes;
    if (this.#fetches.size >= AT_A_TIME || this.#fetches.has(peer) || !peer.knows("ut_metadata")) return;
    if (!(size > 0 && size <= this.#mostBytes)) return;
    const count = Math.ceil(size / BLOCK_BYTES);
    this.#fetches.set(peer, { data: Buffer.alloc(size), missing: new Set(Array.from({ length: count }, (_, i) => i)) });
    for (let piece = 0; piece < count; piece += 1) peer.sayExtended("ut_metadata", encode({ msg_type: 0, piece }));
  }

  gone(peer: Peer): void {
    this.#fetches.delete(peer);
  }

  /** The whole of it once it is there and right; "wrong" where this peer made it up. */
  take(peer: Peer, map: BencodedMap, rest: Buffer): Buffer | "wrong" | undefined {
    const fetch = this.#fetches.get(peer);
    const piece = asNumber(map.get("piece"));
    if (fetch === undefined || piece === undefined) return undefined;
    const kind = asNumber(map.get("msg_type"));
    if (kind === 2) {
      this.#fetches.delete(peer);
      return undefined;
    }
    const expected = Math.min(BLOCK_BYTES, fetch.data.length - piece * BLOCK_BYTES);
    if (kind !== 1 || !fetch.missing.has(piece) || rest.length !== expected) return undefined;
    fetch.data.set(rest, piece * BLOCK_BYTES);
    fetch.missing.delete(piece);
    if (fetch.missing.size > 0) return undefined;
    this.#fetches.delete(peer);
    return sha1Of(fetch.data) === this.#infohash ? fetch.data : "wrong";
  }
}

/** Somebody else came by a magnet link, and asks us. */
export function answerMetadata(peer: Peer, map: BencodedMap, info: Buffer | undefined): void {
  const piece = asNumber(map.get("piece"));
  if (asNumber(map.get("msg_type")) !== 0 || piece === undefined || piece < 0) return;
  const part = info?.subarray(piece * BLOCK_BYTES, (piece + 1) * BLOCK_BYTES);
  if (info === undefined || part === undefined || part.length === 0)
    return void peer.sayExtended("ut_metadata", encode({ msg_type: 2, piece }));
  const head = encode({ msg_type: 1, piece, total_size: info.length });
  peer.sayExtended("ut_metadata", Buffer.concat([head, part]));
}
