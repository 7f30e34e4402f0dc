// In some seeds keys take turns and are limited: each pipeline by itself, so that items go from versions that do not know of
// turns to versions that do.

import { Dice } from "./dice.ts";

export const KEYS: readonly string[] = ["x", "y", "z"];

export function hasTurns(seed: number, pipeline: string): boolean {
  return new Dice(seed, "turns", pipeline).chance(0.35);
}

/** For a stage of that pipeline. */
export function limitOf(seed: number, pipeline: string, perKey: number): { readonly perKey?: number } {
  return hasTurns(seed, pipeline) ? { perKey } : {};
}

/** Whose turn the next submission takes; nobody's in particular now and then. */
export function someKey(seed: number, nth: number): { readonly fairness?: string } {
  const dice = new Dice(seed, "fairness", nth);
  return dice.chance(0.25) ? {} : { fairness: dice.pick(KEYS) };
}
