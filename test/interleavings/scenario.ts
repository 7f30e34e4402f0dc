// A race written down: how it begins, who takes part, and what must hold however their statements interleave.

import type { Database } from "../../src/engine/db/database.ts";
import type { Arena } from "./arena.ts";

/** What happened in one interleaving, apart from what the scripts noted themselves. */
export interface Run {
  /** Statements in the order they were sent, as "session: statement". */
  readonly trace: readonly string[];
  /** Who had to wait for a lock, as "session: statement". */
  readonly waits: readonly string[];
  /** What a script threw, by its session's name. */
  readonly failures: ReadonlyMap<string, unknown>;
}

export type Script = (db: Database) => Promise<unknown>;

export interface Scenario {
  readonly name: string;
  /** How often a session may be interrupted while it could go on; without a limit every interleaving is tried. */
  readonly preemptions?: number;
  /** Session settings, where sessions are to have different plans for the same statement. */
  readonly settings?: Readonly<Record<string, string>>;
  /** True where a script is expected to throw and `check` looks at what. */
  readonly mayFail?: boolean;
  /** Called anew for every interleaving, on tables that are empty but for pipelines and lanes. */
  prepare(arena: Arena): Promise<Prepared>;
}

export interface Prepared {
  /** No session at all: then `check` is the whole of it. */
  readonly sessions: Readonly<Record<string, Script>>;
  /** Beside the invariants that hold always. Throws. */
  check?(run: Run): Promise<void> | void;
}
