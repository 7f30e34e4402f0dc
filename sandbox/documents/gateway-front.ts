// What stands before a real gateway: it hands on what is asked and what is answered; or holds conversions back, or lies.

import { once } from "node:events";
import { createServer, type IncomingMessage, request as requestOf, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isOwnHost } from "../service/answering.ts";

export interface GatewayFrontOptions {
  /** Where the real one is. */
  readonly target: string;
  /** For so long a conversion is held back, where it is slow. */
  readonly slowMs: number;
}

const PAGE =
  "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><p>Please sign in to go on.<br></body></html>";

export class GatewayFront {
  /** `slow`, `lie`, both or none. How it is (`GET health`) is always told as the real one says. */
  faults: ReadonlySet<string> = new Set();
  readonly #options: GatewayFrontOptions;
  readonly #server: Server;
  #lies = 0;

  constructor(options: GatewayFrontOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async up(port: number): Promise<void> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  /** Nobody new comes in; what is in hand goes on. */
  close(): void {
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOwnHost(request.headers.host)) return void response.writeHead(421).end("this is another machine");
    const left = new AbortController();
    response.once("close", () => left.abort());
    try {
      const isWork = request.method === "POST";
      if (isWork && this.faults.has("slow"))
        await sleep(this.#options.slowMs, undefined, { signal: left.signal, ref: false });
      if (isWork && this.faults.has("lie")) await this.#lie(request, response, left.signal);
      else await this.#handOn(request, response, left.signal);
    } catch (error) {
      // Whoever has left needs no answer; a gateway that is going away is told as one that is not there.
      if (left.signal.aborted) return;
      console.error(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(503, { connection: "close" }).end();
    }
  }

  async #handOn(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const answer = await this.#asked(request, signal);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, response);
  }

  /** By turns a web page, and the first half of what the real one says with the length of all of it. */
  async #lie(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    this.#lies += 1;
    if (this.#lies % 2 === 1) {
      await buffer(request);
      return void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
    }
    const answer = await this.#asked(request, signal);
    const whole = await buffer(answer);
    const head = { ...answer.headers, "content-length": String(whole.length) };
    response.writeHead(answer.statusCode ?? 502, head);
    response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => response.destroy());
  }

  async #asked(request: IncomingMessage, signal: AbortSignal): Promise<IncomingMessage> {
    const { method, headers, url = "/" } = request;
    const onward = requestOf(new URL(url, this.#options.target), { ...(method ? { method } : {}), headers, signal });
    const answered = once(onward, "response") as Promise<[IncomingMessage]>; // as "response" is told
    // It may answer before all of it has come; what became of the question is told by the answer.
    onward.on("error", () => undefined);
    request.pipe(onward);
    const [answer] = await answered;
    return answer;
  }
}
