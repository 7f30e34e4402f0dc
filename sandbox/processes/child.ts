// The child's side of a managed process: it says when it answers, hears which faults it is to have, and ends with its parent.

import { inspect } from "node:util";

/** What a parent tells its child: all the faults it has from now on, and a number to answer with. */
export interface Order {
  readonly order: number;
  readonly faults: readonly string[];
}

/** What a child tells its parent: that it answers, or that it heard an order. */
export type Said = "ready" | { readonly heard: number };

export interface ChildOptions {
  /** Told to end in order, or its parent is gone. Whatever it does, it is over soon after. */
  readonly onEnd: () => void | Promise<void>;
  readonly onFaults?: (faults: readonly string[]) => void;
}

const END_MS = 8_000;

/** Call it before anything is awaited: a parent that is gone by then would not be noticed. */
export function beChild({ onEnd, onFaults = () => undefined }: ChildOptions): { ready(): void } {
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(endGroup, END_MS);
    Promise.resolve(onEnd())
      .catch((error: unknown) => console.error(inspect(error)))
      .finally(endGroup);
  };
  process.on("SIGTERM", end);
  // A terminal's Ctrl-C is for the parent, which ends its children in order.
  process.on("SIGINT", () => undefined);
  process.on("disconnect", end);
  if (!process.connected) end();
  process.on("message", (order: Order) => {
    onFaults(order.faults);
    say({ heard: order.order });
  });
  return { ready: () => say("ready") };
}

function say(what: Said): void {
  if (process.connected) process.send?.(what);
}

/** With whatever it started itself: it is the leader of its group. */
function endGroup(): void {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    process.exit(0); // started by hand, without a group of its own
  }
}
