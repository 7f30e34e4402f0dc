// Decides what to ask for next: which lanes, in which order, how many, and from which floor.

import type { Clock, Random } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { type ClaimedRow, type ClaimPlace, claim, claimCapped } from "../items/claim.sql.ts";
import type { Place } from "./registry.ts";

const PRIORITIES = [1, 2, 3, 4, 5] as const;
/** As long as a row may be overlooked that became ready below the floor. */
const FLOOR_LIFE_MS = 1_000;
/** Safety against rounding when the floor travels as a float. */
const FLOOR_SLACK_SECONDS = 0.001;
export const CLAIM_MOST = 500;

export interface ClaimerPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  epoch(): string;
  isClosed(lane: number): boolean;
}

export class Claimer {
  readonly #ports: ClaimerPorts;
  readonly #open: readonly Place[];
  readonly #capped: readonly Place[];
  readonly #floors = new Map<string, number>();
  #floorsFrom = Number.NEGATIVE_INFINITY;
  #turn: number;

  constructor(ports: ClaimerPorts, places: readonly Place[]) {
    this.#ports = ports;
    this.#open = places.filter((place) => place.stage.concurrency === undefined);
    this.#capped = places.filter((place) => place.stage.concurrency !== undefined);
    // Anywhere: a process that fills up at once and does not live for long would always begin with the same pipeline.
    this.#turn = Math.floor(ports.random.fraction() * places.length);
  }

  async claim(most: number): Promise<ClaimedRow[]> {
    const rows: ClaimedRow[] = [];
    this.#turn += 1;
    // Capped lanes first: their places are few, and the uncapped would always fill the process before them.
    for (const place of inTurn(this.#capped, this.#turn)) {
      if (rows.length >= most || this.#ports.isClosed(place.lane)) continue;
      const wanted = Math.min(most - rows.length, CLAIM_MOST);
      rows.push(
        ...(await claimCapped(
          this.#ports.db,
          asked([place], () => 0),
          wanted,
          this.#ports.epoch(),
        )),
      );
    }
    const wanted = Math.min(most - rows.length, CLAIM_MOST);
    if (wanted > 0 && this.#open.length > 0) rows.push(...(await this.#claimOpen(wanted)));
    return rows;
  }

  async #claimOpen(wanted: number): Promise<ClaimedRow[]> {
    const { clock, db } = this.#ports;
    const now = clock.monotonic();
    if (now - this.#floorsFrom >= FLOOR_LIFE_MS) this.#dropFloors(now);
    const places = inTurn(this.#open, this.#turn).filter((place) => !this.#ports.isClosed(place.lane));
    if (places.length === 0) return [];
    const rows = await claim(
      db,
      asked(places, (key) => this.#floors.get(key) ?? 0),
      wanted,
      this.#ports.epoch(),
    );
    for (const row of rows) {
      const key = floorKey(row.lane, row.priority);
      this.#floors.set(key, Math.max(this.#floors.get(key) ?? 0, row.ready - FLOOR_SLACK_SECONDS));
    }
    // Fewer than asked for: look at everything the next time.
    if (rows.length < wanted) this.#dropFloors(now);
    return rows;
  }

  #dropFloors(now: number): void {
    this.#floors.clear();
    this.#floorsFrom = now;
  }
}

/**
 * Each pipeline comes first in its turn, with its furthest stage in front. In a fixed order, one pipeline that always has
 * as much ready as fits would keep those after it waiting for ever.
 */
export function inTurn(places: readonly Place[], turn: number): Place[] {
  const pipelines = [...Map.groupBy(places, (place) => place.pipelineId).values()];
  const first = turn % Math.max(1, pipelines.length);
  return [...pipelines.slice(first), ...pipelines.slice(0, first)].flat();
}

/** Better priorities first in all lanes; within a priority in the order given. */
function asked(places: readonly Place[], floor: (key: string) => number): ClaimPlace[] {
  return PRIORITIES.flatMap((priority) =>
    places.map(({ lane }) => ({ lane, priority, floor: floor(floorKey(lane, priority)) })),
  );
}

function floorKey(lane: number, priority: number): string {
  return `${lane}/${priority}`;
}
