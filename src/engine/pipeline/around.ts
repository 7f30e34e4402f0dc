// What an installation wraps around every visit: logging, tracing, a context for everything that is called from there.

import type { Outcome } from "./outcome.ts";
import type { Visit } from "./visit.ts";

/** How a visit went: what its handler returned, or what became of work that happens elsewhere or in parts. */
export type Came = Outcome["type"] | "started" | "chosen" | "parts";

/**
 * Calls `next()` once, which runs the visit, and may do what it likes before and after. It sees what came of the visit and
 * cannot change it, except by throwing: then the visit has failed with that, as if its handler had thrown it.
 */
export type Around = (visit: Visit<unknown, unknown, unknown>, next: () => Promise<Came>) => Promise<unknown> | unknown;
