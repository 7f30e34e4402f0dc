// The simulated world of one seed: a database, a few worker processes, a client, a supervisor that starts what died. It
// knows how to break things; when to is decided elsewhere.

import type { Database, Statement } from "../../src/engine/db/database.ts";
import type { Sluice } from "../../src/engine/sluice.ts";
import type { Logger } from "../../src/kit/index.ts";
import { actionChecksOf } from "./action-checks.ts";
import { Counts } from "./counts.ts";
import { Dice } from "./dice.ts";
import { Entities } from "./entities.ts";
import { SharedDatabase } from "./faulty-database.ts";
import { Invariants, type Truths } from "./invariants.ts";
import { Outside } from "./outside.ts";
import { OUTSIDE_ATTEMPTS } from "./outside-pipelines.ts";
import { OutsideServices } from "./outside-services.ts";
import { ATTEMPTS, allPipelinesIn, recurringIn, versionsOf } from "./pipelines.ts";
import { secondsBeforeChange } from "./recurring.ts";
import { type Party, Scheduler } from "./scheduler.ts";
import { SimulatedClient } from "./simulated-client.ts";
import { SimulatedProcess } from "./simulated-process.ts";
import type { SqlSession } from "./sql-session.ts";
import { inSmallBatches, type Kinds, kindsOf, NONE } from "./swarm.ts";
import { Trace } from "./trace.ts";
import { Violation } from "./violation.ts";
import { clientsOf, surroundingsOf } from "./visits.ts";
import { watcherOf } from "./watcher.ts";
import type { WorldOptions } from "./world-options.ts";

const START_SECONDS = 1_893_456_000;

export class World {
  readonly seed: number;
  readonly dice: Dice;
  readonly scheduler: Scheduler;
  readonly database: SharedDatabase;
  readonly invariants: Invariants;
  readonly counts = new Counts();
  readonly trace: Trace;
  readonly outside = new Outside();
  readonly services: OutsideServices;
  readonly client = new SimulatedClient();
  readonly keeper: Party = { name: "world", alive: true, pausedUntil: 0 };
  readonly itemsMost: number;
  readonly kinds: Kinds;
  readonly entities: Entities;
  readonly #startSeconds: number;
  readonly notify: boolean;
  readonly #session: SqlSession;
  readonly options: WorldOptions;
  /** The generation of the valves that each epoch says it acts on. */
  readonly acknowledged = new Map<string, bigint>();
  /** What the process behind each epoch was started with, as name@version. */
  readonly code = new Map<string, ReadonlySet<string>>();
  #processes: SimulatedProcess[] = [];
  #pids = 0;
  #clockOffsetMs = 0;
  #violation: Violation | undefined;
  #clockLatestMs = 0;
  #clockEra = 0;
  isHealed = false;
  /** The end: nobody is told anything any more. */
  isClosing = false;

  constructor(seed: number, session: SqlSession, options: WorldOptions = {}) {
    this.options = options;
    this.seed = seed;
    this.#session = session;
    this.dice = new Dice(seed, "world");
    this.trace = new Trace();
    this.scheduler = new Scheduler(new Dice(seed, "schedule"), this.dice.pick([2, 6, 12, 20]));
    this.itemsMost = this.dice.between(5, 18);
    const mayNotify = this.dice.chance(0.6);
    this.notify = options.notify ?? mayNotify;
    // A scenario is about its one item.
    this.kinds = options.begin === undefined ? kindsOf(seed, options.kinds) : NONE;
    this.entities = new Entities(seed);
    this.#startSeconds = this.kinds.has("schedules") ? secondsBeforeChange(seed) : START_SECONDS;
    const { counts, acknowledged, entities } = this;
    const truths: Truths = {
      attemptsMax: (_, stage) => ({ ...ATTEMPTS, ...OUTSIDE_ATTEMPTS })[stage as keyof typeof ATTEMPTS],
      hasCode: (epoch, pipeline, version) => this.code.get(epoch)?.has(`${pipeline}@${version}`) ?? false,
    };
    const clock = () => this.scheduler.now;
    const ports = { seed, counts, entities, clock, isHealed: () => this.isHealed };
    this.invariants = new Invariants(session, counts, truths, actionChecksOf(this.kinds, ports));
    const { invariants } = this;
    const known = { invariants, counts, acknowledged, clockEra: () => this.#clockEra };
    this.services = new OutsideServices(seed, known, clock, options.serviceFaults);
    this.database = new SharedDatabase(
      session,
      this.scheduler,
      watcherOf(this),
      () => this.nowText(),
      (statement) => this.#planted(statement),
    );
  }

  #planted(statement: Statement): Statement {
    return this.options.plant?.(inSmallBatches(statement)) ?? inSmallBatches(statement);
  }

  /** Looks into the database beside the simulation: no step, no fault. */
  read<Row>(statement: Statement, values: readonly unknown[] = []): Row[] {
    return this.#session.run<Row>(statement, values, this.nowText());
  }

