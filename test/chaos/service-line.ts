// The line between one worker and the job service, which can be cut in three ways. While the service is down nobody
// listens here either, so that its port is refused as the service's own would be.

import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/server.ts";

export type Partition =
  /** Whoever connects is reset. */
  | "cut"
  /** Nothing arrives and nothing is answered; what was sent arrives when it is over, long after its sender gave up. */
  | "late"
  /** Everything arrives, and no answer comes back. */
  | "mute";

interface Pair {
  readonly near: Socket;
  far: Socket | undefined;
  /** Not delivered yet. */
  readonly held: Buffer[];
}

const LISTEN_AGAIN_MS = 50;

export class ServiceLine {
  readonly port: number;
  readonly #target: number;
  readonly #pairs = new Set<Pair>();
  #server: Server | undefined;
  #partition: Partition | undefined;
  #isWanted = false;

  constructor(port: number, target: number) {
    this.port = port;
    this.#target = target;
  }

  static async start(target: number): Promise<ServiceLine> {
    const line = new ServiceLine(await freePort(), target);
    await line.open();
    return line;
  }

  /** Somebody else may have been given the port meanwhile; it is ours again as soon as they are gone. */
  async open(): Promise<void> {
    this.#isWanted = true;
    while (this.#isWanted && this.#server === undefined) {
      const server = createServer((near) => this.#accept(near));
      this.#server = server;
      server.listen(this.port, "127.0.0.1");
      try {
        await once(server, "listening");
        return;
      } catch {
        this.#server = undefined;
        await sleep(LISTEN_AGAIN_MS);
      }
    }
  }

  /** The service is gone: its port is refused, and its connections are reset. */
  close(): void {
    this.#isWanted = false;
    this.#server?.close();
    this.#server = undefined;
    for (const pair of this.#pairs) {
      if (this.#partition === undefined) pair.near.resetAndDestroy();
      pair.far?.destroy();
    }
  }

  async cut(how: Partition, ms: number): Promise<void> {
    this.#partition = how;
    if (how === "cut") for (const { near } of this.#pairs) near.resetAndDestroy();
    await sleep(ms);
    this.#heal();
  }

  #heal(): void {
    const was = this.#partition;
    this.#partition = undefined;
    for (const pair of this.#pairs) {
      if (was === "late") this.#deliver(pair);
      if (was === "mute") pair.near.resetAndDestroy();
    }
  }

  #accept(near: Socket): void {
    const pair: Pair = { near, far: undefined, held: [] };
    this.#pairs.add(pair);
    near.setNoDelay(true);
    // Errors are ends: "close" follows each.
    near.on("error", () => undefined);
    near.on("data", (bytes) => {
      pair.held.push(bytes);
      if (this.#partition !== "late") this.#deliver(pair);
    });
    near.on("close", () => {
      // What was sent is under way, whether its sender is there or not.
      if (this.#partition === "late" && pair.held.length > 0) return;
      this.#pairs.delete(pair);
      pair.far?.destroy();
    });
    if (this.#partition === "cut") near.resetAndDestroy();
  }

  #deliver(pair: Pair): void {
    if (pair.held.length === 0) return;
    const far = pair.far ?? this.#connect(pair);
    for (const bytes of pair.held.splice(0)) far.write(bytes);
    if (!pair.near.destroyed) return;
    this.#pairs.delete(pair);
    far.end();
  }

  #connect(pair: Pair): Socket {
    const far = connect({ port: this.#target, host: "127.0.0.1", noDelay: true });
    pair.far = far;
    far.on("error", () => undefined);
    far.on("data", (bytes) => {
      if (this.#partition === undefined && !pair.near.destroyed) pair.near.write(bytes);
    });
    far.on("close", () => {
      // An answer that was cut off is known by its length; ending it here loses nothing of a whole one.
      if (this.#partition === undefined) pair.near.end();
    });
    return far;
  }
}
