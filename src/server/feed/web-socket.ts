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
/** Pings and messages of a client, all together; proxies ask a few times in a minute. */
const HEARD_PER_SECOND = 10;
/** For those that send more: a policy was broken, as the protocol calls it. */
const TOO_MUCH = 1008;
/** Whoever has so much to read yet is not told that we are here. */
const UNREAD_BYTES = 65_536;

/** Runs until either side ends it. */
export async function talk(socket: WebSocket, subscription: Subscription, log: Logger): Promise<void> {
  let pingedAt: number | undefined;
  socket.on("pong", () => {
    pingedAt = undefined;
  });
  socket.on("close", () => subscription.end("left"));
  // Such as a frame that is too large; the library closes it.
  socket.on("error", (error) => log.info("feed.socket-error", { error: safeText(error, 300) }));
  hear(socket);
  subscription.onEnd((reason) => end(socket, CLOSE_CODES[reason], reason));
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

/** A ping is answered. What else clients send is read and thrown away: they have nothing to say here. */
function hear(socket: WebSocket): void {
  let since = Number.NEGATIVE_INFINITY;
  let heard = 0;
  const isLittle = (): boolean => {
    const now = performance.now();
    if (now - since >= 1_000) [since, heard] = [now, 0];
    heard += 1;
    if (heard === HEARD_PER_SECOND + 1) {
      end(socket, TOO_MUCH, "too-much");
      // Nothing of it is listened to any more.
      socket.pause();
    }
    return heard <= HEARD_PER_SECOND;
  };
  socket.on("message", isLittle);
  socket.on("ping", (data) => {
    if (isLittle() && socket.readyState === socket.OPEN && socket.bufferedAmount < UNREAD_BYTES) socket.pong(data);
  });
}

function end(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
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
