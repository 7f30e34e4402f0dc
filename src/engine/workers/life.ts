// One life of a worker process: its row, its beat, its loops, from start to stop; and the next life, when somebody found
// its beat missing and marked it dead while it was only slow.

import {
  type Clock,
  type Logger,
  type Loop,
  loop,
  type Random,
  type Service,
  safeText,
  together,
} from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import type { Recurring } from "../intake/recurring.ts";
import { leaveWatches } from "../items/watch.sql.ts";
import type { Around } from "../pipeline/around.ts";
import { FinderRuns } from "./finder-runs.ts";
import { handBackRest } from "./hand-back.ts";
import type { Heart, HeartListener } from "./heart.ts";
import { Measures } from "./measures.ts";
import { LIVENESS, Observer } from "./observer.ts";
import { Operations } from "./operations.ts";
import type { Reception } from "./reception.ts";
import type { Registry } from "./registry.ts";
import { ScheduleRuns } from "./schedule-runs.ts";
import type { GivenClients } from "./service-clients.ts";
import { Services } from "./services.ts";
import type { Suspects } from "./suspects.ts";
import { Sweeper } from "./sweeper.ts";
import type { Threads } from "./threads.ts";
import { Valves } from "./valves.ts";
import type { WakeUp } from "./wake-up.ts";
import { Watcher } from "./watcher.ts";
import { Worker } from "./worker.ts";
import type { WorkerOptions, WorkerPorts } from "./worker-ports.ts";
import { enterWorker, type Identity, leaveWorker, type WorkerRow } from "./worker-row.sql.ts";

export interface LifePorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly registry: Registry;
  /** What hands in work by itself. */
  readonly recurring: Recurring;
  readonly installation: string;
  /** What speaks to each service. */
  readonly clients: GivenClients;
  /** What the installation wraps around every visit. */
  readonly around?: readonly Around[];
  readonly wakeUp: WakeUp;
  readonly identity: Identity;
  heart(listener: HeartListener): Heart;
  /** True only when that process is known to have ended. */
  isGone(worker: WorkerRow): boolean;
  readonly suspects: Suspects;
  readonly threads?: Threads;
  /** A worker whose beat stands still for this long is dead. */
  readonly deadAfterMs: number;
}

const LOOK_AFTER_HELD_MS = 2_000;
const NEW_LIFE_RETRY_MS = 500;

export class Life {
  readonly #ports: LifePorts;
  readonly #heart: Heart;
  readonly #valves = new Valves();
  readonly #worker: Worker;
  readonly #sweeper: Sweeper;
  readonly #operations: Operations;
  readonly #watcher: Watcher;
  readonly #services: Services;
  readonly #lookAfter: Loop;
  readonly #measures: Measures;
  readonly #recurring: Service;
  readonly #stopped = new AbortController();
  #epoch = "0";
  #forgetWaking = () => {};

