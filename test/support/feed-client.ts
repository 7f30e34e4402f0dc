// Somebody who listens to the live feed, by either way, and remembers what was said.

import { once } from "node:events";
import http from "node:http";
import { WebSocket } from "ws";

export type Envelope = Readonly<Record<string, unknown>>;

/** What both ways have in common: envelopes come, and somebody waits for some. */
abstract class Listener {
  readonly heard: Envelope[] = [];
  /** Where it would go on from. */
  lastId: unknown;
  #waiting: { readonly isThere: () => boolean; readonly resolve: () => void }[] = [];

  /** Resolves when it is so; looks whenever something came. */
  async until(isThere: () => boolean): Promise<void> {
    if (isThere()) return;
    await new Promise<void>((resolve) => this.#waiting.push({ isThere, resolve }));
  }

  /** The first envelope that has these fields. */
  async first(fields: Envelope): Promise<Envelope> {
    const fits = (one: Envelope) => Object.entries(fields).every(([name, value]) => one[name] === value);
    await this.until(() => this.heard.some(fits));
    return this.heard.find(fits) ?? {};
  }

  /** Without hellos and heartbeats, and what is told only while it happens. */
  get events(): readonly Envelope[] {
    return this.heard.filter(({ id, type }) => id !== null && type !== "hello" && type !== "heartbeat");
  }

  protected look(): void {
    const ready = this.#waiting.filter(({ isThere }) => isThere());
    this.#waiting = this.#waiting.filter((one) => !ready.includes(one));
    for (const { resolve } of ready) resolve();
  }
}

export class SseClient extends Listener {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly ended: Promise<unknown>;
  heartbeats = 0;
  retry: string | undefined;
  /** Of an answer that is no stream. */
  body = "";
  readonly #answer: http.IncomingMessage;

  private constructor(answer: http.IncomingMessage) {
    super();
    this.#answer = answer;
    this.status = answer.statusCode ?? 0;
    this.headers = answer.headers;
    this.ended = once(answer, "close");
    let rest = "";
    answer.setEncoding("utf8");
    answer.on("error", () => {}); // cut off, which is what some tests are about
    answer.on("data", (chunk: string) => {
      if (this.status !== 200) this.body += chunk;
      const blocks = (rest + chunk).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
      this.look();
    });
  }

  static async open(url: string, headers: Record<string, string>): Promise<SseClient> {
    const request = http.get(url, { headers: { accept: "text/event-stream", ...headers }, agent: false });
    const [answer] = (await once(request, "response")) as [http.IncomingMessage];
    return new SseClient(answer);
  }

  close(): void {
    this.#answer.destroy();
  }

  #take(block: string): void {
    let name = "message";
    for (const line of block.split("\n")) {
      const [, field, value = ""] = /^(\w+): ?(.*)$/.exec(line) ?? [];
      if (field === "id") this.lastId = value;
      if (field === "retry") this.retry = value;
      if (field === "event") name = value;
      if (field !== "data") continue;
      if (name === "message") this.heard.push(JSON.parse(value));
      else if (name === "heartbeat" && JSON.parse(value).type === name) this.heartbeats += 1;
    }
  }
}

export class SocketClient extends Listener {
  readonly socket: WebSocket;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;

  private constructor(socket: WebSocket) {
    super();
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
    });
    socket.on("message", (data) => {
      const envelope: Envelope = JSON.parse(String(data));
      this.heard.push(envelope);
      this.lastId = envelope.id ?? this.lastId;
      this.look();
    });
  }

  /** The client, or the status it was refused with. */
  static async open(url: string, headers: Record<string, string>): Promise<SocketClient | number> {
    const socket = new WebSocket(url.replace(/^http/, "ws"), { headers });
    const client = new SocketClient(socket);
    return await new Promise((resolve, reject) => {
      socket.once("open", () => resolve(client));
      socket.once("error", reject);
      socket.once("unexpected-response", (request, answer) => {
        resolve(answer.statusCode ?? 0);
        request.destroy();
      });
    });
  }
}
