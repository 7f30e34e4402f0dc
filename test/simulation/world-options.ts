// What a run can be told instead of drawing it: for scenarios, and for bugs put in on purpose.

import type { Statement } from "../../src/engine/db/database.ts";
import type { AnyPipeline } from "../../src/engine/index.ts";
import type { Sluice } from "../../src/engine/sluice.ts";
import type { Surroundings } from "./handlers.ts";
import type { ServiceFaults } from "./jobs-service.ts";
import type { Kind } from "./swarm.ts";

export interface WorldOptions {
  readonly workers?: number;
  /** What visits do, by stage and how often it was visited before. */
  readonly script?: Surroundings["script"];
  /** The first thing the user does, and all it does unless faults say otherwise. */
  readonly begin?: (client: Sluice, main: AnyPipeline) => Promise<unknown>;
  /** Puts a bug into a statement of the engine's, to see that it is found. */
  readonly plant?: (statement: Statement) => Statement;
  /** How often services do what, instead of what the seed says. */
  readonly serviceFaults?: ServiceFaults;
  /** What there is besides work, instead of what the seed says. */
  readonly kinds?: readonly Kind[];
  /** Whether processes tell each other, instead of what the seed says. */
  readonly notify?: boolean;
  /** A stage's own writes wait for something else meanwhile, which they must not. */
  readonly commitWaits?: boolean;
}
