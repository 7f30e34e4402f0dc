// The peers of one torrent: who is connected, what is asked of whom, who is given something.

import type { Addresses } from "./addresses.ts";
import type { BencodedMap } from "./bencode.ts";
import { Dialler } from "./dialler.ts";
import { Downloads } from "./downloads.ts";
import { answerMetadata, MetadataFetch } from "./metadata.ts";
import type { Extension, Peer, PeerOwner } from "./peer.ts";
import { exchangeAddresses, readExchanged } from "./peer-exchange.ts";
import { PieceSet } from "./piece-set.ts";
import type { SwarmHost, SwarmOptions } from "./swarm-options.ts";
import type { PeerAddress } from "./trackers.ts";
import { Uploads } from "./uploads.ts";
import { type Message, write } from "./wire.ts";

const EXCHANGE_MS = 60_000;
const MOST_EARLY_HAVES = 100_000;

export class Swarm implements PeerOwner {
  readonly #host: SwarmHost;
  readonly #options: SwarmOptions;
  readonly #dialler: Dialler;
  readonly #addresses: Addresses;
  readonly #metadata: MetadataFetch;
  readonly #uploads: Uploads;
  readonly #downloads: Downloads;
  readonly #peers = new Set<Peer>();
  #exchangedMs = 0;
  isOpen = false;

  constructor(host: SwarmHost, options: SwarmOptions) {
    this.#host = host;
    this.#options = options;
    this.#dialler = new Dialler(options.dial, options.now);
    this.#addresses = this.#dialler.addresses;
    this.#metadata = new MetadataFetch(options.infohash, options.mostMetadataBytes);
    this.#uploads = new Uploads(host, options);
    this.#downloads = new Downloads(host, options);
  }

