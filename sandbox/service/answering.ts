// A small HTTP service on a loopback port that answers as its script says: well, never, with 500, or by half.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
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

export async function answering(port: number, script: () => Script, handle: Handle): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request, response, script, handle).catch((error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse, script: () => Script, handle: Handle) {
  const { answers } = script();
  if (answers === "never") return; // whoever asks has a limit
  if (answers === "with 500") return void response.writeHead(500).end("something broke in here");
  const asked = await askedOf(request);
  const { status, json } = asked === undefined ? { status: 400, json: { error: "no JSON" } } : await handle(asked);
  const whole = JSON.stringify(json);
  const sent = answers === "by half" ? whole.slice(0, Math.ceil(whole.length / 2)) : whole;
  response.writeHead(status, { "content-type": "application/json" }).end(sent);
}

async function askedOf(request: IncomingMessage): Promise<AskedOf | undefined> {
  const body = (await text(request)).slice(0, BODY_BYTES);
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
