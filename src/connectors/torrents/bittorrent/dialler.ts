// Calls to peers whose addresses are known: a few at a time, and who does not answer is called less and less often.

import { Addresses, keyOf } from "./addresses.ts";
import type { Peer } from "./peer.ts";
import type { PeerAddress } from "./trackers.ts";

export type Dial = (address: PeerAddress, connected: (peer: Peer | undefined) => void) => boolean;

const AT_A_TIME = 8;

export class Dialler {
  readonly addresses = new Addresses();
  readonly #dial: Dial;
  readonly #now: () => number;
  #calls = 0;

  constructor(dial: Dial, now: () => number) {
    this.#dial = dial;
    this.#now = now;
  }

  /** Up to so many more connections; `take` says whether one that came about is still wanted. */
  call(room: number, take: (peer: Peer) => boolean): void {
    for (let free = Math.min(room, AT_A_TIME) - this.#calls; free > 0; free -= 1) {
      const address = this.addresses.take(this.#now());
      if (address === undefined) return;
      if (this.#dial(address, (peer) => this.#answered(keyOf(address), peer, take))) this.#calls += 1;
      else this.addresses.ended(keyOf(address), this.#now(), true);
    }
  }

  #answered(key: string, peer: Peer | undefined, take: (peer: Peer) => boolean): void {
    this.#calls -= 1;
    if (peer === undefined) return void this.addresses.ended(key, this.#now(), true);
    const counted = peer.onGone;
    peer.onGone = () => {
      counted();
      this.addresses.ended(key, this.#now(), !peer.isGreeted);
    };
    if (!take(peer)) peer.close();
  }
}
