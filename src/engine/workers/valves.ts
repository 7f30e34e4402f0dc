// The valves as this process knows them. It acts on what it has read, says with its beat how far that goes, and asks anew
// when a beat brings a newer generation.

import type { Queryable } from "../db/database.ts";
import { closedLanes } from "./registry.sql.ts";

/** Who passes a closed valve: a probe the breaker it is for, and nothing else; what a person let through all but breakers. */
export type Pass = "probe" | "manual";

export class Valves {
  #closed: ReadonlySet<number> = new Set();
  #stopped: ReadonlySet<number> = new Set();
  #broken: ReadonlySet<number> = new Set();
  #generation = "0";
  #asked = 0;
  #answered = 0;

  isClosed(lane: number, pass?: Pass): boolean {
    switch (pass) {
      case undefined:
        return this.#closed.has(lane);
      case "probe":
        return this.#stopped.has(lane);
      case "manual":
        return this.#broken.has(lane);
    }
  }

  get generation(): string {
    return this.#generation;
  }

  isBehind(generation: string): boolean {
    return BigInt(generation) > BigInt(this.#generation);
  }

  async refresh(db: Queryable): Promise<void> {
    this.#asked += 1;
    const turn = this.#asked;
    const { lanes, stopped, broken, generation } = await closedLanes(db);
    // An answer that comes late must not bring back what was, once what is has been acknowledged.
    if (turn < this.#answered) return;
    this.#answered = turn;
    this.#closed = new Set(lanes);
    this.#stopped = new Set(stopped);
    this.#broken = new Set(broken);
    this.#generation = generation;
  }
}
