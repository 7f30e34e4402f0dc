// Signed as the Standard Webhooks specification says, so that a receiver checks it with any of its libraries: HMAC-SHA256 over
// "id.timestamp.body" with the bytes behind "whsec_", as base64 after "v1,".

import { createHmac, randomBytes } from "node:crypto";
import { InputError } from "../../engine/index.ts";

const PREFIX = "whsec_";
const NEW_BYTES = 32;

export function newSigningSecret(): string {
  return `${PREFIX}${randomBytes(NEW_BYTES).toString("base64")}`;
}

/** 24 to 64 bytes, as the specification has it. */
export function signingKey(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "";
  const key = Buffer.from(/^[A-Za-z0-9+/]+={0,2}$/.test(text) ? text : "", "base64");
  if (key.byteLength < 24 || key.byteLength > 64)
    throw new InputError(
      "secret",
      "secret is whsec_ and 24 to 64 bytes as base64; leave it out and one is made and shown once",
    );
  return key;
}

export interface SignedHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/** `id` stays the same when a message is sent again: a receiver that has seen it may drop it. */
export function signed(secret: string, id: string, atMs: number, body: string): SignedHeaders {
  const timestamp = String(Math.floor(atMs / 1_000));
  const mac = createHmac("sha256", signingKey(secret)).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${mac}` };
}
