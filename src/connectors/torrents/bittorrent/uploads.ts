// What peers are given: who may ask, and how fast.

import type { Random } from "../../../kit/index.ts";
import type { Budget } from "./budget.ts";
import type { Peer } from "./peer.ts";
import type { Block, Picker } from "./picker.ts";
import { write } from "./wire.ts";

export interface UploadHost {
  readonly picker: Picker<Peer> | undefined;
  read(block: Block): Promise<Buffer | undefined>;
  uploaded(bytes: number): void;
}

export interface UploadOptions {
  readonly upload: Budget;
  readonly now: () => number;
  readonly random: Random;
}

const SLOTS = 8;
const SHARE_OUT_MS = 10_000;
const MOST_WANTED = 500;
const LARGEST_REQUEST = 128 * 1024;

export class Uploads {
  readonly #host: UploadHost;
  readonly #options: UploadOptions;
  readonly #serving = new Set<Peer>();
  #sharedOutMs = 0;

  constructor(host: UploadHost, options: UploadOptions) {
    this.#host = host;
    this.#options = options;
  }

  interested(peer: Peer, all: readonly Peer[]): void {
    if (all.filter((other) => !other.amChoking).length < SLOTS) peer.choke(false);
  }

  /** Who gives most gets most; one slot goes round, or newcomers would have nothing to give. */
  shareOut(peers: readonly Peer[], now: number): void {
    if (now - this.#sharedOutMs < SHARE_OUT_MS) return;
    this.#sharedOutMs = now;
    const interested = peers.filter((peer) => peer.isInterested).sort((a, b) => b.given - a.given);
    const best = new Set(interested.slice(0, SLOTS - 1));
    const others = interested.slice(SLOTS - 1);
    const lucky = others[Math.floor(this.#options.random.fraction() * others.length)];
    for (const peer of peers) peer.choke(!(best.has(peer) || peer === lucky));
  }

  asked(peer: Peer, { piece, offset, length }: Block): void {
    const { picker } = this.#host;
    if (picker === undefined || peer.amChoking || !picker.have.has(piece)) return;
    const isSound = length > 0 && length <= LARGEST_REQUEST && offset + length <= picker.lengthOf(piece);
    if (!isSound || peer.wanted.length >= MOST_WANTED) return void peer.close();
    peer.wanted.push({ piece, offset, length });
    this.goOn(peer);
  }

  cancelled(peer: Peer, { piece, offset }: Block): void {
    const at = peer.wanted.findIndex((one) => one.piece === piece && one.offset === offset);
    if (at !== -1) peer.wanted.splice(at, 1);
  }

  /** One block after the other to one peer; the next look goes on where a limit was reached. */
  goOn(peer: Peer): void {
    if (this.#serving.has(peer) || peer.wanted.length === 0) return;
    this.#serving.add(peer);
    void this.#serve(peer).finally(() => this.#serving.delete(peer));
  }

  async #serve(peer: Peer): Promise<void> {
    for (let given = 0; given < MOST_WANTED && this.#maySend(peer); given += 1) {
      const block = peer.wanted.shift();
      if (block === undefined) return;
      const data = await this.#host.read(block);
      if (data === undefined || peer.amChoking || peer.isGone) return;
      peer.say(write.piece(block.piece, block.offset, data));
      this.#host.uploaded(data.length);
    }
  }

  #maySend(peer: Peer): boolean {
    const [block] = peer.wanted;
    return block !== undefined && peer.isKeepingUp && this.#options.upload.take(block.length, this.#options.now());
  }
}
