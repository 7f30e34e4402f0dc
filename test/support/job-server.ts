// A real little service that speaks the HTTP job API on a loopback port, with its own ground truth and troubles on
// demand. Down is a closed port, not a polite answer.

import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { LoopbackHttp } from "../../sandbox/service/loopback-http.ts";
import { JobWorld, type JobWorldOptions } from "../../src/connectors/index.ts";

export type HttpTrouble =
  /** Acts and never answers. */
  | "silent"
  /** Sends headers, then nothing more. */
  | "stuck"
  /** Acts and hangs up. */
  | "reset"
  /** Acts, then sends half of its answer. */
  | "truncated"
  | "endless"
  | "html"
  | "half-json"
  | "wrong-shape"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

export class JobServer {
  readonly world: JobWorld;
  /** Method and address of every request. */
  readonly requests: string[] = [];
  /** For the next requests, one each. */
  readonly troubles: HttpTrouble[] = [];
  /** For every request, as long as it stands here. */
  standing: HttpTrouble | undefined;
  /** Milliseconds between having acted and answering. */
  slowness = () => 0;
  readonly #http = new LoopbackHttp((request, response) => this.#handle(request, response));

  constructor(options: JobWorldOptions = {}, world = new JobWorld(options)) {
    this.world = world;
  }

  get url(): string {
    return `${this.#http.origin}/api`;
  }

  /** Without a port: any free one, and the same again after an outage. */
  async up(port?: number): Promise<void> {
    await this.#http.up(port);
  }

  async down(): Promise<void> {
    await this.#http.down();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(`${request.method} ${request.url}`);
    const trouble = this.troubles.shift() ?? this.standing;
    if (typeof trouble === "object") {
      response.writeHead(trouble.status, trouble.headers).end("no");
      return;
    }
    const [status, answer] = this.#act(request, await text(request));
    const json = JSON.stringify(answer ?? null);
    const slowMs = this.slowness();
    if (slowMs > 0) await sleep(slowMs);
    switch (trouble) {
      case undefined:
        response.writeHead(status, { "content-type": "application/json" }).end(status === 204 ? undefined : json);
        return;
      case "silent":
        return;
      case "stuck":
        response.writeHead(200, { "content-length": 1_000 }).flushHeaders();
        return;
      case "reset":
        request.socket.resetAndDestroy();
        return;
      case "truncated":
        response.writeHead(200, { "content-length": json.length + 10 });
        response.write(json, () => request.socket.destroy());
        return;
      case "endless": {
        response.writeHead(200);
        const pour = () => {
          if (!response.destroyed) response.write("x".repeat(65_536), pour);
        };
        pour();
        return;
      }
      case "html":
        response.writeHead(200, { "content-type": "text/html" }).end("<html>please log in</html>");
        return;
      case "half-json":
        response.end(json.slice(0, -2));
        return;
      case "wrong-shape":
        response.end(JSON.stringify({ jobs: "many", id: 7 }));
        return;
    }
  }

  #act(request: IncomingMessage, body: string): readonly [status: number, answer?: unknown] {
    const url = new URL(request.url ?? "/", this.url);
    const path = url.pathname.replace(/^\/api/, "");
    if (request.method === "POST" && path === "/jobs") {
      const { input }: { input: unknown } = JSON.parse(body);
      const { id, isNew } = this.world.start(String(request.headers["idempotency-key"]), input);
      return [isNew ? 201 : 200, { id }];
    }
    if (request.method === "DELETE") {
      return [this.world.cancel(decodeURIComponent(path.replace("/jobs/", ""))) ? 204 : 404];
    }
    const { searchParams: asked } = url;
    const ids = asked.get("ids");
    if (ids !== null) return [200, { jobs: this.world.byIds(ids.split(",")) }];
    const key = asked.get("key");
    if (key !== null) return [200, { jobs: this.world.byKey(key) }];
    return [200, this.#page(asked.get("prefix") ?? "", Number(asked.get("limit")), Number(asked.get("after") ?? 0))];
  }

  #page(prefix: string, limit: number, from: number): unknown {
    const all = this.world.byPrefix(prefix).map(({ id, key, status }) => ({ id, key, status }));
    const next = from + limit < all.length ? String(from + limit) : null;
    return { jobs: all.slice(from, from + limit), next };
  }
}
