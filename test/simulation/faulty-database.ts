// The database as one simulated process sees it: every statement waits for its turn, and may fail in every way a real
// one does. One session serves all, so while a transaction is open the others wait; races of real connections are the
// subject of other tests.

import type { ChannelListener, Database, Queryable, Statement, StopListening } from "../../src/engine/db/database.ts";
import type { FaultKind } from "./faults.ts";
import type { Party, Scheduler } from "./scheduler.ts";
import type { SqlSession } from "./sql-session.ts";

/** An error without SQLSTATE: nobody knows whether the server did it. */
export function connectionLost(): Error {
  return Object.assign(new Error("connection reset"), { code: "ECONNRESET" });
}

function refusedWith(code: string): Error {
  return Object.assign(new Error(`refused with ${code}`), { code });
}

interface Transaction {
  readonly party: Party;
  /** Its connection is gone. */
  isBroken: boolean;
  /** The server refuses everything in it until it is rolled back, or back to a savepoint. */
  isAborted: boolean;
  isRolledBack: boolean;
  /** How many are set. */
  savepoints: number;
  wrote: boolean;
}

export interface Watcher {
  /** A statement took effect; inside a transaction it may still be rolled back. */
  ran(party: Party, statement: Statement, values: readonly unknown[], rows: readonly unknown[]): void;
  /** Something was committed that may have changed what invariants speak of. */
  committed(party: Party): void;
  notified(from: Party, letter: string): void;
  /** kill -9 after the statement took effect, before its reply. */
  dies(party: Party): void;
}

const BEGIN: Statement = { name: "begin", text: "begin" };
const COMMIT: Statement = { name: "commit", text: "commit" };
const ROLLBACK: Statement = { name: "rollback", text: "rollback" };
const HARMLESS = new Set([
  "worker-beat",
  "take-duty",
  "register-pipeline",
  "register-lane",
  "key-holder",
  "lock-lane",
  "expire-keys",
  "lock-service",
  "lock-free-service",
  "lock-run",
  "lock-requests",
  "lock-items",
  "lock-operation",
  "owed-intents",
  "installation",
]);
/** These say nothing by the number of rows they return. */
const SILENT = new Set([
  "settle",
  "settle-plain",
  "settle-on",
  "settle-end",
  "progress",
  "drop-waiter",
  "add-waiter",
  "grow-request",
  "worker-leave",
  "worker-clear",
  "end-runs",
  "leave-behind",
  "carry-outputs",
  "audit-copy",
  "stop-members",
  "tell-operation",
  "add-spawned",
  "learn-ref",
  "end-intents",
  "owe-orphans",
  "assign-cleanup",
  "leave-watches",
  "odd",
  "make-parts",
  "save-grants",
  "register-service",
]);

export class SharedDatabase {
  readonly #session: SqlSession;
  readonly #scheduler: Scheduler;
  readonly #watcher: Watcher;
  readonly #now: () => string;
  readonly #plant: (statement: Statement) => Statement;
  readonly #listeners = new Map<Party, Set<ChannelListener>>();
  #open: Transaction | undefined;
  downUntil = 0;
  /** What happens to the statement that runs next. */
  fault: FaultKind | undefined;
  /** Set where the fault was applied. */
  struck = false;

  constructor(
    session: SqlSession,
    scheduler: Scheduler,
    watcher: Watcher,
    now: () => string,
    plant: (statement: Statement) => Statement = (statement) => statement,
  ) {
    this.#plant = plant;
    this.#session = session;
    this.#scheduler = scheduler;
    this.#watcher = watcher;
    this.#now = now;
  }

  /** Whose transaction is open. */
  get holder(): Party | undefined {
    return this.#open?.party;
  }

