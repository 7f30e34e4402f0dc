// Sockets: who may come in, where calls go, and how many there are at once.

import { connect, createServer, type Server, type Socket } from "node:net";
import { egressRefusal } from "../../kit/index.ts";
import { keyOf } from "./addresses.ts";
import { type ClientOptions, callsFrom } from "./options.ts";
import { Peer, type PeerOwner } from "./peer.ts";
import type { PeerAddress } from "./trackers.ts";

const CONNECT_MS = 10_000;

export class Connections {
  readonly #options: ClientOptions;
  readonly #now: () => number;
  readonly #ownerOf: (infohash: string) => PeerOwner | undefined;
  readonly #peers = new Set<Peer>();
  readonly #server: Server;
  #open = 0;
  #port = 0;
  /** Somebody from elsewhere has come in. */
  wasReached = false;

  constructor(options: ClientOptions, now: () => number, ownerOf: (infohash: string) => PeerOwner | undefined) {
    this.#options = options;
    this.#now = now;
    this.#ownerOf = ownerOf;
    this.#server = createServer((socket) => this.#come(socket));
  }

  get port(): number {
    return this.#port;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#options.peerPort, this.#options.peerHost, resolve);
    });
    const address = this.#server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
  }

  #come(socket: Socket): void {
    socket.on("error", () => undefined);
    if (this.#open >= this.#options.connections) return void socket.destroy();
    const host = socket.remoteAddress ?? "";
    if (!/^(127\.|::1$|::ffff:127\.)/.test(host)) this.wasReached = true;
    const peer = this.#hold(socket, null);
    peer.onGreeting = (_, infohash) => this.#ownerOf(infohash);
  }

  #hold(socket: Socket, dialled: string | null): Peer {
    const peer = new Peer(socket, dialled, this.#now);
    this.#open += 1;
    this.#peers.add(peer);
    peer.onGone = () => {
      this.#open -= 1;
      this.#peers.delete(peer);
    };
    return peer;
  }

  /** False where it is not even tried. */
  dial(address: PeerAddress, connected: (peer: Peer | undefined) => void): boolean {
    const { connections, reach, peerHost } = this.#options;
    if (this.#open >= connections || egressRefusal(reach, address.host) !== undefined) return false;
    const localAddress = callsFrom(peerHost);
    const socket = connect({ ...address, ...(localAddress === undefined ? {} : { localAddress }) });
    this.#open += 1;
    let isOver = false;
    const over = (isConnected: boolean) => {
      if (isOver) return;
      isOver = true;
      this.#open -= 1;
      socket.setTimeout(0);
      if (!isConnected) socket.destroy();
      connected(isConnected ? this.#hold(socket, keyOf(address)) : undefined);
    };
    socket.setTimeout(CONNECT_MS, () => over(false));
    socket.once("connect", () => over(true));
    socket.once("error", () => over(false));
    socket.once("close", () => over(false));
    return true;
  }

  /** Strangers that connect and say nothing belong to nobody's swarm. */
  tick(): void {
    for (const peer of [...this.#peers]) if (!peer.isGreeted) peer.look();
  }

  async close(): Promise<void> {
    for (const peer of [...this.#peers]) peer.close();
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
