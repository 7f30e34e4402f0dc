// Whoever has everything in stock, and gives it to peers: BitTorrent over TCP, and no faster than one can watch. It can let peers
// in and give them nothing.

import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import {
  handshake,
  type Message,
  WireError,
  WireReader,
  write,
} from "../../src/connectors/torrents/bittorrent/wire.ts";
import { PIECE_BYTES } from "./make-torrent.ts";
import type { Stock, StockRelease } from "./stock.ts";

export interface SeederOptions {
  readonly stock: Stock;
  /** That one peer takes to have a whole one. */
  readonly releaseSeconds: number;
  /** Peers of these may come in, and are sent nothing. */
  readonly withholds: (release: StockRelease) => boolean;
}

const PEER_ID = Buffer.from("-SB0100-sandboxseed!");
const STEP_MS = 100;
/** Nobody asks for more at once. */
const MOST_ASKED = 1_000;

type Asked = Extract<Message, { readonly offset: number; readonly length: number }>;

export class Seeder {
  readonly #options: SeederOptions;
  readonly #server: Server;
  readonly #guests = new Set<Guest>();
  #steps: NodeJS.Timeout | undefined;

  constructor(options: SeederOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#meet(socket));
  }

  async start(port: number): Promise<void> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#steps = setInterval(() => this.#step(), STEP_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#steps);
    for (const guest of this.#guests) guest.socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #meet(socket: Socket): void {
    const guest = new Guest(socket, this.#options.stock);
    this.#guests.add(guest);
    socket.on("close", () => this.#guests.delete(guest));
  }

  #step(): void {
    const { releaseSeconds, withholds } = this.#options;
    const share = STEP_MS / 1_000 / releaseSeconds;
    for (const guest of this.#guests) if (guest.wants !== undefined && !withholds(guest.wants)) guest.give(share);
  }
}

/** One peer that came. */
class Guest {
  readonly socket: Socket;
  wants: StockRelease | undefined;
  readonly #stock: Stock;
  readonly #reader = new WireReader();
  readonly #asked: Asked[] = [];
  #bytes: Buffer | undefined;
  /** Given beyond what a step allows is given less in the next. */
  #allowance = 0;

  constructor(socket: Socket, stock: Stock) {
    this.socket = socket;
    this.#stock = stock;
    socket.on("error", () => undefined); // told by "close", which follows
    socket.on("data", (chunk: Buffer) => this.#hear(chunk));
  }

  #hear(chunk: Buffer): void {
    try {
      for (const message of this.#reader.push(chunk)) this.#answer(message);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.socket.destroy();
    }
  }

  #answer(message: Message): void {
    if (message.type === "handshake") return void this.#greet(message.infohash);
    if (message.type === "interested") return void this.socket.write(write.unchoke());
    if (message.type === "request" && this.#asked.length < MOST_ASKED) this.#asked.push(message);
    if (message.type !== "cancel") return;
    const at = this.#asked.findIndex(({ piece, offset }) => piece === message.piece && offset === message.offset);
    if (at !== -1) this.#asked.splice(at, 1);
  }

  #greet(infohash: string): void {
    const release = this.#stock.release(infohash);
    if (release === undefined) return void this.socket.destroy();
    this.wants = release;
    const pieces = this.#stock.piecesOf(release);
    const all = Buffer.alloc(Math.ceil(pieces / 8), 0xff);
    // What is left of the last byte has to be empty.
    if (pieces % 8 > 0) all[all.length - 1] = (0xff << (8 - (pieces % 8))) & 0xff;
    this.socket.write(Buffer.concat([handshake(infohash, PEER_ID), write.bitfield(all)]));
  }

  /** So much of the whole. */
  give(share: number): void {
    if (this.wants === undefined || this.#asked.length === 0) return;
    const most = share * this.wants.files.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#allowance = Math.min(most, this.#allowance + most);
    while (this.#allowance > 0) {
      const next = this.#asked.shift();
      if (next === undefined) return;
      this.#bytes ??= this.#stock.bytesOf(this.wants);
      const from = next.piece * PIECE_BYTES + next.offset;
      const data = this.#bytes.subarray(from, from + next.length);
      if (data.length !== next.length) return void this.socket.destroy();
      this.socket.write(write.piece(next.piece, next.offset, data));
      this.#allowance -= data.length;
    }
  }
}
