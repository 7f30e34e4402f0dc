// Which lanes this process watches. A watch is a duty: whoever finds that nobody alive has it takes it, which writes one row
// for any number of jobs. It is kept for as long as this worker lives.

import { type Clock, type Logger, type Loop, loop, safeText } from "../../kit/index.ts";
import { resumeService, takeWatch, watchHolders } from "../items/watch.sql.ts";
import { BLIND_MS, LaneWatch, type LaneWatchPorts } from "./lane-watch.ts";
import { Reconciler } from "./reconcile.ts";
import type { Place, Registry } from "./registry.ts";

export interface WatcherPorts extends LaneWatchPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly registry: Registry;
  readonly installation: string;
  /** Whether this process can speak to the service. */
  has(service: string): boolean;
}

const HOLDERS_EVERY_MS = 1_000;
const TICK_MS = 1_000;

export class Watcher {
  readonly #ports: WatcherPorts;
  readonly #watches = new Map<number, LaneWatch>();
  readonly #reconciler: Reconciler;
  readonly #loop: Loop;
  readonly #rounds = new Map<LaneWatch, Promise<void>>();
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(ports: WatcherPorts) {
    this.#ports = ports;
    this.#reconciler = new Reconciler(ports);
    const failed = (error: unknown) => ports.log.warn("watch.failed", { error: safeText(error, 300) });
    this.#loop = loop(ports.clock, TICK_MS, () => this.#tick(), failed);
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await Promise.all(this.#rounds.values());
  }

  /** What was watched is somebody else's by now. */
  abandon(): void {
    this.#watches.clear();
  }

  /** Lets a service show whether it is well. False when nothing of it is watched here. */
  async probe(service: string): Promise<boolean> {
    for (const watch of this.#watches.values()) {
      if (watch.service === service && (await watch.probe())) return true;
    }
    return false;
  }

  async #tick(): Promise<void> {
    const { clock } = this.#ports;
    if (clock.monotonic() - this.#askedAt >= HOLDERS_EVERY_MS) {
      await this.#takeWhatNobodyHas();
      this.#askedAt = clock.monotonic();
    }
    for (const [lane, watch] of this.#watches) this.#begin(lane, watch);
  }

  /** Not waited for: one service that takes its time must not keep the others from being looked at. */
  #begin(lane: number, watch: LaneWatch): void {
    if (watch.dueInMs > 0 || this.#rounds.has(watch)) return;
    const round = this.#round(lane, watch).finally(() => this.#rounds.delete(watch));
    this.#rounds.set(watch, round);
  }

  async #round(lane: number, watch: LaneWatch): Promise<void> {
    const { log, registry } = this.#ports;
    try {
      if (await watch.round()) await this.#reconciler.now(registry.lane(lane));
      else if (this.#watches.get(lane) === watch) this.#watches.delete(lane);
    } catch (error) {
      log.warn("watch.round-failed", { lane, error: safeText(error, 300) });
    }
  }

  async #takeWhatNobodyHas(): Promise<void> {
    const { db, epoch, log } = this.#ports;
    const open = this.#candidates().filter((place) => !this.#watches.has(place.lane));
    if (open.length === 0) return;
    const holders = await watchHolders(
      db,
      open.map((place) => place.lane),
    );
    for (const { lane, is_alive, epoch: holder, blind_ms } of holders) {
      if (is_alive && holder !== epoch()) continue;
      const place = open.find((one) => one.lane === lane) as Place;
      if (holder !== epoch() && !(await takeWatch(db, lane, epoch()))) continue;
      if (blind_ms !== null && blind_ms > BLIND_MS) await resumeService(db, place.service);
      log.info("watch.taken", { lane, service: place.service });
      this.#watch(place);
    }
  }

  #watch(place: Place): void {
    const finish = this.#ports.registry.placeFor(place, "");
    const work = place.stage.outside;
    if (work !== undefined && finish !== undefined)
      this.#watches.set(place.lane, new LaneWatch(this.#ports, place, work, finish.lane));
  }

  #candidates(): Place[] {
    const { registry, has } = this.#ports;
    return registry
      .lanes()
      .filter((place) => place.stage.outside !== undefined && place.service !== "" && has(place.service));
  }
}
