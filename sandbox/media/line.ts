// A line to a server of this machine, which counts what goes over it, and can be cut, fall silent or be taken down.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export class Line {
  /** Towards the server, over all its life. */
  bytes = 0;
  /** What one connection may bring; then it is cut. */
  eachBytes = Number.POSITIVE_INFINITY;
  readonly #target: () => number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #cutAt = Number.POSITIVE_INFINITY;
  #isSilent = false;

  constructor(target: () => number) {
    this.#target = target;
  }

  get port(): number {
    return this.#port;
  }

  get connections(): number {
    return this.#sockets.size / 2;
  }

  /** Without a port: any free one, and the same again after it was taken down. */
  async up(port = this.#port): Promise<void> {
    const server = createServer((near) => this.#join(near, connect({ port: this.#target(), host: "127.0.0.1" })));
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port; // on a port, not on a pipe
  }

  async down(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, "close");
    server.close();
    this.cut();
    await closed;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  cutAfter(bytes: number): void {
    this.#cutAt = this.bytes + bytes;
  }

  silent(isSilent: boolean): void {
    this.#isSilent = isSilent;
    for (const socket of this.#sockets) isSilent ? socket.pause() : socket.resume();
  }

  #join(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined); // "close" follows each
      socket.on("close", () => this.#sockets.delete(socket));
      if (this.#isSilent) socket.pause();
    }
    let brought = 0;
    near.on("data", (bytes) => {
      this.bytes += bytes.byteLength;
      brought += bytes.byteLength;
      if (brought >= this.eachBytes) near.destroy();
      else if (this.bytes >= this.#cutAt) {
        this.#cutAt = Number.POSITIVE_INFINITY;
        near.destroy();
        far.destroy();
      } else pass(bytes, near, far);
    });
    far.on("data", (bytes) => pass(bytes, far, near));
    // What has been brought arrives.
    near.on("close", () => far.end());
    far.on("close", () => near.destroy());
  }
}

function pass(bytes: Buffer, from: Socket, to: Socket): void {
  if (to.destroyed || to.write(bytes)) return;
  from.pause();
  to.once("drain", () => from.resume());
}
