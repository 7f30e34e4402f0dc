// A small HTTP service on a loopback port that answers as its script says: well, never, with 500, or by half.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Script } from "./faults.ts";

export interface AskedOf {
  readonly method: string;
  readonly url: URL;
  /** Of the header `idempotency-key`. */
  readonly key: string;
  readonly body: unknown;
}

export interface Answer {
  readonly status: number;
  readonly json: unknown;
}

export type Handle = (asked: AskedOf) => Answer | Promise<Answer>;

const BODY_BYTES = 100_000;
/** A page elsewhere may have its own name lead to this machine; it cannot have a browser ask by the machine's. */
export const isOwnHost = (host = "") => /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);

export async function answering(port: number, script: () => Script, handle: Handle): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request, response, script, handle).catch((error: unknown) => {
      console.error(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse, script: () => Script, handle: Handle) {
  if (!isOwnHost(request.headers.host)) return void response.writeHead(421).end("this is another machine");
  const { answers } = script();
  if (answers === "never") return; // whoever asks has a limit
  if (answers === "with 500") return void response.writeHead(500).end("something broke in here");
  const body = await bodyOf(request);
  if (body === undefined) return void response.writeHead(413, { connection: "close" }).end("too long");
  const asked = askedOf(request, body);
  const { status, json } = asked === undefined ? { status: 400, json: { error: "no JSON" } } : await handle(asked);
  const whole = JSON.stringify(json);
  const sent = answers === "by half" ? whole.slice(0, Math.ceil(whole.length / 2)) : whole;
  response.writeHead(status, { "content-type": "application/json" }).end(sent);
}

/** Undefined where it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  // Who is refused is still told so.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > BODY_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function askedOf(request: IncomingMessage, body: string): AskedOf | undefined {
  try {
    return {
      method: request.method ?? "GET",
      url: new URL(request.url ?? "/", "http://localhost"),
      key: String(request.headers["idempotency-key"] ?? ""),
      body: body === "" ? undefined : JSON.parse(body),
    };
  } catch {
    return undefined;
  }
}