  /** Tries out what the engine's own statements would do, beside the simulation; none of it stays. */
  async tryOut(work: (db: Database) => Promise<void>): Promise<void> {
    const db: Database = {
      query: async (statement, values) => this.#session.run(this.#planted(statement), values, this.nowText()),
      // All of it is in one already.
      transaction: (inside) => inside(db),
      listen: async () => async () => {},
      close: async () => {},
    };
    this.#session.exec("begin");
    try {
      await work(db);
    } finally {
      this.#session.exec("rollback");
    }
  }

  nowText(): string {
    return String(this.#startSeconds + Math.round(this.scheduler.now + this.#clockOffsetMs) / 1000);
  }

  get violation(): Violation | undefined {
    return this.#violation;
  }

  /** The first violation stays; what follows from it says nothing new. */
  guard(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.caught(error);
    }
  }

  caught(error: unknown): void {
    const crash = () => new Violation("no crash", String(error instanceof Error ? error.stack : error));
    this.fail(error instanceof Violation ? error : crash());
  }

  fail(violation: Violation): void {
    this.#violation ??= violation;
  }

  get processes(): readonly SimulatedProcess[] {
    return this.#processes;
  }

  get clientSluice(): Sluice | undefined {
    return this.client.sluice;
  }

  /** The client is there from the beginning and never dies; workers come up one by one. */
  begin(): void {
    const count = this.options.workers ?? this.dice.between(2, 4);
    for (let slot = 1; slot <= count; slot += 1) this.startProcess(`host${slot}`);
    this.client.open(this);
  }

  startProcess(host: string): void {
    this.#pids += 1;
    const known = allPipelinesIn(surroundingsOf(this, undefined));
    // A scenario is about its one item: everybody has its code.
    const versions = this.options.begin === undefined ? versionsOf(this.seed, slotOf(host)) : [1, 2];
    const code = known
      .filter(({ name, version }) => name !== "main" || versions.includes(version))
      .map(({ name, version }) => `${name}@${version}`);
    // The engine's own, which comes with what happens elsewhere.
    code.push("cleanup@1");
    const process = new SimulatedProcess(host, this.#pids, this.dice.chance(0.85), new Set(code));
    this.#processes.push(process);
    const machine = {
      db: this.database.databaseOf(process),
      clock: this.scheduler.clockOf(process),
      log: this.#log(process),
      dice: new Dice(this.seed, "process", this.#pids),
      notify: this.notify,
      services: clientsOf(this, process),
      ...recurringIn(surroundingsOf(this, process)),
      isHealed: () => this.isHealed,
      isGone: (where: string, pid: number) =>
        !this.#processes.some((one) => one.host === where && one.pid === pid && one.alive),
    };
    const own = allPipelinesIn(surroundingsOf(this, process));
    const pipelines = own.filter(({ name, version }) => process.code.has(`${name}@${version}`));
    // One that cannot start ends, as a program does whose main() throws.
    process.start(machine, pipelines).catch(() => {
      if (process.alive) this.kill(process);
    });
  }

  kill(process: SimulatedProcess): void {
    this.trace.note(`${process.name} dies`);
    process.alive = false;
    this.scheduler.forget(process);
    this.database.forget(process);
    this.#processes = this.#processes.filter((one) => one !== process);
    const sameHost = this.isHealed || this.dice.chance(0.65);
    const host = sameHost ? process.host : `${slotOf(process.host)}-${this.#pids}`;
    this.later(this.dice.between(20, 1500), `start on ${host}`, () => this.startProcess(host));
  }

  pause(process: SimulatedProcess, ms: number): void {
    process.pausedUntil = this.scheduler.now + ms;
    // The server ends a transaction whose client says nothing for long.
    if (ms > 5_000) this.database.dropTransactionOf(process);
  }

  terminate(process: SimulatedProcess): boolean {
    if (process.sluice === undefined || process.isStopping) return false;
    process.isStopping = true;
    process.sluice.close().then(
      () => {
        this.counts.add("closed");
        if (process.alive) this.kill(process);
      },
      () => {
        if (process.alive) this.kill(process);
      },
    );
    return true;
  }

  jumpClock(ms: number): void {
    this.invariants.clockSet(Number(this.nowText()) * 1000);
    this.#clockOffsetMs += ms;
    this.#clockLatestMs = Math.max(this.#clockLatestMs, this.#clockOffsetMs);
    this.#clockEra += 1;
  }

  /**
   * Later than everything that was ever written: what has its time from a clock that ran ahead would stand still for as
   * long, a service that is down as much as a job that does not move.
   */
  setClockRight(): void {
    this.jumpClock(this.#clockLatestMs - this.#clockOffsetMs);
  }

  user(detail: number): void {
    this.client.use(this, detail);
  }

  later(ms: number, label: string, what: () => void): void {
    this.scheduler.park(this.keeper, label, ms, what);
  }

  #log(process: SimulatedProcess): Logger {
    const note = (event: string, facts?: Record<string, unknown>) =>
      this.trace.note(`${process.name} ${event} ${JSON.stringify(facts ?? {}).slice(0, 160)}`);
    return { info: note, warn: note, error: note };
  }
}

/** A process that comes up on another machine still belongs to its slot. */
function slotOf(host: string): string {
  return host.split("-")[0] ?? host;
}
