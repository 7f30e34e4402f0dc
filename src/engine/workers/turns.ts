// Whose turn it was last, in each lane and priority, as this process has seen it.

import type { Random } from "../../kit/index.ts";
import type { ClaimedRow, ClaimPlace, Take } from "../items/claim.sql.ts";
import { claimFair } from "../items/claim-fair.sql.ts";

type PlaceOfTurn = Pick<ClaimPlace, "lane" | "priority">;

/** Best first. */
export const PRIORITIES = [1, 2, 3, 4, 5] as const;

const LOWEST = -(2n ** 63n);

export class Turns {
  readonly #random: Random;
  readonly #served = new Map<string, bigint>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** The key after which a claim begins; anywhere at first, or processes that do not live for long would favour the same. */
  after(place: PlaceOfTurn): string {
    return String(this.#served.get(keyOf(place)) ?? this.#anywhere());
  }

  /** The next claim goes on after the last of them. */
  served(asked: readonly ClaimPlace[], rows: readonly ClaimedRow[]): void {
    const byPlace = Map.groupBy(rows, keyOf);
    for (const place of asked) {
      if (place.after === undefined) continue;
      const keys = (byPlace.get(keyOf(place)) ?? []).flatMap(({ fair }) => (fair === null ? [] : [BigInt(fair)]));
      const last = lastInRound(keys, BigInt(place.after));
      // Nothing: those that were looked at had nothing due, and there may be others.
      if (last === undefined) this.#served.delete(keyOf(place));
      else this.#served.set(keyOf(place), last);
    }
  }

  /** Takes by turns what has been ready for so long. */
  taking(readyForSeconds = 0): Take {
    return async (db, places, limit, epoch) => {
      const rows = await claimFair(db, places, limit, epoch, readyForSeconds);
      this.served(places, rows);
      return rows;
    };
  }

  #anywhere(): bigint {
    return LOWEST + BigInt(Math.floor(this.#random.fraction() * 2 ** 32)) * 2n ** 32n;
  }
}

/** Of keys that are served from `after` on and round, the last. */
export function lastInRound(keys: readonly bigint[], after: bigint): bigint | undefined {
  const distance = (key: bigint) => BigInt.asUintN(64, key - after - 1n);
  return keys.reduce<bigint | undefined>(
    (last, key) => (last === undefined || distance(key) > distance(last) ? key : last),
    undefined,
  );
}

export function keyOf({ lane, priority }: PlaceOfTurn): string {
  return `${lane}/${priority}`;
}

/** The same, from one of them on and round. */
export function rotated<T>(list: readonly T[], first: number): T[] {
  return [...list.slice(first), ...list.slice(0, first)];
}

/** One after the other: how many of a key are in the stage is counted before each. */
export function byPriority(take: Take): Take {
  return async (db, places, limit, epoch) => {
    const rows: ClaimedRow[] = [];
    for (const level of Map.groupBy(places, (place) => place.priority).values()) {
      if (rows.length < limit) rows.push(...(await take(db, level, limit - rows.length, epoch)));
    }
    return rows;
  };
}
