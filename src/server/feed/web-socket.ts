// A subscription as a WebSocket: the same envelopes, each a text frame.

import type { WebSocket } from "ws";
import type { Logger } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import type { Line } from "./outbox.ts";
import type { EndReason, Subscription } from "./subscription.ts";

/** Why the server closes, for those who switch on it. */
export const CLOSE_CODES: { readonly [Reason in EndReason]: number } = {
  left: 1000,
  "going-away": 1001,
  "access-ended": 4401,
  stalled: 4408,
};

/** A close frame has so long to be answered. */
const CLOSE_MS = 1_000;
/** And a ping. */
const PONG_MS = 30_000;

/** Runs until either side ends it. */
export async function talk(socket: WebSocket, subscription: Subscription, log: Logger): Promise<void> {
  let pingedAt: number | undefined;
  socket.on("pong", () => {
    pingedAt = undefined;
  });
  socket.on("close", () => subscription.end("left"));
  // Such as a frame that is too large; the library closes it.
  socket.on("error", (error) => log.info("feed.socket-error", { error: safeText(error, 300) }));
  // What clients send is read and thrown away: they have nothing to say here.
  socket.on("message", () => {});
  subscription.onEnd((reason) => end(socket, reason));
  try {
    for await (const lines of subscription) {
      if (lines.some(({ kind }) => kind === "heartbeat")) {
        const now = performance.now();
        pingedAt ??= now;
        if (now - pingedAt > PONG_MS) return socket.terminate();
        socket.ping();
      }
      await send(socket, lines);
    }
  } catch (error) {
    log.warn("feed.socket-failed", { error: safeText(error, 300) });
    subscription.end("going-away");
  }
}

function end(socket: WebSocket, reason: EndReason): void {
  socket.close(CLOSE_CODES[reason], reason);
  setTimeout(() => socket.terminate(), CLOSE_MS).unref();
}

/** Resolves when the last one is out, so that a slow reader fills its own bounded outbox and nothing else. */
function send(socket: WebSocket, lines: readonly Line[]): Promise<void> {
  return new Promise((resolve) => {
    const last = lines.length - 1;
    if (last < 0) resolve();
    // An error closes the socket, and that ends the subscription.
    for (const [index, { json }] of lines.entries()) socket.send(json, index === last ? () => resolve() : () => {});
  });
}