  get seeds(): number {
    return [...this.#peers].filter((peer) => peer.isSeed).length;
  }

  get peers(): number {
    return this.#peers.size;
  }

  close(): void {
    this.isOpen = false;
    for (const peer of [...this.#peers]) peer.close();
  }

  offer(addresses: readonly PeerAddress[]): void {
    this.#addresses.offer(addresses);
  }

  soon(): void {
    this.#addresses.soon();
  }

  tick(): void {
    if (!this.isOpen) return;
    const now = this.#options.now();
    this.#dialMore();
    for (const peer of [...this.#peers]) {
      peer.look();
      if (this.#downloads.isUnanswered(peer)) peer.close();
      this.#downloads.fill(peer);
      this.#uploads.goOn(peer);
    }
    this.#uploads.shareOut([...this.#peers], now);
    if (this.#options.exchanges() && now - this.#exchangedMs >= EXCHANGE_MS) {
      this.#exchangedMs = now;
      exchangeAddresses([...this.#peers]);
    }
  }

  #dialMore(): void {
    const { mostPeers, infohash, peerId } = this.#options;
    // Who has everything waits to be asked by those who have not.
    if (this.#host.picker?.have.isWhole === true) return;
    this.#dialler.call(mostPeers - this.#peers.size, (peer) => {
      peer.onGreeting = (_, said) => (said === infohash ? this : undefined);
      if (this.isOpen) peer.greet(infohash, peerId);
      return this.isOpen;
    });
  }

  greeted(peer: Peer): void {
    const { infohash, peerId, port, exchanges, mostPeers } = this.#options;
    const isSelf = peer.peerId === peerId.toString("hex");
    if (isSelf && peer.dialled !== null) this.#addresses.ban(hostOf(peer), [peer.dialled]);
    const isTwice = [...this.#peers].some((other) => other.peerId === peer.peerId);
    const isRefused = isSelf || isTwice || !this.isOpen || this.#addresses.isBanned(hostOf(peer), peer.peerId);
    if (isRefused || this.#peers.size >= mostPeers) {
      // As if it had not come: it is not tried again soon.
      peer.isGreeted = false;
      return void peer.close();
    }
    this.#peers.add(peer);
    if (peer.dialled === null) peer.greet(infohash, peerId);
    if (peer.isExtended)
      peer.sayHello({ port: port(), metadataBytes: this.#host.info?.length, exchanges: exchanges() });
    const have = this.#host.picker?.have;
    if (have !== undefined && have.count > 0) peer.say(write.bitfield(have.toBytes()));
    if (have !== undefined) peer.pieces = new PieceSet(have.size);
  }

  gone(peer: Peer): void {
    if (!this.#peers.delete(peer)) return;
    this.#metadata.gone(peer);
    this.#downloads.forget(peer);
    const { picker } = this.#host;
    for (let piece = 0; piece < (peer.pieces?.size ?? 0); piece += 1)
      if (peer.pieces?.has(piece)) picker?.counted(piece, -1);
  }

  told(peer: Peer, message: Message): void {
    switch (message.type) {
      case "choke":
        peer.isChoking = true;
        return void this.#downloads.forget(peer);
      case "unchoke":
        peer.isChoking = false;
        return void this.#downloads.fill(peer);
      case "interested":
        peer.isInterested = true;
        return void this.#uploads.interested(peer, [...this.#peers]);
      case "uninterested":
        peer.isInterested = false;
        return void peer.choke(true);
      case "have":
        return void this.#hasMore(peer, message.piece);
      case "bitfield":
        return void this.#has(peer, message.bits);
      case "request":
        return void this.#uploads.asked(peer, message);
      case "cancel":
        return void this.#uploads.cancelled(peer, message);
      case "piece":
        return void this.#downloads.given(peer, message);
      default:
        return;
    }
  }

  #has(peer: Peer, bits: Buffer): void {
    const { picker } = this.#host;
    if (picker === undefined) {
      peer.earlyBits = bits;
      return;
    }
    const pieces = PieceSet.from(bits, picker.have.size);
    if (pieces === undefined) return void peer.close();
    peer.pieces = pieces;
    for (let piece = 0; piece < pieces.size; piece += 1) if (pieces.has(piece)) picker.counted(piece, 1);
    this.#decideInterest(peer);
  }

  #hasMore(peer: Peer, piece: number): void {
    const { picker } = this.#host;
    if (picker === undefined) {
      if (peer.earlyHaves.length < MOST_EARLY_HAVES) peer.earlyHaves.push(piece);
      return;
    }
    if (piece >= picker.have.size) return void peer.close();
    if (peer.pieces?.has(piece) === false) {
      peer.pieces.add(piece);
      picker.counted(piece, 1);
    }
    if (!picker.have.has(piece) && !peer.amInterested) this.#decideInterest(peer);
    this.#downloads.fill(peer);
  }

  /** Now it is known of how many pieces; what was said before can be understood. */
  described(): void {
    const { picker } = this.#host;
    for (const peer of [...this.#peers]) {
      if (picker !== undefined) peer.pieces = new PieceSet(picker.have.size);
      if (peer.earlyBits !== undefined) this.#has(peer, peer.earlyBits);
      for (const piece of peer.earlyHaves.splice(0)) if (!peer.isGone) this.#hasMore(peer, piece);
    }
  }

  #decideInterest(peer: Peer): void {
    const { picker } = this.#host;
    if (picker === undefined || peer.pieces === undefined) return;
    peer.interest(picker.wants(peer.pieces));
    if (picker.have.isWhole && peer.isSeed) peer.close();
    else this.#downloads.fill(peer);
  }

  /** It is checked and on disk. */
  pieceDone(piece: number): void {
    for (const peer of [...this.#peers]) {
      if (peer.isGreeted) peer.say(write.have(piece));
      if (peer.amInterested && (this.#host.picker?.have.isWhole === true || peer.pending.length === 0))
        this.#decideInterest(peer);
    }
  }

  /** All of it came from one: that one made it up. From several, each is suspected, and let go. */
  pieceWrong(givers: readonly Peer[]): void {
    for (const peer of givers) {
      if (givers.length === 1)
        this.#addresses.ban(hostOf(peer), [peer.peerId, ...(peer.dialled === null ? [] : [peer.dialled])]);
      peer.close();
    }
  }

  extended(peer: Peer, extension: Extension | "handshake", map: BencodedMap, rest: Buffer): void {
    if (extension === "handshake") {
      if (this.#host.info === undefined) this.#metadata.begin(peer);
    } else if (extension === "ut_pex") {
      if (this.#options.exchanges()) this.#addresses.offer(readExchanged(map));
    } else if (this.#host.info !== undefined) answerMetadata(peer, map, this.#host.info);
    else this.#describedBy(peer, this.#metadata.take(peer, map, rest));
  }

  #describedBy(peer: Peer, info: Buffer | "wrong" | undefined): void {
    if (info === "wrong") this.pieceWrong([peer]);
    else if (info !== undefined) this.#host.described(info);
  }
}

function hostOf(peer: Peer): string {
  return peer.address.slice(0, peer.address.lastIndexOf(":"));
}
