// Bugs made on purpose, to see that somebody notices.

import type { Statement } from "../../src/engine/db/database.ts";
import { runSeed } from "./run-seed.ts";
import type { Invariant } from "./violation.ts";
import type { WorldOptions } from "./world-options.ts";

const FIRST_SEEDS: readonly number[] = Array.from({ length: 15 }, (_, index) => index + 1);

/** Settlements that say nothing of themselves have statements of their own, and so have those that are all alike. */
export const SETTLE = ["settle", "settle-plain", "settle-on", "settle-end"] as const;

export interface Bug {
  /** Everywhere, where none is named. */
  readonly statement?: string | readonly string[];
  readonly from: string;
  readonly to: string;
  /** The seed that found it last, to begin with; the others follow. */
  readonly foundBy?: number;
}

/** Changes one statement's text, and says whether there was anything to change: or the test would prove nothing. */
export function plant({ statement, from, to }: Bug): { readonly world: WorldOptions; wasPlanted(): boolean } {
  let planted = false;
  const change = (given: Statement): Statement => {
    const isMeant = [statement ?? given.name].flat().includes(given.name);
    if (!isMeant || !given.text.includes(from)) return given;
    planted = true;
    return { name: given.name, text: given.text.replaceAll(from, to) };
  };
  return { world: { plant: change }, wasPlanted: () => planted };
}

/** All of them, from the one on that found the bug last: a search through dozens takes minutes. */
export function beginningWith(seed: number | undefined, seeds = FIRST_SEEDS): readonly number[] {
  return seed === undefined ? seeds : [seed, ...seeds.filter((other) => other !== seed)];
}

/** The first that is broken; with one that is wanted, that one if any seed breaks it: a bug may well break several. */
export async function brokenBy(
  world: WorldOptions,
  seeds = FIRST_SEEDS,
  wanted?: Invariant,
): Promise<Invariant | undefined> {
  let last: Invariant | undefined;
  for (const seed of seeds) {
    last = (await runSeed(seed, { world })).violation?.invariant ?? last;
    if (last !== undefined && last === (wanted ?? last)) return last;
  }
  return last;
}
