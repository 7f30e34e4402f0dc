// The data that finders look at: entities that appear one after the other and stay.

import { Dice } from "./dice.ts";

const MOST = 7;

export class Entities {
  readonly seed: number;
  #count: number;
  #asked = 0;

  constructor(seed: number) {
    this.seed = seed;
    this.#count = new Dice(seed, "entities").between(1, 4);
  }

  get count(): number {
    return this.#count;
  }

  appear(): void {
    if (this.#count < MOST) this.#count += 1;
  }

  /** Chance for one question, which is another each time. */
  diceFor(finder: string): Dice {
    this.#asked += 1;
    return new Dice(this.seed, "find", finder, this.#asked);
  }

  /** Those after a serial number. */
  after(serial: number, limit: number): number[] {
    const left = Math.max(0, this.#count - serial);
    return Array.from({ length: Math.min(limit, left) }, (_, index) => serial + index + 1);
  }
}

export const entityKey = (serial: number) => `entity:${serial}`;
