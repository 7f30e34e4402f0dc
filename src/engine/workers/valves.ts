// The valves as this process knows them. It acts on what it has read, says with its beat how far that goes, and asks anew
// when a beat brings a newer generation.

import type { Queryable } from "../db/database.ts";
import { closedLanes } from "./registry.sql.ts";

export class Valves {
  #closed: ReadonlySet<number> = new Set();
  #stopped: ReadonlySet<number> = new Set();
  #generation = "0";

  /** A probe passes the breaker it is for, and no other valve. */
  isClosed(lane: number, isProbe = false): boolean {
    return (isProbe ? this.#stopped : this.#closed).has(lane);
  }

  get generation(): string {
    return this.#generation;
  }

  isBehind(generation: string): boolean {
    return BigInt(generation) > BigInt(this.#generation);
  }

  async refresh(db: Queryable): Promise<void> {
    const { lanes, stopped, generation } = await closedLanes(db);
    this.#closed = new Set(lanes);
    this.#stopped = new Set(stopped);
    this.#generation = generation;
  }
}
