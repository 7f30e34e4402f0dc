// What an open Sluice stands on. `openSluice` fills it from options; tests and simulations with their own.

import type { Clock, Logger, Random } from "../kit/index.ts";
import type { Database } from "./db/database.ts";
import type { Around } from "./pipeline/around.ts";
import type { Finder } from "./pipeline/finder.ts";
import type { Schedule } from "./pipeline/schedule.ts";
import type { Former } from "./read/comeback.ts";
import type { LifePorts } from "./workers/life.ts";
import type { GivenClients } from "./workers/service-clients.ts";

export interface EnginePorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly notify: boolean;
  /** What speaks to each service, by its name or its family's. */
  readonly services?: GivenClients;
  readonly finders?: readonly Finder[];
  readonly schedules?: readonly Schedule[];
  /** What is wrapped around every visit, the outermost first. */
  readonly around?: readonly Around[];
  /** How this process works on items; undefined for one that only submits and asks. */
  readonly worker: WorkerSetup | undefined;
  /** What the last process of this worker's name left behind, where that did not end in order. */
  readonly former?: Former | undefined;
}

export interface WorkerSetup
  extends Pick<LifePorts, "identity" | "heart" | "isGone" | "suspects" | "threads" | "deadAfterMs"> {
  readonly concurrency: number;
  readonly pollMs: number;
  readonly graceMs: number;
  /** Works on these alone, by name. */
  readonly stages?: readonly string[] | undefined;
}
