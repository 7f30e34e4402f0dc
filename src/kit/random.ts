import { randomBytes } from "node:crypto";
import { invariant } from "./errors.ts";

/** Chance, injected: tests and the simulator replay a run from its seed. */
export interface Random {
  /** Uniform over 1 … 2^63-1: fits PostgreSQL's bigint, and 0 stays free to mean "none". */
  token(): bigint;
  /** Uniform over [0, 1), with 53 bits. */
  fraction(): number;
}

const LOW_63_BITS = (1n << 63n) - 1n;
const TWO_TO_53 = 2 ** 53;

function fromBits(next64: () => bigint): Random {
  return {
    token() {
      for (;;) {
        // Masking keeps it uniform; drawing again on 0 does too, where mapping 0 to 1 would not.
        const token = next64() & LOW_63_BITS;
        if (token !== 0n) return token;
      }
    },
    fraction: () => Number(next64() >> 11n) / TWO_TO_53,
  };
}

const POOL_BYTES = 4_096;
let pool = randomBytes(0);
let used = 0;

/** Drawn in bulk: a call into the system for every eight bytes took a tenth of a busy worker's time. */
function systemBits(): bigint {
  if (used >= pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += 8;
  return pool.readBigUInt64BE(used - 8);
}

/** Tokens are unpredictable, they may guard something. Fractions only spread things, and one is drawn for every visit. */
export const systemRandom: Random = { ...fromBits(systemBits), fraction: Math.random };

/**
 * Replayable: the same seed gives the same sequence on every machine. splitmix64, because neighbouring seeds (1, 2, 3 …
 * as simulations use them) give unrelated sequences from the first draw. Predictable, so not for secrets.
 */
export function seededRandom(seed: number): Random {
  invariant(Number.isSafeInteger(seed), `a seed is a whole number, got ${seed}`);
  let state = BigInt.asUintN(64, BigInt(seed));
  return fromBits(() => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let mixed = state;
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return mixed ^ (mixed >> 31n);
  });
}