  constructor(ports: LifePorts, options: WorkerOptions) {
    this.#ports = ports;
    const { clock, log, wakeUp } = ports;
    const measures = new Measures(ports);
    this.#measures = measures;
    const shared = { ...ports, measures, epoch: () => this.#epoch, moved: () => wakeUp.moved() };
    const letters = { heard: () => wakeUp.heard, usedUp: () => this.#heart.hurry() };
    const expectSuspects = () => ports.suspects.expect?.();
    this.#heart = ports.heart({
      beaten: (generation) => void this.#beaten(generation),
      foundDead: () => void this.#beginAnew(),
      invitation: () => this.#worker.door.letterbox.invitation(),
    });
    this.#sweeper = new Sweeper({
      ...shared,
      expectSuspects,
      observer: new Observer(clock, ports.isGone, { ...LIVENESS, deadAfterMs: ports.deadAfterMs }),
    });
    this.#operations = new Operations(shared);
    const waitsChanged = () => this.#sweeper.waitsChanged();
    const visitSuspect: WorkerPorts["visitSuspect"] = (held, visitPorts) => ports.suspects.visit(held, visitPorts);
    const isClosed: WorkerPorts["isClosed"] = (lane, pass) => this.#valves.isClosed(lane, pass);
    const valves = { isClosed, valveGeneration: () => this.#valves.generation };
    const services = new Services({
      ...shared,
      stages: ports.registry.lanes().map((place) => place.stage),
      laneServices: () => ports.registry.services(),
      turned: () => void this.#valvesMoved(),
      letThrough: (service) => this.#worker.letThrough(service),
    });
    this.#services = services;
    this.#worker = new Worker({ ...shared, ...letters, ...valves, services, waitsChanged, visitSuspect }, options);
    this.#watcher = new Watcher({
      ...shared,
      has: (service) => services.has(service),
      call: (service, work, place) => services.call(service, null, work, { place }),
    });
    services.onProbe((service) => this.#watcher.probe(service));
    this.#recurring = together([
      new FinderRuns({ ...shared, finders: ports.recurring.finders }),
      new ScheduleRuns({ ...shared, schedules: ports.recurring.schedules }),
    ]);
    this.#lookAfter = loop(
      clock,
      LOOK_AFTER_HELD_MS,
      () => this.#worker.lookAfter(),
      (error) => log.warn("held.unknown", { error: safeText(error, 300) }),
    );
  }

  async start(): Promise<void> {
    const { db, wakeUp } = this.#ports;
    await this.#enter();
    await this.#services.start();
    await this.#valves.refresh(db);
    await this.#heart.start(this.#epoch);
    this.#heart.acknowledge(this.#valves.generation);
    this.#forgetWaking = wakeUp.addWorker({
      wake: () => this.#worker.wake(),
      receive: (letter) => this.#worker.door.letterbox.receive(letter),
      deaf: () => this.#heart.hurry(),
    });
    await this.#sweeper.start();
    await this.#operations.start();
    await this.#worker.start();
    await this.#watcher.start();
    await this.#lookAfter.start();
    await this.#measures.start();
    await this.#recurring.start();
    this.#invite();
  }

  #invite(): void {
    this.#worker.door.letterbox.open();
    this.#heart.hurry();
  }

  /** Keeps beating until the last item is out of hand: a worker that falls silent while it finishes is taken for dead. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped.abort();
    this.#worker.door.letterbox.stop();
    this.#heart.hurry();
    await this.#recurring.stop();
    await this.#lookAfter.stop();
    await this.#operations.stop();
    await this.#watcher.stop();
    await this.#leave(leaveWatches);
    await this.#worker.stop(graceMs);
    await this.#ports.suspects.stop();
    await this.#ports.threads?.stop();
    await this.#services.stop();
    await this.#measures.stop();
    await this.#sweeper.stop();
    await this.#heart.stop();
    this.#forgetWaking();
    await this.#leave(handBackRest);
    await this.#leave(leaveWorker);
    this.#ports.wakeUp.moved();
  }

  /** Only spares the others time. With the database away they find out later, and nothing here may be left undone for it. */
  async #leave(tell: (db: Database, epoch: string) => Promise<void>): Promise<void> {
    const { db, log } = this.#ports;
    await tell(db, this.#epoch).catch((error: unknown) => log.warn("leave.untold", { error: safeText(error, 300) }));
  }

  get busy(): number {
    return this.#worker.busy;
  }

  get reception(): Reception {
    return this.#worker.door.reception;
  }

  async #enter(): Promise<void> {
    const { db, random, registry, identity } = this.#ports;
    const epoch = String(random.token());
    await enterWorker(db, identity, epoch, registry.pipelineIds(), this.#services.clientNames(), registry.stages());
    this.#epoch = epoch;
  }

  async #beaten(generation: string): Promise<void> {
    if (!this.#valves.isBehind(generation)) return;
    await this.#learnValves();
  }

  /** A breaker opened or closed here: others are told, and nobody here waits for the next beat. */
  async #valvesMoved(): Promise<void> {
    await this.#learnValves();
    this.#ports.wakeUp.moved();
  }

  async #learnValves(): Promise<void> {
    const { db, registry } = this.#ports;
    try {
      // All three before it is acknowledged: a call is held by what is known of its service, a claim by its lane's valves.
      await registry.refresh(db);
      await this.#services.refresh();
      await this.#valves.refresh(db);
      this.#heart.acknowledge(this.#valves.generation);
      this.#worker.wake();
    } catch (error) {
      // The next beat brings the same news again.
      this.#ports.log.warn("valves.unknown", { error: safeText(error, 300) });
    }
  }

  async #beginAnew(): Promise<void> {
    this.#ports.log.warn("worker.presumed-dead", { epoch: this.#epoch });
    this.#worker.abandon();
    this.#watcher.abandon();
    while (!this.#stopped.signal.aborted) {
      try {
        // The database may be an older one, restored: what was known of it is of another history. Before it enters: from then on it has
        // to beat, and reading may take longer than others wait for that.
        await this.#learnValves();
        await this.#enter();
        await this.#heart.start(this.#epoch);
        this.#invite();
        this.#worker.wake();
        return;
      } catch (error) {
        this.#ports.log.warn("worker.cannot-return", { error: safeText(error, 300) });
        await this.#ports.clock.sleep(NEW_LIFE_RETRY_MS, this.#stopped.signal);
      }
    }
  }
}
