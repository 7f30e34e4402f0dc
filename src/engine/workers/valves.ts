// The valves as this process knows them. It acts on what it has read, says with its beat how far that goes, and asks anew
// when a beat brings a newer generation.

import type { Queryable } from "../db/database.ts";
import { closedLanes } from "./registry.sql.ts";

export class Valves {
  #closed: ReadonlySet<number> = new Set();
  #generation = "0";

  isClosed(lane: number): boolean {
    return this.#closed.has(lane);
  }

  get generation(): string {
    return this.#generation;
  }

  isBehind(generation: string): boolean {
    return BigInt(generation) > BigInt(this.#generation);
  }

  async refresh(db: Queryable): Promise<void> {
    const { lanes, generation } = await closedLanes(db);
    this.#closed = new Set(lanes);
    this.#generation = generation;
  }
}
