// What peers are asked for, and what they give.

import type { Budget } from "./budget.ts";
import type { Peer } from "./peer.ts";
import type { Picker } from "./picker.ts";
import { BLOCK_BYTES, type Message, write } from "./wire.ts";

export interface DownloadHost {
  readonly picker: Picker<Peer> | undefined;
  received(bytes: number): void;
  whole(piece: number, data: Buffer, givers: readonly Peer[]): void;
}

export interface DownloadOptions {
  readonly download: Budget;
  readonly now: () => number;
}

/** A megabyte on its way from each: enough for a fast peer far away. */
const ASKED_AT_ONCE = 64;
const UNANSWERED_MS = 30_000;

export class Downloads {
  readonly #host: DownloadHost;
  readonly #options: DownloadOptions;

  constructor(host: DownloadHost, options: DownloadOptions) {
    this.#host = host;
    this.#options = options;
  }

  fill(peer: Peer): void {
    const { picker } = this.#host;
    const { download } = this.#options;
    const mayAsk = !peer.isChoking && peer.amInterested && !peer.isGone;
    if (picker === undefined || peer.pieces === undefined || !mayAsk) return;
    const now = this.#options.now();
    while (peer.pending.length < ASKED_AT_ONCE && download.take(BLOCK_BYTES, now)) {
      const block = picker.next(peer, peer.pieces);
      if (block === undefined) return void download.giveBack(BLOCK_BYTES);
      peer.pending.push({ ...block, atMs: now });
      peer.say(write.request(block.piece, block.offset, block.length));
    }
  }

  given(peer: Peer, { piece, offset, data }: Message & { readonly type: "piece" }): void {
    const isIt = (one: { piece: number; offset: number }) => one.piece === piece && one.offset === offset;
    const at = peer.pending.findIndex((one) => isIt(one) && one.length === data.length);
    const [block] = at === -1 ? [] : peer.pending.splice(at, 1);
    // Nobody asked for it, or no longer: it counts for nothing.
    if (block === undefined) return;
    peer.given += data.length;
    this.#host.received(data.length);
    const taken = this.#host.picker?.take(peer, block, data);
    for (const other of taken?.others ?? []) {
      const index = other.pending.findIndex(isIt);
      if (index !== -1) other.pending.splice(index, 1);
      other.say(write.cancel(piece, offset, data.length));
    }
    if (taken?.whole !== undefined) this.#host.whole(piece, taken.whole, taken.givers);
    this.fill(peer);
  }

  /** Who keeps us waiting for so long keeps a block from others. */
  isUnanswered(peer: Peer): boolean {
    const now = this.#options.now();
    return peer.pending.some(({ atMs }) => now - atMs > UNANSWERED_MS);
  }

  forget(peer: Peer): void {
    for (const block of peer.pending.splice(0)) this.#host.picker?.unask(peer, block);
  }
}
