// The simulated world of one seed: a database, a few worker processes, a client, a supervisor that starts what died. It
// knows how to break things; when to is decided elsewhere.

import type { Statement } from "../../src/engine/db/database.ts";
import { Sluice } from "../../src/engine/sluice.ts";
import { type Logger, silentLogger } from "../../src/kit/index.ts";
import { Counts } from "./counts.ts";
import { Dice } from "./dice.ts";
import { SharedDatabase } from "./faulty-database.ts";
import { ATTEMPTS, pipelinesIn } from "./handlers.ts";
import { Invariants } from "./invariants.ts";
import { Outside } from "./outside.ts";
import { type Party, Scheduler } from "./scheduler.ts";
import { SimulatedProcess } from "./simulated-process.ts";
import type { SqlSession } from "./sql-session.ts";
import { Trace } from "./trace.ts";
import { act } from "./users.ts";
import { Violation } from "./violation.ts";
import { surroundingsOf } from "./visits.ts";
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
  readonly client: Party = { name: "client", alive: true, pausedUntil: 0 };
  readonly keeper: Party = { name: "world", alive: true, pausedUntil: 0 };
  readonly itemsMost: number;
  readonly #notify: boolean;
  readonly #session: SqlSession;
  readonly options: WorldOptions;
  /** The generation of the valves that each epoch says it acts on. */
  readonly acknowledged = new Map<string, bigint>();
  #processes: SimulatedProcess[] = [];
  #pids = 0;
  #clockOffsetMs = 0;
  #clientSluice: Sluice | undefined;
  #violation: Violation | undefined;
  isHealed = false;

  constructor(seed: number, session: SqlSession, options: WorldOptions = {}) {
    this.options = options;
    this.seed = seed;
    this.#session = session;
    this.dice = new Dice(seed, "world");
    this.trace = new Trace();
    this.scheduler = new Scheduler(new Dice(seed, "schedule"), this.dice.pick([2, 6, 12, 20]));
    this.itemsMost = this.dice.between(5, 18);
    this.#notify = this.dice.chance(0.6);
    const now = () => this.nowText();
    this.invariants = new Invariants(session, this.counts, (_, stage) => ATTEMPTS[stage as keyof typeof ATTEMPTS]);
    const watcher = {
      ran: (party: Party, statement: Statement, values: readonly unknown[], rows: readonly unknown[]) =>
        this.#ran(party, statement, values, rows),
      committed: () => this.guard(() => this.invariants.check(now())),
      notified: (from: Party) => this.#notified(from),
      dies: (party: Party) => {
        if (party instanceof SimulatedProcess) this.kill(party);
      },
    };
    this.database = new SharedDatabase(session, this.scheduler, watcher, now, options.plant);
  }

  /** Looks into the database beside the simulation: no step, no fault. */
  read<Row>(statement: Statement): Row[] {
    return this.#session.run<Row>(statement, [], this.nowText());
  }

  nowText(): string {
    return String(START_SECONDS + Math.round(this.scheduler.now + this.#clockOffsetMs) / 1000);
  }

  get violation(): Violation | undefined {
    return this.#violation;
  }

  /** The first violation stays; what follows from it says nothing new. */
  guard(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.fail(
        error instanceof Violation
          ? error
          : new Violation("no crash", String(error instanceof Error ? error.stack : error)),
      );
    }
  }

  fail(violation: Violation): void {
    this.#violation ??= violation;
  }

  get processes(): readonly SimulatedProcess[] {
    return this.#processes;
  }

  // ── beginning ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The client is there from the beginning and never dies; workers come up one by one. */
  begin(): void {
    const count = this.options.workers ?? this.dice.between(2, 4);
    for (let slot = 1; slot <= count; slot += 1) this.startProcess(`host${slot}`);
    const { main, small } = pipelinesIn(surroundingsOf(this, undefined));
    const db = this.database.databaseOf(this.client);
    const ports = {
      db,
      clock: this.scheduler.clockOf(this.client),
      random: new Dice(this.seed, "client").random,
      log: silentLogger,
      notify: false,
      worker: undefined,
    };
    this.#openClient(ports, [main, small]);
  }

  #openClient(...given: Parameters<typeof Sluice.start>): void {
    Sluice.start(...given).then(
      (sluice) => {
        this.#clientSluice = sluice;
        if (this.options.begin === undefined) for (const detail of [0.1, 0.2, 0.3]) this.user(detail);
        else this.#beginAsTold(sluice);
      },
      () => this.#later(100, "opens again", () => this.#openClient(...given)),
    );
  }

  #beginAsTold(client: Sluice): void {
    const { main } = pipelinesIn(surroundingsOf(this, undefined));
    this.options
      .begin?.(client, main)
      .catch((error: unknown) => this.trace.note(`the user was told: ${String(error)}`));
  }

  startProcess(host: string): void {
    this.#pids += 1;
    const process = new SimulatedProcess(host, this.#pids, this.dice.chance(0.85));
    this.#processes.push(process);
    const { main, small } = pipelinesIn(surroundingsOf(this, process));
    const machine = {
      db: this.database.databaseOf(process),
      clock: this.scheduler.clockOf(process),
      log: this.#log(process),
      dice: new Dice(this.seed, "process", this.#pids),
      notify: this.#notify,
      isHealed: () => this.isHealed,
      isGone: (where: string, pid: number) =>
        !this.#processes.some((one) => one.host === where && one.pid === pid && one.alive),
    };
    // One that cannot start ends, as a program does whose main() throws.
    process.start(machine, [main, small]).catch(() => {
      if (process.alive) this.kill(process);
    });
  }

  // ── breaking ─────────────────────────────────────────────────────────────────────────────────────────────────────

  kill(process: SimulatedProcess): void {
    this.trace.note(`${process.name} dies`);
    process.alive = false;
    this.scheduler.forget(process);
    this.database.forget(process);
    this.#processes = this.#processes.filter((one) => one !== process);
    const sameHost = this.isHealed || this.dice.chance(0.65);
    const host = sameHost ? process.host : `${process.host.split("-")[0]}-${this.#pids}`;
    this.#later(this.dice.between(20, 1500), `start on ${host}`, () => this.startProcess(host));
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
    this.#clockOffsetMs += ms;
  }

  user(detail: number): void {
    const client = this.#clientSluice;
    if (client === undefined) return;
    const { main } = pipelinesIn(surroundingsOf(this, undefined));
    const { seed, invariants, counts, itemsMost } = this;
    act({ seed, client, main, invariants, counts, itemsMost, say: (what) => this.trace.note(what) }, detail).catch(
      (error: unknown) => {
        this.fail(
          new Violation("no crash", `a user was shown ${error instanceof Error ? error.stack : String(error)}`),
        );
      },
    );
  }

  get clientSluice(): Sluice | undefined {
    return this.#clientSluice;
  }

  // ── watching ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #later(ms: number, label: string, what: () => void): void {
    this.scheduler.park(this.keeper, label, ms, what);
  }

  #ran(party: Party, statement: Statement, values: readonly unknown[], rows: readonly unknown[]): void {
    switch (statement.name) {
      case "worker-enter":
        if (party instanceof SimulatedProcess) party.epochs.push(String(values[4]));
        break;
      case "worker-beat":
        if (rows.length > 0) this.acknowledged.set(String(values[0]), BigInt(String(values[1])));
        break;
      case "claim":
        for (const row of rows as { id: string }[]) this.outside.leased(row.id);
        break;
      case "settle":
        for (const row of rows as { id: string; held: boolean }[]) {
          this.counts.add(row.held ? "handed on" : "queued");
          if (row.held) this.outside.leased(row.id);
        }
        break;
      case "resolve":
        for (const row of rows as { committed: boolean }[])
          this.counts.add(row.committed ? "unknown commit: it had" : "unknown commit: it had not");
        break;
      case "worker-mark-dead":
        this.counts.add("marked dead", rows.length);
        break;
      default:
    }
  }

  #notified(from: Party): void {
    for (const process of this.#processes) {
      for (const listener of process === from ? [] : this.database.listenersOf(process)) {
        if (this.dice.chance(0.3) && !this.isHealed) this.counts.add("fault: lost wake-up");
        else this.scheduler.park(process, "is woken", 1, () => listener.wake());
      }
    }
  }

  #log(process: SimulatedProcess): Logger {
    const note = (event: string, facts?: Record<string, unknown>) =>
      this.trace.note(`${process.name} ${event} ${JSON.stringify(facts ?? {}).slice(0, 160)}`);
    return { info: note, warn: note, error: note };
  }
}
