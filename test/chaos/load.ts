// What the client asks for: drawn from the seed, one submission after the other. Pure.

import type { Random } from "../../src/kit/index.ts";
import type { Asked, Fate } from "./evidence.ts";
import { chain, convert, family, ledger, long, parcel, press } from "./pipelines.ts";

export type LoadPipeline =
  | typeof chain
  | typeof ledger
  | typeof parcel
  | typeof family
  | typeof press
  | typeof long
  | typeof convert;

export interface Wanted {
  readonly pipeline: LoadPipeline;
  readonly inputs: readonly Asked[];
  /** For ever unique: submitted several times, and again while the answer is unknown. */
  readonly key: string | null;
  /** Milliseconds until somebody changes their mind; null: nobody does. */
  readonly cancelAfterMs: number | null;
  readonly awaitsResult: boolean;
  /** Items that come of it, children included. */
  readonly weight: number;
}

const MIX: readonly (readonly [share: number, pipeline: LoadPipeline, most: number])[] = [
  [0.26, chain, 1],
  [0.05, chain, 30],
  [0.16, ledger, 1],
  [0.02, ledger, 20],
  [0.15, parcel, 1],
  [0.07, family, 1],
  [0.1, press, 1],
  [0.05, long, 1],
  [0.12, convert, 1],
  [0.02, convert, 8],
];

/** Of the items whose work is done outside: so many are cancelled, and of those so many have a job that never ends. */
const CANCELLED_OUTSIDE = 0.3;
const ENDLESS = 0.6;
/** Counted from the submission, which hits them while they wait; those without end from the moment their job runs. */
const CANCEL_OUTSIDE_WITHIN_MS = 4_000;

export function nextWanted(number: number, random: Random): Wanted {
  const [, pipeline, most] = pick(random.fraction());
  if (pipeline === convert && random.fraction() < CANCELLED_OUTSIDE) return cancelledOutside(number, most, random);
  const count = most === 1 ? 1 : 2 + Math.floor(random.fraction() * (most - 1));
  const hasFate = count === 1 && (pipeline === chain || pipeline === ledger);
  const inputs = Array.from({ length: count }, (_, index): Asked => {
    const fate = hasFate ? fateOf(random.fraction()) : "well";
    const blips = fate === "well" && random.fraction() < 0.08 ? 1 + Math.floor(random.fraction() * 2) : 0;
    return { tag: `t${number}.${index}`, fate, blips };
  });
  const isMend = inputs[0]?.fate === "mend";
  const isWell = inputs.every((input) => input.fate === "well");
  const isKeyed = isWell && random.fraction() < 0.1;
  const isCancelled = isWell && !isKeyed && random.fraction() < 0.05;
  return {
    pipeline,
    inputs,
    key: isKeyed ? `key ${number}` : null,
    cancelAfterMs: isCancelled ? random.fraction() * 1_500 : null,
    awaitsResult: isMend || random.fraction() < 0.15,
    weight: pipeline === family ? 4 : count,
  };
}

/** With a key, so that whoever asked for something endless learns whether it exists, and can cancel it. */
function cancelledOutside(number: number, most: number, random: Random): Wanted {
  const fate = random.fraction() < ENDLESS ? "endless" : "well";
  const inputs = Array.from({ length: most }, (_, index): Asked => ({ tag: `t${number}.${index}`, fate, blips: 0 }));
  return {
    pipeline: convert,
    inputs,
    key: `key ${number}`,
    cancelAfterMs: random.fraction() * CANCEL_OUTSIDE_WITHIN_MS,
    awaitsResult: false,
    weight: most,
  };
}

function pick(chance: number): (typeof MIX)[number] {
  let below = 0;
  for (const entry of MIX) {
    below += entry[0];
    if (chance < below) return entry;
  }
  return [1, chain, 1];
}

function fateOf(chance: number): Fate {
  if (chance < 0.01) return "permanent";
  if (chance < 0.02) return "hopeless";
  return chance < 0.035 ? "mend" : "well";
}
