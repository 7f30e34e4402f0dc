// A few places now and then for what has waited long, so that nobody's wait has no end: behind better priorities, and behind
// lanes that are always asked first.

import type { Random } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { type ClaimedRow, type ClaimPlace, claimCapped } from "../items/claim.sql.ts";
import { AGED_SECONDS, claimAged } from "../items/claim-aged.sql.ts";
import { claimFromService } from "../items/claim-service.sql.ts";
import { dueLanes } from "../items/due-lanes.sql.ts";
import { isCounted, type Place } from "./registry.ts";
import { byPriority, PRIORITIES, rotated, Turns } from "./turns.ts";

export interface LongWaitsPorts {
  readonly db: Database;
  readonly random: Random;
  epoch(): string;
}

/** Stands for all lanes whose places nobody counts; no lane has this number. */
const UNCOUNTED = 0;

export class LongWaits {
  readonly #ports: LongWaitsPorts;
  readonly #turns: Turns;
  /** How often each lane with limited keys was asked. */
  readonly #asked = new Map<number, number>();
  #last = UNCOUNTED;

  constructor(ports: LongWaitsPorts) {
    this.#ports = ports;
    this.#turns = new Turns(ports.random);
  }

  /**
   * What has waited longest: in each lane whose places are counted, and in all others together. Each of these is first in its
   * turn; in a fixed order, one that always has something to offer would take every place that is left to them.
   */
  async claim(most: number, places: readonly Place[]): Promise<ClaimedRow[]> {
    const { db, epoch } = this.#ports;
    const rows: ClaimedRow[] = [];
    if (most <= 0) return rows;
    const open = places.filter((place) => !isCounted(place));
    const counted = await dueAmong(db, places.filter(isCounted), AGED_SECONDS);
    const byLane = new Map([...counted].map((due) => [due[0].lane, due]));
    for (const lane of inRound([UNCOUNTED, ...byLane.keys()], this.#last)) {
      const wanted = most - rows.length;
      if (wanted <= 0) break;
      const due = byLane.get(lane);
      const taken =
        due === undefined
          ? await claimAged(
              db,
              open.flatMap((place) => fromStart(place.lane, PRIORITIES)),
              wanted,
              epoch(),
            )
          : await this.#claimOf(...due, wanted);
      if (taken.length > 0) this.#last = lane;
      rows.push(...taken);
    }
    return rows;
  }

  async #claimOf(place: Place, priorities: readonly number[], wanted: number): Promise<ClaimedRow[]> {
    const { db, epoch } = this.#ports;
    const { lane, service } = place;
    const isLimited = place.stage.perKey !== undefined;
    const asked = isLimited ? this.#byKey(lane, priorities) : fromStart(lane, priorities);
    const take = isLimited ? byPriority(this.#turns.taking(AGED_SECONDS)) : claimAged;
    return service === ""
      ? await claimCapped(db, asked, wanted, epoch(), take)
      : await claimFromService(db, service, asked, wanted, epoch(), take);
  }

  /**
   * The oldest of all may be of a key that may not enter, so keys take turns here, and so do priorities. Counted by lane: with
   * one count for all, a lane might meet the same priority first every time.
   */
  #byKey(lane: number, priorities: readonly number[]): ClaimPlace[] {
    const asked = this.#asked.get(lane) ?? 0;
    this.#asked.set(lane, asked + 1);
    const inTurn = rotated(PRIORITIES, asked % PRIORITIES.length).filter((priority) => priorities.includes(priority));
    return fromStart(lane, inTurn).map((place) => ({ ...place, after: this.#turns.after(place) }));
  }
}

/** Those lanes that have something to claim, and of which priorities. */
export type DuePlaces = ReadonlyMap<Place, readonly number[]>;

/** Only what has been ready for so long. */
export async function dueAmong(db: Database, places: readonly Place[], readyForSeconds = 0): Promise<DuePlaces> {
  const lanes = places.map((place) => place.lane);
  const due = await dueLanes(db, lanes, readyForSeconds);
  return new Map(
    places.flatMap((place) => {
      const priorities = due.get(place.lane);
      return priorities === undefined ? [] : [[place, priorities]];
    }),
  );
}

/** From the first that comes after the last one, and round. */
export function inRound(lanes: readonly number[], last: number): number[] {
  const sorted = lanes.toSorted((a, b) => a - b);
  return [...sorted.filter((lane) => lane > last), ...sorted.filter((lane) => lane <= last)];
}

function fromStart(lane: number, priorities: readonly number[]): ClaimPlace[] {
  return priorities.map((priority) => ({ lane, priority, floor: 0 }));
}
