// What a worker needs from its process.

import type { Clock, Logger, Random } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import type { VisitResult } from "../items/standing.ts";
import type { Around } from "../pipeline/around.ts";
import type { Held } from "./held.ts";
import type { Measures } from "./measures.ts";
import type { Registry } from "./registry.ts";
import type { Services } from "./services.ts";
import type { Crash } from "./suspects.ts";
import type { Threads } from "./threads.ts";
import type { Pass } from "./valves.ts";
import type { VisitPorts } from "./visit.ts";

export interface WorkerPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly registry: Registry;
  /** In front of every key, so that what is ours outside can be told from what is not. */
  readonly installation: string;
  readonly services: Services;
  readonly measures: Pick<Measures, "resumed">;
  /** What the installation wraps around every visit. */
  readonly around?: readonly Around[];
  /** Where handlers that compute run; in this very thread without it. */
  readonly threads?: Threads;
  epoch(): string;
  /** Valves as this process knows them; checked at the beginning of each visit. */
  isClosed(lane: number, pass?: Pass): boolean;
  /** Raised by every valve that moves. */
  valveGeneration(): string;
  /** Runs a visit of an item that a dead process had in its hands. */
  visitSuspect(held: Held, ports: VisitPorts): Promise<VisitResult | Crash>;
  /** How many notifications have come; undefined where none can come now. */
  heard(): number | undefined;
  /** Most of what this process may be handed unasked has come. */
  usedUp(): void;
  /** Something became ready that another process may take. */
  moved(): void;
  /** A wait began, or something ended that others may wait for. */
  waitsChanged(): void;
}

export interface WorkerOptions {
  readonly concurrency: number;
  readonly pollMs: number;
}
