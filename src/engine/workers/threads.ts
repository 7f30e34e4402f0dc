// Handlers that compute: they run in a thread, so that beat, settlements and everybody else's visits go on meanwhile.

import { BugError } from "../../kit/index.ts";
import type { Outcome } from "../pipeline/outcome.ts";
import type { Visit } from "../pipeline/visit.ts";

export type ThreadHandler = (visit: Visit) => Outcome | Promise<Outcome>;

export interface Threads {
  /** Runs the default export of a module. */
  run(module: string, visit: Visit): Promise<Outcome>;
  stop(): Promise<void>;
}

/** In this very thread: for tests under a clock of their own, and for children, which exist to be blocked. */
export function inlineThreads(): Threads {
  return {
    run: async (module, visit) => await (await handlerOf(module))(visit),
    stop: async () => undefined,
  };
}

export async function handlerOf(module: string): Promise<ThreadHandler> {
  const { default: handler }: { default?: unknown } = await import(module);
  if (typeof handler !== "function") throw new BugError(`${module} has no function as its default export`);
  // What the module exports, the stage's author vouches for, as for every handler.
  return handler as ThreadHandler;
}
