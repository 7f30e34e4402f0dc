// A small world of documents for tests of the dashboard: a server with the documents application, and on the loopback a gateway that
// does what a PDF tells it to.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { documentStore, documentsApp, prepareDocumentTables } from "../../src/apps/documents/index.ts";
import { httpGateway } from "../../src/connectors/index.ts";
import { openSluice, type Tables } from "../../src/engine/index.ts";
import { startServer } from "../support/server.ts";
import { type Pages, servePages } from "./shop.ts";

/** What a PDF may ask for, in its second line. */
export type Wish = "fine" | "locked" | "hostile" | "flaky";

export const pdf = (
  name: string,
  wish: Wish = "fine",
  bytes = 0,
): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: "application/pdf",
  buffer: Buffer.concat([
    Buffer.from(`%PDF-1.4\n% wish:${wish} ${name}\n`),
    Buffer.alloc(bytes, 37),
    Buffer.from("%%EOF\n"),
  ]),
});

/** What stands in a PDF may be made to look like a page. */
export const HOSTILE = `<script>document.title='broken into'</script><img src="x" onerror="document.title='broken into'"/>`;

export class LittleGateway {
  isDown = false;
  #held: PromiseWithResolvers<void> | undefined;
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async up(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`; // it listens on TCP
  }

  /** Conversions take their time until what is returned is called. */
  hold(): () => void {
    const held = Promise.withResolvers<void>();
    this.#held = held;
    return () => {
      this.#held = undefined;
      held.resolve();
    };
  }

  async close(): Promise<void> {
    this.#held?.resolve();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    if (this.isDown) return void response.writeHead(503).end("away");
    if (request.url === "/health") return json(response, 200, { name: "little", mappings: ["layout", "text"] });
    const [, wish = "fine", name = ""] = /% wish:(\w+) (.*)/.exec(Buffer.concat(pieces).toString("utf8")) ?? [];
    if (wish === "locked") return json(response, 422, { error: { code: "PASSWORD_PROTECTED" } });
    if (wish === "flaky") return void response.writeHead(500).end("it fell over");
    await this.#held?.promise;
    response.writeHead(200, { "content-type": "application/xml", "x-pages": "3" }).end(xmlOf(name, wish));
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function xmlOf(name: string, wish: string): string {
  const long = `    <line font="F1" x="72" y="720">${"all on one line ".repeat(80)}</line>`;
  const body = wish === "hostile" ? HOSTILE : `    <line font="F1" x="72" y="700">What stands in ${name}</line>`;
  const pages = [1, 2, 3].map((page) => `  <page number="${page}">\n${body}\n${long}\n  </page>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<document>\n${pages.join("\n")}\n</document>\n`;
}

export interface Papers extends Pages {
  readonly gateway: LittleGateway;
  /** As if the disk were full. */
  fill(isFull: boolean): void;
  /** As if their time were over. */
  expire(what: "sources" | "results"): Promise<void>;
}

const LIMITS = {
  ...{ fileBytes: 4 * 1_048_576, files: 5, uploadsPerMinute: 30, freeBytes: 0 },
  // Long enough to be seen waiting.
  backoff: { base: 60_000, cap: 120_000, jitter: 0 },
  breaker: { failures: 2, items: 2, cooldown: "2s" },
} as const;

export async function openPapers(): Promise<Papers> {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-papers-"));
  const places = { uploads: path.join(folder, "uploads"), results: path.join(folder, "results") };
  const gateway = new LittleGateway();
  const [database] = await Promise.all([startServer(), gateway.up()]);
  const opened = Promise.withResolvers<Tables>();
  const tables = () => opened.promise;
  const once = httpGateway({ service: "gateway", baseUrl: gateway.url });
  const common = { tables, places, gateway: { once } };
  const app = documentsApp({ ...common, limits: LIMITS });
  const without = documentsApp({ ...common, limits: { ...LIMITS, freeBytes: Number.MAX_SAFE_INTEGER } });
  const { pipelines, services } = app;
  const sluice = await openSluice({ pipelines, services, database: database.url(), log: quiet });
  await prepareDocumentTables(sluice.tables);
  opened.resolve(sluice.tables);
  let isFull = false;
  const documents = { ...app, roomRefusal: () => (isFull ? without : app).roomRefusal() };
  const pages = await servePages(sluice, { documents });
  const store = documentStore(tables);
  return {
    ...{ ...pages, gateway },
    fill: (full) => {
      isFull = full;
    },
    expire: async (what) => {
      await (what === "sources" ? store.expireSources(0, 100) : store.expireResults(0, 100));
    },
    async close() {
      await gateway.close();
      await pages.close();
      await sluice.close();
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const quiet = { info() {}, warn() {}, error() {} };
