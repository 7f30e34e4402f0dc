// Decides what to ask for next: which lanes, in which order, how many, and from which floor.

import type { Clock, Random } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { type ClaimedRow, type ClaimPlace, claim, claimCapped } from "../items/claim.sql.ts";
import { claimFromService, claimThrough, dueServices } from "../items/claim-service.sql.ts";
import type { Place, Registry } from "./registry.ts";

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
  readonly registry: Pick<Registry, "lanes">;
  readonly services: { has(service: string): boolean };
  isClosed(lane: number): boolean;
}

export class Claimer {
  readonly #ports: ClaimerPorts;
  readonly #floors = new Map<string, number>();
  #floorsFrom = Number.NEGATIVE_INFINITY;
  #turn: number;

  constructor(ports: ClaimerPorts) {
    this.#ports = ports;
    // Anywhere: a process that fills up at once and does not live for long would always begin with the same pipeline.
    this.#turn = Math.floor(ports.random.fraction() * Math.max(1, ports.registry.lanes().length));
  }

  /** Open lanes of nobody's service: those whose items can be claimed without asking anybody else. */
  plainLanes(): number[] {
    return this.#plain().map((place) => place.lane);
  }

  /** Lanes come and go while we run, so they are asked for every time. */
  #plain(): Place[] {
    const { registry, isClosed } = this.#ports;
    return registry.lanes().filter((place) => place.service === "" && !isClosed(place.lane));
  }

  async claim(most: number): Promise<ClaimedRow[]> {
    const rows: ClaimedRow[] = [];
    this.#turn += 1;
    // Capped lanes first: their places are few, and the uncapped would always fill the process before them.
    const plain = inTurn(this.#plain(), this.#turn);
    for (const place of plain.filter(isCapped)) {
      if (rows.length >= most) break;
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
    rows.push(...(await this.#claimFromServices(most - rows.length)));
    const open = plain.filter((place) => !isCapped(place));
    const wanted = Math.min(most - rows.length, CLAIM_MOST);
    if (wanted > 0 && open.length > 0) rows.push(...(await this.#claimOpen(open, wanted)));
    return rows;
  }

  /** One item from behind the service's open breaker; only its probe's holder gets one. */
  async claimProbe(service: string): Promise<ClaimedRow[]> {
    const { db, epoch, registry } = this.#ports;
    const places = registry.lanes().filter((place) => place.service === service);
    if (places.length === 0) return [];
    return await claimThrough(
      db,
      service,
      asked(places, () => 0),
      epoch(),
    );
  }

  /** Before the plain ones, as those with a cap: their places are few. */
  async #claimFromServices(most: number): Promise<ClaimedRow[]> {
    const { db, epoch, registry, services, isClosed } = this.#ports;
    const lanes = registry
      .lanes()
      .filter((place) => place.service !== "" && services.has(place.service) && !isClosed(place.lane));
    const rows: ClaimedRow[] = [];
    if (most <= 0 || lanes.length === 0) return rows;
    const due = await dueServices(
      db,
      lanes.map((place) => place.lane),
    );
    for (const [index] of due.entries()) {
      const service = due[(index + this.#turn) % due.length];
      const places = inTurn(
        lanes.filter((place) => place.service === service),
        this.#turn,
      );
      const wanted = Math.min(most - rows.length, CLAIM_MOST);
      if (service === undefined || wanted <= 0) break;
      rows.push(
        ...(await claimFromService(
          db,
          service,
          asked(places, () => 0),
          wanted,
          epoch(),
        )),
      );
    }
    return rows;
  }

  async #claimOpen(open: readonly Place[], wanted: number): Promise<ClaimedRow[]> {
    const { clock, db } = this.#ports;
    const now = clock.monotonic();
    if (now - this.#floorsFrom >= FLOOR_LIFE_MS) this.#dropFloors(now);
    const rows = await claim(
      db,
      asked(open, (key) => this.#floors.get(key) ?? 0),
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

function isCapped(place: Place): boolean {
  return place.stage.concurrency !== undefined;
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
