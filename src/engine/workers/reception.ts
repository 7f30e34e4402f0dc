// What a process that works offers to what enters in it: where there is room, the statement that stores an item leases it to
// this process at once, and its visit begins when the commit is answered. Nobody has to be woken for it, and to ask for it.

import { type Logger, safeText } from "../../kit/index.ts";
import type { ClaimedRow } from "../items/claim.sql.ts";
import type { Places } from "./places.ts";
import { isCounted, type Place, type Registry } from "./registry.ts";

export interface ReceptionPorts {
  readonly log: Logger;
  readonly registry: Pick<Registry, "serves">;
  isClosed(lane: number): boolean;
  /** How far it knows the valves, and so what is closed. */
  valveGeneration(): string;
  epoch(): string;
  /** In which nothing may wait that comes before what enters. */
  servedLanes(): readonly number[];
  /** How many of them are in hand then. */
  begin(rows: readonly ClaimedRow[]): Promise<number>;
  /** A place is free that somebody may have looked for in vain. */
  wake(): void;
}

export interface Arriving {
  readonly first: Place;
  readonly priority: number;
  readonly delayMs: number;
}

/** Kept until the statement is answered, which has to be told whatever came of it. */
export interface Kept {
  readonly epoch: string;
  readonly servedLanes: readonly number[];
  /** By which generation of the valves it was decided what may be begun. */
  readonly valves: string;
  /** Which of those that arrive may be begun here, by their place in the list. */
  readonly chosen: ReadonlySet<number>;
  answered(rows: readonly ClaimedRow[]): Promise<void>;
}

export class Reception {
  readonly #ports: ReceptionPorts;
  readonly #places: Places;
  readonly #underWay = new Set<Promise<void>>();
  #isOver = false;
  #era = 0;

  constructor(ports: ReceptionPorts, places: Places) {
    this.#ports = ports;
    this.#places = places;
  }

  /** Undefined where none of them can be begun now. */
  keep(arriving: readonly Arriving[]): Kept | undefined {
    if (this.#isOver) return undefined;
    const chosen = chooseArriving(arriving, this.#places.free, (place) => this.#takes(place));
    if (chosen.size === 0) return undefined;
    const { servedLanes, valveGeneration } = this.#ports;
    const epoch = this.#ports.epoch();
    const era = this.#era;
    const giveBack = this.#places.keep(chosen.size);
    let isAnswered = () => {};
    const answer = new Promise<void>((resolve) => {
      isAnswered = resolve;
    });
    this.#underWay.add(answer);
    const answered = async (rows: readonly ClaimedRow[]) => {
      const begun = await this.#begin(rows, epoch, era);
      giveBack();
      this.#underWay.delete(answer);
      isAnswered();
      // There is room again that a claim may have missed.
      if (begun < chosen.size) this.#ports.wake();
    };
    return { epoch, servedLanes: servedLanes(), valves: valveGeneration(), chosen, answered };
  }

  /** Resolves when what is under way now is in hand, or will never be. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  stop(): void {
    this.#isOver = true;
  }

  /** What comes of what is under way is nobody's here any more; under which epoch we go on is not known yet. */
  abandon(): void {
    this.#era += 1;
  }

  #takes(place: Place): boolean {
    const { registry, isClosed } = this.#ports;
    return registry.serves(place) && asksNobody(place) && !isClosed(place.lane);
  }

  /** How many are in hand now. */
  async #begin(rows: readonly ClaimedRow[], epoch: string, era: number): Promise<number> {
    const { log, begin } = this.#ports;
    if (rows.length === 0) return 0;
    if (epoch !== this.#ports.epoch() || era !== this.#era) {
      // Leased to a life that is over: whoever marked it dead takes them back, with all else it held.
      log.warn("items.handed-over-late", { items: rows.length });
      return 0;
    }
    try {
      return await begin(rows);
    } catch (error) {
      log.warn("begin.failed", { items: rows.length, error: safeText(error, 300) });
      return 0;
    }
  }
}

/** Whether a claim would take what stands there without asking anybody else. */
export function asksNobody(place: Place): boolean {
  return !isCounted(place) && !place.pipeline.fair;
}

/** The best of them first, and of equals those that came first. */
export function chooseArriving(
  arriving: readonly Arriving[],
  room: number,
  takes: (place: Place) => boolean,
): ReadonlySet<number> {
  if (room <= 0) return new Set();
  const fitting = [...arriving.entries()].filter(([, { first, delayMs }]) => delayMs === 0 && takes(first));
  const sorted = fitting.sort(([, a], [, b]) => a.priority - b.priority);
  return new Set(sorted.slice(0, room).map(([index]) => index));
}
