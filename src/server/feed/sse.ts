// A subscription as server-sent events.

import type { Logger } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import type { Line } from "./outbox.ts";
import type { Subscription } from "./subscription.ts";

/** Proxies neither keep it back nor change it. */
export const SSE_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
} as const;

/** Clients come back after this long, in milliseconds. */
const RETRY = "retry: 3000\n\n";

/** A heartbeat has a name of its own: whoever does not ask for it by that hears nothing, but knows its place. */
export function toSse({ kind, id, json }: Line): string {
  if (kind === "heartbeat") return `event: heartbeat\nid: ${id}\ndata: ${json}\n\n`;
  return id === null ? `data: ${json}\n\n` : `id: ${id}\ndata: ${json}\n\n`;
}

/** Reads on when there is room, so that a slow reader fills its own bounded outbox and nothing else. */
export function sseStream(subscription: Subscription, log: Logger): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isCancelled = false;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(RETRY)),
    pull: async (controller) => {
      try {
        const { done, value } = await subscription.next();
        if (isCancelled) return;
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value.map(toSse).join("")));
      } catch (error) {
        // What went wrong is for the log; the client comes back where it was.
        log.warn("feed.stream-failed", { error: safeText(error, 300) });
        if (!isCancelled) controller.close();
      }
    },
    cancel: () => {
      isCancelled = true;
      subscription.end("left");
    },
  });
}
