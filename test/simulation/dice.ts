// Chance with a seed. Everything random in a simulation comes from here, in separate streams: what the scheduler draws
// must not depend on which faults were taken out while a failure is made smaller.

import { type Random, seededRandom } from "../../src/kit/index.ts";

export class Dice {
  readonly random: Random;

  constructor(...seed: (number | string)[]) {
    this.random = seededRandom(hashed(...seed));
  }

  fraction(): number {
    return this.random.fraction();
  }

  chance(probability: number): boolean {
    return this.random.fraction() < probability;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.random.fraction() * (high - low + 1));
  }

  pick<T>(list: readonly T[]): T {
    const one = list[Math.floor(this.random.fraction() * list.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  }
}

/** FNV-1a over the parts: the same parts give the same number in every process. */
export function hashed(...parts: (number | string)[]): number {
  let hash = 0x811c9dc5;
  for (const character of parts.join("/")) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
