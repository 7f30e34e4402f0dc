// A tab's end of the live feed: shared with the other tabs where the browser can, its own stream where not.

import type { Event } from "../../../src/server/contract/wire.ts";
import { type Listener, type LiveState, Stream } from "./stream.ts";

export type ToTab =
  | { readonly type: "state"; readonly state: LiveState }
  | { readonly type: "event"; readonly event: Event };
/** `here`: who one is decides what one sees. `out`: nobody of this browser is let in any more. */
export type FromTab =
  | { readonly type: "here"; readonly user: string }
  | { readonly type: "bye" }
  | { readonly type: "out" };

export interface Connection {
  close(): void;
  /** Closes it for all tabs. */
  out(): void;
}

/** A page that is put aside for the back button hears nothing, and comes back by a new connection. */
export function connect(listener: Listener, user: string): Connection {
  let connection = begin(listener, user);
  const hide = () => connection.close();
  const show = ({ persisted }: PageTransitionEvent) => {
    if (persisted) connection = begin(listener, user);
  };
  addEventListener("pagehide", hide);
  addEventListener("pageshow", show);
  return {
    out: () => connection.out(),
    close: () => {
      removeEventListener("pagehide", hide);
      removeEventListener("pageshow", show);
      connection.close();
    },
  };
}

function begin(listener: Listener, user: string): Connection {
  if (typeof SharedWorker === "undefined") return ownStream(listener);
  try {
    return sharedStream(listener, user);
  } catch {
    // Some browsers have it and forbid it.
    return ownStream(listener);
  }
}

function sharedStream(listener: Listener, user: string): Connection {
  const worker = new SharedWorker(new URL("./shared.worker.ts", import.meta.url), {
    type: "module",
    name: "sluice-live",
  });
  const { port } = worker;
  const say = (message: FromTab) => port.postMessage(message);
  let own: Connection | undefined;
  worker.onerror = () => {
    own ??= ownStream(listener);
  };
  port.onmessage = ({ data }: MessageEvent<ToTab>) => {
    if (data.type === "state") listener.onState(data.state);
    else listener.onEvent(data.event);
  };
  say({ type: "here", user });
  const leave = (message: FromTab) => {
    say(message);
    port.close();
    own?.close();
    listener.onState("off");
  };
  return { close: () => leave({ type: "bye" }), out: () => leave({ type: "out" }) };
}

function ownStream(listener: Listener): Connection {
  const stream = new Stream(listener);
  stream.open();
  const close = () => stream.close();
  return { close, out: close };
}
