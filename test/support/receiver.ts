// A little program that receives messages over HTTP and keeps them; it answers as it is told to.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { serve } from "./loopback.ts";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: ReturnType<typeof JSON.parse>;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  answer: (response: ServerResponse, got: Received) => void;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const url = await serve(async (request, response) => {
    const body = await text(request);
    const isJson = /json/.test(request.headers["content-type"] ?? "");
    const { method = "", url: path = "", headers } = request;
    const got = { method, path, headers, body, json: isJson ? JSON.parse(body) : undefined };
    received.push(got);
    receiver.answer(response, got);
  });
  const receiver: Receiver = { url, received, answer: (response) => void response.writeHead(204).end() };
  return receiver;
}

/** Checked by the specification alone, with nothing of ours: true when the message is signed with this secret. */
export function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const [id, at, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    String(headers[name]),
  );
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest();
  return (signatures ?? "").split(" ").some((one) => {
    const [version, mac = ""] = one.split(",");
    const given = Buffer.from(mac, "base64");
    return version === "v1" && given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
  });
}
