// What is there besides work and accidents, each in a share of the seeds: with everything everywhere, runs would be long and
// nothing would ever meet anything often.

import { Dice } from "./dice.ts";

const SHARES = {
  /** Actions on many items at once. */
  bulk: 0.3,
  finders: 0.2,
  schedules: 0.2,
  deadlines: 0.3,
  /** Requests that are removed by hand, and a pipeline whose items do not stay. */
  removal: 0.25,
} as const;

export type Kind = keyof typeof SHARES;
export type Kinds = ReadonlySet<Kind>;
const KINDS = Object.keys(SHARES) as Kind[]; // Object.keys forgets the key type of a constant

export const NONE: Kinds = new Set();

export function kindsOf(seed: number): Kinds {
  return new Set(KINDS.filter((kind) => new Dice(seed, "kind", kind).chance(SHARES[kind])));
}