  /** The server ends the transaction of a client that is gone. */
  dropTransactionOf(party: Party): void {
    if (this.#open?.party === party) this.#breakOpen();
  }

  restart(until: number): void {
    this.#breakOpen();
    this.downUntil = until;
    const told = [...this.#listeners];
    this.#listeners.clear();
    for (const [party, mine] of told)
      for (const one of mine) this.#scheduler.park(party, "hears no more", 1, () => one.lost());
  }

  listenersOf(party: Party): readonly ChannelListener[] {
    return [...(this.#listeners.get(party) ?? [])];
  }

  forget(party: Party): void {
    this.dropTransactionOf(party);
    this.#listeners.delete(party);
  }

  databaseOf(party: Party): Database {
    return {
      query: (statement, values) => this.#ask(party, undefined, statement, values),
      transaction: (work) => this.#transaction(party, work),
      listen: async (_channel, listener) => {
        await this.#ask(party, undefined, { name: "listen", text: "select 1 as listening" }, []);
        return this.#listen(party, listener);
      },
      close: async () => {},
    };
  }

  #listen(party: Party, listener: ChannelListener): StopListening {
    const mine = this.#listeners.get(party) ?? new Set();
    this.#listeners.set(party, mine.add(listener));
    return async () => void mine.delete(listener);
  }

  async #transaction<T>(party: Party, work: (tx: Queryable) => Promise<T>): Promise<T> {
    const tx: Transaction = {
      ...{ party, isBroken: false, isAborted: false, isRolledBack: false, savepoints: 0, wrote: false },
    };
    await this.#ask(party, tx, BEGIN, []);
    try {
      const result = await work({ query: (statement, values) => this.#ask(party, tx, statement, values) });
      await this.#ask(party, tx, COMMIT, []);
      return result;
    } catch (error) {
      if (this.#open === tx) await this.#ask(party, tx, ROLLBACK, []).catch(() => this.#breakOpen());
      throw error;
    }
  }

  #ask<Row>(
    party: Party,
    tx: Transaction | undefined,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      const go = () => {
        try {
          const rows = this.#run<Row>(party, tx, statement, values);
          // A process that was killed while the server worked never hears of it.
          if (party.alive) resolve(rows);
        } catch (error) {
          if (party.alive) reject(error);
        }
      };
      const isFree = () => this.#open === undefined || this.#open === tx;
      this.#scheduler.park(party, statement.name, 0, go, isFree);
    });
  }

  #run<Row>(party: Party, tx: Transaction | undefined, statement: Statement, values: readonly unknown[]): Row[] {
    const { fault } = this;
    this.fault = undefined;
    if (tx?.isBroken === true) throw connectionLost();
    if (this.#scheduler.now < this.downUntil) throw connectionLost();
    if (tx?.isAborted === true && !endsAbort(tx, statement)) throw refusedWith("25P02");
    if (statement !== ROLLBACK) this.#refuse(fault);
    const rows = this.#execute<Row>(tx, statement, values);
    this.#watcher.ran(party, statement, values, rows);
    if (changes(statement, rows) && tx !== undefined) tx.wrote = true;
    const hasCommitted = tx === undefined ? changes(statement, rows) : statement === COMMIT && tx.wrote;
    if (hasCommitted) this.#watcher.committed(party);
    for (const letter of this.#session.takeTold()) this.#watcher.notified(party, letter);
    if (fault === "crashAfter") this.#watcher.dies(party);
    if (fault === "lostReply" && statement !== ROLLBACK) {
      this.struck = true;
      if (this.#open === tx && tx !== undefined) this.#breakOpen();
      throw connectionLost();
    }
    return rows;
  }

  #refuse(fault: FaultKind | undefined): void {
    if (fault !== "failBefore" && fault !== "conflict" && fault !== "trouble") return;
    this.struck = true;
    if (fault === "failBefore") {
      this.#breakOpen();
      throw connectionLost();
    }
    if (this.#open !== undefined) {
      this.#open.isAborted = true;
      this.#open.isRolledBack = this.#open.savepoints === 0;
      if (this.#open.isRolledBack) this.#session.exec("rollback");
    }
    throw refusedWith(fault === "conflict" ? (this.#scheduler.now % 2 < 1 ? "40P01" : "55P03") : "53100");
  }

  #execute<Row>(tx: Transaction | undefined, statement: Statement, values: readonly unknown[]): Row[] {
    switch (statement) {
      case BEGIN:
        this.#session.exec("begin");
        this.#open = tx;
        return [];
      case COMMIT:
      case ROLLBACK:
        this.#open = undefined;
        if (tx?.isRolledBack !== true) this.#session.exec(tx?.isAborted === true ? "rollback" : statement.text);
        return [];
      default:
        if (tx !== undefined) countSavepoints(tx, statement);
        return this.#session.run<Row>(this.#plant(statement), values, this.#now());
    }
  }

  #breakOpen(): void {
    if (this.#open === undefined) return;
    const { isRolledBack } = this.#open;
    this.#open.isBroken = true;
    this.#open = undefined;
    if (!isRolledBack) this.#session.exec("rollback");
  }
}

function changes(statement: Statement, rows: readonly unknown[]): boolean {
  if (HARMLESS.has(statement.name) || !/\b(insert|update|delete)\b/.test(statement.text)) return false;
  return rows.length > 0 || SILENT.has(statement.name);
}

/** What the server still accepts in a transaction that failed. */
function endsAbort({ savepoints }: Transaction, statement: Statement): boolean {
  return statement === COMMIT || statement === ROLLBACK || (savepoints > 0 && statement.name === "savepoint-undo");
}

function countSavepoints(tx: Transaction, { name }: Statement): void {
  if (name === "savepoint") tx.savepoints += 1;
  if (name === "savepoint-release") tx.savepoints -= 1;
  if (name === "savepoint-undo") tx.isAborted = false;
}
