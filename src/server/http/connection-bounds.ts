// What a connection may ask of us before anybody knows who is behind it. Requests are let in one after the other: some clients send
// the next before the answer to the last, but whoever sends hundreds, or reads nothing, would have us work and keep the answers.

import type { IncomingMessage, RequestListener, Server, ServerOptions } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection whose answers are not out yet. */
export const UNANSWERED_MOST = 16;

export const SERVER_OPTIONS = {
  /** The first line and all headers, in bytes. */
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  /** With the body: that of an upload over a slow line. Others have `BODY_MS`. */
  requestTimeout: 15 * 60_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
} as const satisfies ServerOptions;

/** Twice as many as may be connected for long. */
const CONNECTIONS_MOST = 4_000;
const REQUESTS_MOST = 1_000;
/** Nothing sent and nothing taken: streams beat every fifteen seconds, and pages wait for thirty. */
const SILENCE_MS = 120_000;

export function boundConnections(server: Server): void {
  server.maxConnections = CONNECTIONS_MOST;
  server.maxRequestsPerSocket = REQUESTS_MOST;
  server.timeout = SILENCE_MS;
}

/** For a body of a megabyte at most. */
const BODY_MS = 60_000;

/** Hangs up on whoever takes longer to send what is no upload. */
export function bodiesInTime(
  listener: RequestListener,
  isUpload: (incoming: IncomingMessage) => boolean,
): RequestListener {
  return (incoming, outgoing) => {
    if (!isUpload(incoming)) {
      const late = setTimeout(() => incoming.complete || incoming.socket.destroy(), BODY_MS);
      late.unref();
      incoming.once("close", () => clearTimeout(late));
    }
    listener(incoming, outgoing);
  };
}

/** As far as that can be told before anybody has looked at it. */
export function isUpload({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");
}

/** Hangs up on a connection with too many of them. What it has sent by then is parsed already, and not looked at any more. */
export function fewAtOnce(listener: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > UNANSWERED_MOST) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    outgoing.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    listener(incoming, outgoing);
  };
}
