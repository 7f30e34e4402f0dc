// A peer that says it has everything, and sends what it made up.

import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { handshake, type Message, WireReader, write } from "../../src/connectors/torrents/bittorrent/wire.ts";

export class LyingPeer {
  readonly #infohash: string;
  readonly #pieces: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  connections = 0;

  constructor(infohash: string, pieces: number) {
    this.#infohash = infohash;
    this.#pieces = pieces;
    this.#server = createServer((socket) => this.#meet(socket));
  }

  async start(announceUrl: string): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const hash = (this.#infohash.match(/../g) ?? []).map((byte) => `%${byte}`).join("");
    await fetch(`${announceUrl}?info_hash=${hash}&peer_id=liar&port=${port}&left=0&event=started`);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #meet(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    const reader = new WireReader();
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      for (const message of reader.push(chunk)) this.#answer(socket, message);
    });
  }

  #answer(socket: Socket, message: Message): void {
    if (message.type === "handshake") {
      const all = Buffer.alloc(Math.ceil(this.#pieces / 8));
      for (let piece = 0; piece < this.#pieces; piece += 1)
        all[piece >> 3] = (all[piece >> 3] ?? 0) | (0x80 >> (piece & 7));
      socket.write(Buffer.concat([handshake(this.#infohash, Buffer.alloc(20, "L")), write.bitfield(all)]));
    }
    if (message.type === "interested") socket.write(write.unchoke());
    if (message.type === "request")
      socket.write(write.piece(message.piece, message.offset, Buffer.alloc(message.length, 7)));
  }
}
