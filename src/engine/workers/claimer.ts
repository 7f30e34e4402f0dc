// Decides what to ask for next: which lanes, in which order, how many, and from which floor.

import type { Clock, Random } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { compareIds } from "../items/by-id.ts";
import { type ClaimedRow, type ClaimPlace, claim, claimCapped, claimProbe, type Take } from "../items/claim.sql.ts";
import { claimFairProbe } from "../items/claim-fair.sql.ts";
import { claimManual, manualLanes } from "../items/claim-manual.sql.ts";
import { claimFromService, claimThrough } from "../items/claim-service.sql.ts";
import { type DuePlaces, dueAmong, LongWaits } from "./long-waits.ts";
import { isCounted, type Place, type Registry } from "./registry.ts";
import { byPriority, keyOf, PRIORITIES, rotated, Turns } from "./turns.ts";
import type { Pass } from "./valves.ts";

/** As long as a row may be overlooked that became ready below the floor. */
const FLOOR_LIFE_MS = 1_000;
export const CLAIM_MOST = 500;
/** Of every so many claims one leaves as small a part of its places to what has waited longest. */
const GUARD_EVERY = 16;

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
  readonly #floors = new Map<string, Floor>();
  #floorsFrom = Number.NEGATIVE_INFINITY;
  readonly #turns: Turns;
  readonly #longWaits: LongWaits;
  #turn: number;

  constructor(ports: ClaimerPorts) {
    this.#ports = ports;
    this.#turns = new Turns(ports.random);
    this.#longWaits = new LongWaits(ports);
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
    if (this.#turn % GUARD_EVERY === 0) {
      const few = Math.ceil((most - rows.length) / GUARD_EVERY);
      rows.push(...(await this.#longWaits.claim(few, [...this.#plain(), ...this.#served()])));
    }
    rows.push(...(await this.#claimEverywhere(most - rows.length)));
    return rows;
  }

  /** What is due in all open lanes. */
  async #claimEverywhere(most: number): Promise<ClaimedRow[]> {
    const rows: ClaimedRow[] = [];
    if (most <= 0) return rows;
    const plain = inTurn(this.#plain(), this.#turn);
    const due = await dueAmong(this.#ports.db, [...plain.filter(isCounted), ...this.#served()]);
    // Those whose places are counted first: they are few, and the others would always fill the process before them.
    for (const place of [...due.keys()].filter((one) => one.service === "")) {
      const wanted = Math.min(most - rows.length, CLAIM_MOST);
      if (wanted > 0) rows.push(...(await this.#claimCapped(place, wanted, due)));
    }
    rows.push(...(await this.#claimFromServices(due, most - rows.length)));
    const open = plain.filter((place) => !isCounted(place));
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
      const asked = this.#fromStart([place]);
      if (place.service !== "")
        rows.push(...(await claimFromService(db, place.service, asked, wanted, epoch(), claimManual)));
      else if (isCounted(place)) rows.push(...(await claimCapped(db, asked, wanted, epoch(), claimManual)));
      else rows.push(...(await claimManual(db, asked, wanted, epoch())));
    }
    return rows;
  }

  /** One item from behind the service's open breaker; only its probe's holder gets one. */
  async claimProbe(service: string): Promise<ClaimedRow[]> {
    const { db, epoch, registry } = this.#ports;
    const places = registry.lanes().filter((place) => place.service === service);
    if (places.length === 0) return [];
    // Turns are not counted here, but limits per key are.
    const take = places.some((place) => place.pipeline.fair) ? byPriority(claimFairProbe) : claimProbe;
    return await claimThrough(db, service, this.#fromStart(places), epoch(), take);
  }

  /** Open lanes of the services this process can reach. */
  #served(): Place[] {
    const { registry, services, isClosed } = this.#ports;
    return registry
      .lanes()
      .filter((place) => place.service !== "" && services.has(place.service) && !isClosed(place.lane));
  }

  async #claimCapped(place: Place, wanted: number, due: DuePlaces): Promise<ClaimedRow[]> {
    const { db, epoch } = this.#ports;
    return await claimCapped(db, this.#fromStart([place], due), wanted, epoch(), this.#taking([place]));
  }

  async #claimFromServices(due: DuePlaces, most: number): Promise<ClaimedRow[]> {
    const { db, epoch } = this.#ports;
    const rows: ClaimedRow[] = [];
    const served = [...due.keys()].filter((place) => place.service !== "");
    const services = [...Map.groupBy(served, (place) => place.service)];
    for (const [service, places] of rotated(services, this.#turn % Math.max(1, services.length))) {
      const wanted = Math.min(most - rows.length, CLAIM_MOST);
      if (wanted <= 0) break;
      const asked = this.#fromStart(inTurn(places, this.#turn), due);
      rows.push(...(await claimFromService(db, service, asked, wanted, epoch(), this.#taking(places))));
    }
    return rows;
  }

  async #claimOpen(open: readonly Place[], wanted: number): Promise<ClaimedRow[]> {
    const { clock, db, epoch } = this.#ports;
    const now = clock.monotonic();
    if (now - this.#floorsFrom >= FLOOR_LIFE_MS) this.#dropFloors(now);
    const places = this.#asked(open, (key) => this.#floors.get(key) ?? LOWEST);
    const rows = await this.#taking(open)(db, places, wanted, epoch());
    for (const row of rows) {
      const key = keyOf(row);
      const floor = this.#floors.get(key) ?? LOWEST;
      // What a dead worker held is taken wherever it stands.
      if (row.suspicion === 0 && isBehind(row, floor)) this.#floors.set(key, { floor: row.ready, from: row.id });
    }
    // Fewer than asked for: look at everything the next time.
    if (rows.length < wanted) this.#dropFloors(now);
    return rows;
  }

  /** By turns where any of them takes turns; else by age. */
  #taking(places: readonly Place[]): Take {
    if (!places.some((place) => place.pipeline.fair)) return claim;
    const take = this.#turns.taking();
    return places.some((place) => place.stage.perKey !== undefined) ? byPriority(take) : take;
  }

  /**
   * Without a floor: where few are claimed at a time, nothing piles up in front of them. Of what is known to be due only that
   * is asked for: limits per key take a statement for each priority.
   */
  #fromStart(places: readonly Place[], due?: DuePlaces): ClaimPlace[] {
    const asked = this.#asked(places, () => LOWEST);
    if (due === undefined) return asked;
    const known = new Map([...due].map(([{ lane }, priorities]) => [lane, priorities]));
    return asked.filter(({ lane, priority }) => known.get(lane)?.includes(priority));
  }

  /** Better priorities first in all lanes; within a priority in the order given. */
  #asked(places: readonly Place[], floor: (key: string) => Floor): ClaimPlace[] {
    return PRIORITIES.flatMap((priority) =>
      places.map(({ lane, pipeline }) => {
        const place = { lane, priority, ...floor(keyOf({ lane, priority })) };
        return pipeline.fair ? { ...place, after: this.#turns.after(place) } : place;
      }),
    );
  }

  #dropFloors(now: number): void {
    this.#floors.clear();
    this.#floorsFrom = now;
  }
}

/** Where the walk begins: behind what was claimed before. Microseconds since 1970 fit a float without rounding. */
type Floor = Required<Pick<ClaimPlace, "floor" | "from">>;

const LOWEST: Floor = { floor: 0, from: "0" };

function isBehind({ ready, id }: ClaimedRow, { floor, from }: Floor): boolean {
  return ready > floor || (ready === floor && compareIds(id, from) > 0);
}

/**
 * Each pipeline comes first in its turn, with its furthest stage in front. In a fixed order, one pipeline that always has
 * as much ready as fits would keep those after it waiting for ever.
 */
export function inTurn(places: readonly Place[], turn: number): Place[] {
  const pipelines = [...Map.groupBy(places, (place) => place.pipelineId).values()];
  return rotated(pipelines, turn % Math.max(1, pipelines.length)).flat();
}
