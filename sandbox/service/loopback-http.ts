// An HTTP service on a loopback port that comes and goes. Down is a closed port, not a polite answer.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export class LoopbackHttp {
  readonly #handle: Handle;
  #server: Server | undefined;
  #port = 0;

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Without a port: any free one, and the same again after an outage. */
  async up(port = this.#port): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port; // listening on a port, not on a pipe
  }

  /** With all its connections. */
  async down(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#handle(request, response);
    } catch (error) {
      // Whoever went away in the middle of a question gets no answer; anything else is to be seen.
      if (!request.destroyed) console.error(error);
      response.destroy();
    }
  }
}
