// A tab's end of the live feed: shared with the other tabs where the browser can, its own stream where not.

import type { Event } from "../../../src/server/contract/wire.ts";
import { type Listener, type LiveState, Stream } from "./stream.ts";

export type ToTab =
  | { readonly type: "state"; readonly state: LiveState }
  | { readonly type: "event"; readonly event: Event };
export type FromTab = "bye" | "again";

export interface Connection {
  /** For somebody else: who one is decides what one sees. */
  again(): void;
  close(): void;
}

export function connect(listener: Listener): Connection {
  return typeof SharedWorker === "undefined" ? ownStream(listener) : sharedStream(listener);
}

function sharedStream(listener: Listener): Connection {
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
  // A tab that is put aside for the back button does not run its listeners' answers; it comes back by a new connection.
  const leave = () => say("bye");
  addEventListener("pagehide", leave);
  return {
    again: () => (own === undefined ? say("again") : own.again()),
    close: () => {
      removeEventListener("pagehide", leave);
      leave();
      own?.close();
    },
  };
}

function ownStream(listener: Listener): Connection {
  const stream = new Stream(listener);
  stream.open();
  return { again: () => stream.open(), close: () => stream.close() };
}
