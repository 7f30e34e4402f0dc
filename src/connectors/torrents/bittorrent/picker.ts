// Which block to ask a peer for next: pieces that were begun first, then the rarest; at the end the same block of several.

import type { Random } from "../../../kit/index.ts";
import type { PieceSet } from "./piece-set.ts";
import { BLOCK_BYTES } from "./wire.ts";

export interface Block {
  readonly piece: number;
  readonly offset: number;
  readonly length: number;
}

interface Begun<Peer> {
  readonly data: Buffer;
  /** For each block: who was asked for it; null once it is there. */
  readonly asked: (Set<Peer> | null)[];
  /** Who gave something of it, to know whom to doubt. */
  readonly givers: Set<Peer>;
  missing: number;
}

export interface Sizes {
  readonly pieceBytes: number;
  readonly pieceCount: number;
  readonly totalBytes: number;
}

/** What was begun is in memory: many peers with large pieces must not fill it. */
const MOST_HELD_BYTES = 96 * 1024 * 1024;

export class Picker<Peer> {
  readonly #sizes: Sizes;
  readonly #random: Random;
  readonly #begun = new Map<number, Begun<Peer>>();
  readonly #common: Uint16Array;
  readonly have: PieceSet;

  constructor(sizes: Sizes, have: PieceSet, random: Random) {
    this.#sizes = sizes;
    this.#random = random;
    this.have = have;
    this.#common = new Uint16Array(sizes.pieceCount);
  }

  lengthOf(piece: number): number {
    const { pieceBytes, pieceCount, totalBytes } = this.#sizes;
    return piece === pieceCount - 1 ? totalBytes - pieceBytes * (pieceCount - 1) : pieceBytes;
  }

  /** A peer has it, or has gone with it. */
  counted(piece: number, by: 1 | -1): void {
    const known = this.#common[piece] ?? 0;
    if (by === 1 || known > 0) this.#common[piece] = known + by;
  }

  wants(of: PieceSet): boolean {
    if (this.have.isWhole) return false;
    for (let piece = 0; piece < this.#sizes.pieceCount; piece += 1)
      if (of.has(piece) && !this.have.has(piece)) return true;
    return false;
  }

  /** Undefined where this peer has nothing for us now. */
  next(peer: Peer, of: PieceSet): Block | undefined {
    for (const [piece, begun] of this.#begun) {
      if (!of.has(piece)) continue;
      const free = begun.asked.findIndex((asked) => asked?.size === 0);
      if (free !== -1) return this.#ask(peer, piece, begun, free);
    }
    const fresh = this.#freshPiece(of);
    if (fresh !== undefined) return this.#ask(peer, fresh, this.#begin(fresh), 0);
    return this.#asWell(peer, of);
  }

  /** Everything that is left was asked of somebody: of two who have the last block, one may be slow. */
  #asWell(peer: Peer, of: PieceSet): Block | undefined {
    if (this.#begun.size + this.have.count < this.#sizes.pieceCount) return undefined;
    for (const [piece, begun] of this.#begun) {
      if (!of.has(piece)) continue;
      const at = begun.asked.findIndex((asked) => asked !== null && asked.size < 3 && !asked.has(peer));
      if (at !== -1) return this.#ask(peer, piece, begun, at);
    }
    return undefined;
  }

  #freshPiece(of: PieceSet): number | undefined {
    const { pieceCount, pieceBytes } = this.#sizes;
    if (this.#begun.size > 0 && (this.#begun.size + 1) * pieceBytes > MOST_HELD_BYTES) return undefined;
    const start = Math.floor(this.#random.fraction() * pieceCount);
    let best: number | undefined;
    for (let step = 0; step < pieceCount; step += 1) {
      const piece = (start + step) % pieceCount;
      if (!of.has(piece) || this.have.has(piece) || this.#begun.has(piece)) continue;
      if (best === undefined || (this.#common[piece] ?? 0) < (this.#common[best] ?? 0)) best = piece;
    }
    return best;
  }

  #begin(piece: number): Begun<Peer> {
    const length = this.lengthOf(piece);
    const blocks = Math.ceil(length / BLOCK_BYTES);
    const asked = Array.from({ length: blocks }, () => new Set<Peer>());
    const begun = { data: Buffer.alloc(length), asked, givers: new Set<Peer>(), missing: blocks };
    this.#begun.set(piece, begun);
    return begun;
  }

  #ask(peer: Peer, piece: number, begun: Begun<Peer>, at: number): Block {
    begun.asked[at]?.add(peer);
    const offset = at * BLOCK_BYTES;
    return { piece, offset, length: Math.min(BLOCK_BYTES, begun.data.length - offset) };
  }

  /** It will not come from this peer. A piece of which nothing came is as if it had not been begun. */
  unask(peer: Peer, { piece, offset }: Block): void {
    const begun = this.#begun.get(piece);
    begun?.asked[offset / BLOCK_BYTES]?.delete(peer);
    if (begun !== undefined && begun.givers.size === 0 && begun.asked.every((asked) => asked?.size === 0))
      this.#begun.delete(piece);
  }

  /** Others that were asked for the same need not send it; a piece that is whole is given back, to be checked. */
  take(
    peer: Peer,
    { piece, offset }: Block,
    data: Uint8Array,
  ): { others: readonly Peer[]; whole?: Buffer; givers: readonly Peer[] } {
    const begun = this.#begun.get(piece);
    const asked = begun?.asked[offset / BLOCK_BYTES];
    if (begun === undefined || asked === undefined || asked === null) return { others: [], givers: [] };
    begun.data.set(data, offset);
    begun.asked[offset / BLOCK_BYTES] = null;
    begun.givers.add(peer);
    begun.missing -= 1;
    const others = [...asked].filter((other) => other !== peer);
    if (begun.missing > 0) return { others, givers: [] };
    return { others, whole: begun.data, givers: [...begun.givers] };
  }

  /** It was right and is on disk, or was wrong and is begun again. */
  settle(piece: number, isRight: boolean): void {
    this.#begun.delete(piece);
    if (isRight) this.have.add(piece);
  }
}
