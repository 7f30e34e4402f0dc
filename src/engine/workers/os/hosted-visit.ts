// A visit that is made in a child process, and how long what concerns it may take.

import type { VisitResult } from "../../items/standing.ts";
import type { Held } from "../held.ts";
import type { Crash } from "../suspects.ts";
import type { VisitPorts } from "../visit.ts";

/** A visit from the moment it is asked for, wherever it is. */
export interface Pending {
  readonly held: Held;
  readonly ports: VisitPorts;
  /** Aborted when it has its result: whatever still waits on its behalf may stop. */
  readonly over: AbortController;
  /** Of its calls that have ended: each resolves when that is written down. */
  readonly reports: Promise<void>[];
  /** When its child was given it: never, while it waits for one. */
  deliveredAt: number;
  resolve(result: VisitResult | Crash): void;
}

export interface HostedLimits {
  readonly startMs: number;
  readonly idleMs: number;
  /** A visit's own limit ends it; this much later the child is taken to be stuck. */
  readonly stuckMs: number;
  /** How long a visit may take to return after it was told to stop. */
  readonly abortMs: number;
  /** A visit that has gone on for so long has shown that it does not kill its process at once. */
  readonly lastingMs: number;
}
