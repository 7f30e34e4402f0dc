// Decides what to ask for next: which lanes, in which order, how many, and from which floor.

import type { Clock, Random } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { type ClaimedRow, type ClaimPlace, claim, claimCapped } from "../items/claim.sql.ts";
import { claimManual, manualLanes } from "../items/claim-manual.sql.ts";
import { claimFromService, claimThrough } from "../items/claim-service.sql.ts";
import { dueLanes } from "../items/due-lanes.sql.ts";
import type { Place, Registry } from "./registry.ts";
import type { Pass } from "./valves.ts";

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
  isClosed(lane: number, pass?: Pass): boolean;
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
    const rows = await this.#claimManual(most);
    this.#turn += 1;
    const plain = inTurn(this.#plain(), this.#turn);
    const counted = await this.#due([...plain.filter(isCapped), ...this.#served()]);
    // Those whose places are counted first: they are few, and the others would always fill the process before them.
    for (const place of counted.filter((one) => one.service === "")) {
      const wanted = Math.min(most - rows.length, CLAIM_MOST);
      if (wanted > 0)
        rows.push(...(await claimCapped(this.#ports.db, fromStart([place]), wanted, this.#ports.epoch())));
    }
    const served = counted.filter((one) => one.service !== "");
    rows.push(...(await this.#claimFromServices(served, most - rows.length)));
    const open = plain.filter((place) => !isCapped(place));
    const wanted = Math.min(most - rows.length, CLAIM_MOST);
    if (wanted > 0 && open.length > 0) rows.push(...(await this.#claimOpen(open, wanted)));
    return rows;
  }

  /** What people let through, behind valves that hold everything else. Nothing is asked while no such valve is closed. */
  async #claimManual(most: number): Promise<ClaimedRow[]> {
    const { registry, services, isClosed, db, epoch } = this.#ports;
    const held = registry
      .lanes()
      .filter(
        ({ lane, service }) => isClosed(lane) && !isClosed(lane, "manual") && (service === "" || services.has(service)),
      );
    if (held.length === 0) return [];
    const due = await manualLanes(
      db,
      held.map((place) => place.lane),
    );
    const rows: ClaimedRow[] = [];
    for (const place of held.filter((one) => due.has(one.lane))) {
      const wanted = Math.min(most - rows.length, CLAIM_MOST);
      if (wanted <= 0) break;
      const asked = fromStart([place]);
      if (place.service !== "")
        rows.push(...(await claimFromService(db, place.service, asked, wanted, epoch(), claimManual)));
      else if (isCapped(place)) rows.push(...(await claimCapped(db, asked, wanted, epoch(), claimManual)));
      else rows.push(...(await claimManual(db, asked, wanted, epoch())));
    }
    return rows;
  }

  async #due(places: readonly Place[]): Promise<Place[]> {
    const due = await dueLanes(
      this.#ports.db,
      places.map((place) => place.lane),
    );
    return places.filter((place) => due.has(place.lane));
  }

  /** One item from behind the service's open breaker; only its probe's holder gets one. */
  async claimProbe(service: string): Promise<ClaimedRow[]> {
    const { db, epoch, registry } = this.#ports;
    const places = registry.lanes().filter((place) => place.service === service);
    if (places.length === 0) return [];
    return await claimThrough(db, service, fromStart(places), epoch());
  }

  /** Open lanes of the services this process can reach. */
  #served(): Place[] {
    const { registry, services, isClosed } = this.#ports;
    return registry
      .lanes()
      .filter((place) => place.service !== "" && services.has(place.service) && !isClosed(place.lane));
  }

  async #claimFromServices(lanes: readonly Place[], most: number): Promise<ClaimedRow[]> {
    const { db, epoch } = this.#ports;
    const rows: ClaimedRow[] = [];
    const due = [...Map.groupBy(lanes, (place) => place.service)];
    for (const [index] of due.entries()) {
      const [service, places] = due[(index + this.#turn) % due.length] ?? ["", []];
      const wanted = Math.min(most - rows.length, CLAIM_MOST);
      if (wanted <= 0) break;
      const asked = fromStart(inTurn(places, this.#turn));
      rows.push(...(await claimFromService(db, service, asked, wanted, epoch())));
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

/** Without a floor: where few are claimed at a time, nothing piles up in front of them. */
function fromStart(places: readonly Place[]): ClaimPlace[] {
  return asked(places, () => 0);
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
