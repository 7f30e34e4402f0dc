// One connection to a peer: what was said on it, in both directions. What to make of that is the torrent's affair.

import type { Socket } from "node:net";
import { BencodeError } from "../bencode.ts";
import { asMap, asNumber, type BencodedMap, encode, readMessage } from "./bencode.ts";
import type { Block } from "./picker.ts";
import type { PieceSet } from "./piece-set.ts";
import { handshake, type Message, WireError, WireReader, write } from "./wire.ts";

/** Our numbers for extensions; a peer uses them when it speaks to us. */
export const EXTENSIONS = { ut_metadata: 1, ut_pex: 2 } as const;
export type Extension = keyof typeof EXTENSIONS;

export interface PeerOwner {
  greeted(peer: Peer): void;
  told(peer: Peer, message: Message): void;
  extended(peer: Peer, extension: Extension | "handshake", map: BencodedMap, rest: Buffer): void;
  gone(peer: Peer): void;
}

/** A peer that says nothing for so long is gone; honest ones send a sign of life every two minutes. */
const SILENT_MS = 150_000;
const GREETING_MS = 15_000;
const KEEP_ALIVE_MS = 90_000;

export class Peer {
  /** As it is dialled, or null for one that came to us. */
  readonly dialled: string | null;
  readonly address: string;
  readonly #socket: Socket;
  readonly #reader = new WireReader();
  #owner: PeerOwner | undefined;
  readonly #theirs = new Map<Extension, number>();
  peerId = "";
  isExtended = false;
  isGreeted = false;
  isGone = false;
  amChoking = true;
  amInterested = false;
  isChoking = true;
  isInterested = false;
  pieces: PieceSet | undefined;
  /** Said before it was known of how many pieces. */
  earlyBits: Buffer | undefined;
  readonly earlyHaves: number[] = [];
  metadataBytes = 0;
  listensOn: number | undefined;
  readonly pending: (Block & { readonly atMs: number })[] = [];
  readonly wanted: Block[] = [];
  given = 0;
  #heardMs: number;
  #saidMs: number;
  readonly #now: () => number;

  constructor(socket: Socket, dialled: string | null, now: () => number) {
    this.#socket = socket;
    this.dialled = dialled;
    this.#now = now;
    this.address = `${socket.remoteAddress ?? "?"}:${socket.remotePort ?? 0}`;
    this.#heardMs = now();
    this.#saidMs = now();
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("close", () => this.#closed());
    // Told by "close", which follows.
    socket.on("error", () => undefined);
  }

  /** `onGreeting` says whose peer it is, once it has said what it wants. */
  onGreeting: (peer: Peer, infohash: string) => PeerOwner | undefined = () => undefined;

  greet(infohash: string, peerId: Uint8Array): void {
    this.#send(handshake(infohash, peerId));
  }

  #read(chunk: Buffer): void {
    if (this.isGone) return;
    this.#heardMs = this.#now();
    try {
      for (const message of this.#reader.push(chunk)) this.#hear(message);
    } catch (error) {
      // Whatever a stranger says must not end us; what they meant is of no interest.
      if (!(error instanceof WireError || error instanceof RangeError || error instanceof BencodeError)) throw error;
      this.close();
    }
  }

  #hear(message: Message): void {
    if (this.isGone) return;
    if (message.type === "handshake") {
      this.peerId = message.peerId;
      this.isExtended = message.isExtended;
      this.#owner = this.onGreeting(this, message.infohash);
      if (this.#owner === undefined) return void this.close();
      this.isGreeted = true;
      return void this.#owner.greeted(this);
    }
    if (message.type === "extended") return void this.#hearExtended(message.id, message.data);
    this.#owner?.told(this, message);
  }

  #hearExtended(id: number, data: Buffer): void {
    const said = readMessage(data);
    if (said === undefined) return;
    const { map, rest } = said;
    if (id !== 0) {
      const extension = (Object.keys(EXTENSIONS) as Extension[]).find((name) => EXTENSIONS[name] === id); // its keys
      if (extension !== undefined) this.#owner?.extended(this, extension, map, rest);
      return;
    }
    for (const name of Object.keys(EXTENSIONS) as Extension[]) {
      const number = asNumber(asMap(map.get("m"))?.get(name));
      if (number !== undefined && number > 0 && number < 256) this.#theirs.set(name, number);
    }
    this.metadataBytes = asNumber(map.get("metadata_size")) ?? 0;
    const port = asNumber(map.get("p"));
    if (port !== undefined && port > 0 && port < 65_536) this.listensOn = port;
    this.#owner?.extended(this, "handshake", map, rest);
  }

  knows(extension: Extension): boolean {
    return this.#theirs.has(extension);
  }

  sayHello(facts: {
    readonly port: number;
    readonly metadataBytes: number | undefined;
    readonly exchanges: boolean;
  }): void {
    const known = facts.exchanges ? EXTENSIONS : { ut_metadata: EXTENSIONS.ut_metadata };
    const size = facts.metadataBytes === undefined ? {} : { metadata_size: facts.metadataBytes };
    this.#send(write.extended(0, encode({ m: known, p: facts.port, reqq: 250, v: "Sluice", ...size })));
  }

  sayExtended(extension: Extension, data: Uint8Array): void {
    const number = this.#theirs.get(extension);
    if (number !== undefined) this.#send(write.extended(number, data));
  }

  say(bytes: Uint8Array): void {
    this.#send(bytes);
  }

  choke(isChoking: boolean): void {
    if (this.amChoking === isChoking) return;
    this.amChoking = isChoking;
    if (isChoking) this.wanted.length = 0;
    this.#send(isChoking ? write.choke() : write.unchoke());
  }

  interest(isInterested: boolean): void {
    if (this.amInterested === isInterested) return;
    this.amInterested = isInterested;
    this.#send(isInterested ? write.interested() : write.uninterested());
  }

  /** It takes what it is sent; else more would only pile up here. */
  get isKeepingUp(): boolean {
    return this.#socket.writableLength < 1_000_000;
  }

  get isSeed(): boolean {
    return this.pieces?.isWhole === true;
  }

  /** Every now and then: whether it still lives, and a sign of our own life. */
  look(): void {
    const now = this.#now();
    if (now - this.#heardMs > (this.isGreeted ? SILENT_MS : GREETING_MS)) return void this.close();
    if (this.isGreeted && now - this.#saidMs > KEEP_ALIVE_MS) this.#send(write.keepAlive());
  }

  close(): void {
    this.#socket.destroy();
    this.#closed();
  }

  #closed(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.#owner?.gone(this);
    this.onGone();
  }

  /** For whoever counts connections. */
  onGone: () => void = () => undefined;

  #send(bytes: Uint8Array): void {
    if (this.isGone || this.#socket.destroyed) return;
    this.#saidMs = this.#now();
    this.#socket.write(bytes);
  }
}
