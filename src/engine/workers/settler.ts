// Collects what visits came to and writes it in batches: at once while nothing is being written, together when it is.
// One item's bad luck stays its own: a batch that fails is halved until the item to blame stands alone.

import { type Clock, invariant, type Logger, type Random } from "../../kit/index.ts";
import type { Database, Queryable } from "../db/database.ts";
import { classifyDatabaseError } from "../db/errors.ts";
import { lockForEnd } from "../items/parts.sql.ts";
import { resolveCommits } from "../items/resolve.sql.ts";
import { type SettledRow, type Settlement, settle } from "../items/settle.sql.ts";
import { keepLogs, type WholeLog } from "../items/visit-log.sql.ts";
import { CommitError } from "./commit-error.ts";
import type { Held } from "./held.ts";
import { UNSTORABLE } from "./unstorable.ts";

/** One item's settlement, and what has to be written beside it. */
export interface Entry {
  readonly held: Held;
  readonly settlement: Settlement;
  /** Writes in the same transaction, for the entry alone. */
  readonly beside: ((tx: Queryable) => Promise<void>) | null;
  /** Requests that are locked before it is settled, because what is written beside depends on them. */
  readonly locks: readonly string[];
  /** What the visit noted, kept in the same transaction. */
  readonly log: WholeLog | null;
}

export interface SettlerPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  epoch(): string;
  servedLanes(): readonly number[];
  /** The stage's own writes for these entries, in their transaction. */
  commit(tx: Queryable, entries: readonly Entry[]): Promise<void>;
  hasCommit(entry: Entry): boolean;
  settled(entry: Entry, row: SettledRow): void;
  /** Somebody else has owned it since. */
  refused(entry: Entry): void;
  /** It can never be written like this; decide again, as a fault of the item. */
  unstorable(entry: Entry, error: unknown): void;
}

const BATCH = 500;
/** Statements under way; and as many as there may be while whole batches wait for their turn. */
const WRITERS = 2;
const WRITERS_OF_WHOLE = 3;
const RETRY_SHORTEST_MS = 50;
const RETRY_LONGEST_MS = 2_000;

export class Settler {
  readonly #ports: SettlerPorts;
  #waiting: Entry[] = [];
  #writing = 0;
  #idle: (() => void)[] = [];

  constructor(ports: SettlerPorts) {
    this.#ports = ports;
  }

  add(entry: Entry): void {
    this.#waiting.push(entry);
    this.#pump();
  }

  /** Resolves when everything added so far is written or refused. */
  async drained(): Promise<void> {
    if (this.#waiting.length === 0 && this.#writing === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #pump(): void {
    while (this.#waiting.length > 0 && this.#writing < (this.#waiting.length < BATCH ? WRITERS : WRITERS_OF_WHOLE)) {
      this.#writing += 1;
      // After the current turn of the event loop's microtasks, so that visits ending together travel together.
      void Promise.resolve().then(() => this.#writeNext());
    }
  }

  async #writeNext(): Promise<void> {
    const batch = this.#nextBatch();
    try {
      if (batch.length > 0) await this.#write(batch);
    } finally {
      this.#writing -= 1;
      this.#pump();
      if (this.#writing === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** One entry of an item at most: beside its newest visit, a late one would pass for settled, and its commit be written. */
  #nextBatch(): Entry[] {
    const next = this.#waiting.splice(0, BATCH);
    // In hand an item is only once, and hardly ever is one of a batch not in hand any more.
    if (next.every(({ held }) => held.isInHand)) return next;
    const batch = new Map<string, Entry>();
    const later: Entry[] = [];
    for (const entry of next) {
      const { id } = entry.held.row;
      if (batch.has(id)) later.push(entry);
      else batch.set(id, entry);
    }
    this.#waiting.unshift(...later);
    return [...batch.values()];
  }

  /** Plain ones go together, and so do those with a log; those with rows beside them or writes of the stage's author need a transaction of their own. */
  async #write(batch: readonly Entry[]): Promise<void> {
    if (batch.every((entry) => this.#isBare(entry))) {
      await this.#writeGroup(batch);
      return;
    }
    const alone: Entry[] = [];
    const byStage = new Map<unknown, Entry[]>();
    for (const entry of batch) {
      const group = this.#ports.hasCommit(entry) ? entry.held.place.stage : entry.log !== null;
      if (entry.beside !== null) alone.push(entry);
      else if (byStage.has(group)) byStage.get(group)?.push(entry);
      else byStage.set(group, [entry]);
    }
    for (const entries of byStage.values()) await this.#writeGroup(entries);
    for (const entry of alone) await this.#writeGroup([entry]);
  }

  /** Nothing is written but what settling writes. */
  #isBare(entry: Entry): boolean {
    return entry.beside === null && entry.log === null && !this.#ports.hasCommit(entry);
  }

  async #writeGroup(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const epoch = this.#ports.epoch();
    let failure: unknown;
    try {
      this.#report(entries, await this.#send(entries, epoch));
      return;
    } catch (error) {
      failure = error;
    }
    await this.#recover(entries, epoch, failure);
  }

  async #send(entries: readonly Entry[], epoch: string): Promise<SettledRow[]> {
    const batch = entries.map((entry) => entry.settlement);
    const holder = { epoch, servedLanes: this.#ports.servedLanes() };
    const [first] = entries;
    invariant(first !== undefined, "a group to write has entries");
    if (this.#isBare(first)) return await settle(this.#ports.db, batch, holder);
    const sentAt = this.#ports.clock.monotonic();
    return await this.#ports.db.transaction(async (tx) => {
      if (first.locks.length > 0) await lockForEnd(tx, first.held.row.id, first.locks);
      const rows = await settle(tx, batch, holder);
      const accepted = new Set(rows.map((row) => row.id));
      const owned = entries.filter((entry) => accepted.has(entry.held.row.id));
      for (const entry of owned) await entry.beside?.(tx);
      await keepLogs(
        tx,
        owned.flatMap(({ log }) => log ?? []),
        sentAt,
      );
      const finished = owned.filter((entry) => this.#ports.hasCommit(entry));
      if (finished.length > 0) await this.#ports.commit(tx, finished);
      return rows;
    });
  }

  #report(entries: readonly Entry[], rows: readonly SettledRow[]): void {
    let answered = 0;
    for (const entry of entries) {
      const row = rows[answered];
      if (row?.id !== entry.held.row.id) {
        this.#ports.refused(entry);
        continue;
      }
      answered += 1;
      this.#ports.settled(entry, row);
    }
  }

  async #recover(entries: readonly Entry[], epoch: string, error: unknown): Promise<void> {
    const failure = error instanceof CommitError ? "data" : classifyDatabaseError(error);
    this.#ports.log.warn("settle.failed", { failure, items: entries.length, error: String(error) });
    switch (failure) {
      case "lost":
        return await this.#findOut(entries, epoch);
      // A statement of ours that the server does not understand is nobody's item's fault: keep all, and keep saying so.
      case "bug":
      case "trouble":
        await this.#pause(RETRY_LONGEST_MS);
        return await this.#writeGroup(entries);
      case "conflict":
        await this.#pause(RETRY_SHORTEST_MS);
        return await this.#halve(entries, error, "again");
      case "data":
        return await this.#halve(entries, error, "unstorable");
    }
  }

  async #halve(entries: readonly Entry[], error: unknown, alone: "again" | "unstorable"): Promise<void> {
    if (entries.length > 1) {
      const middle = Math.ceil(entries.length / 2);
      await this.#writeGroup(entries.slice(0, middle));
      await this.#writeGroup(entries.slice(middle));
      return;
    }
    const [entry] = entries;
    invariant(entry !== undefined, "a batch is never empty");
    // Refused even as "it cannot be stored": that is nothing the item brings along. Keep it, and keep trying.
    if (entry.settlement.detail?.code === UNSTORABLE) await this.#pause(RETRY_LONGEST_MS);
    else if (alone === "unstorable") return this.#ports.unstorable(entry, error);
    await this.#writeGroup(entries);
  }

  /** The reply was lost. Ask until the database answers, then write again what had not been written. */
  async #findOut(entries: readonly Entry[], epoch: string): Promise<void> {
    const fences = entries.map((entry) => ({ id: entry.held.row.id, version: entry.settlement.version }));
    for (let delay = RETRY_SHORTEST_MS; ; delay = Math.min(RETRY_LONGEST_MS, delay * 2)) {
      await this.#pause(delay);
      try {
        const found = new Map((await resolveCommits(this.#ports.db, fences, epoch)).map((one) => [one.id, one]));
        const open: Entry[] = [];
        for (const entry of entries) {
          const { id } = entry.held.row;
          const { committed = false, held_version = null } = found.get(id) ?? {};
          // Handed on, it stands one version further; further than that this process has claimed it anew meanwhile.
          const held = held_version === entry.settlement.version + 1;
          if (committed) this.#ports.settled(entry, { id, version: held_version ?? 0, held, ends_waits: true });
          else if (held_version === entry.settlement.version) open.push(entry);
          else this.#ports.settled(entry, { id, version: 0, held: false, ends_waits: true });
        }
        return await this.#writeGroup(open);
      } catch (error) {
        this.#ports.log.warn("settle.unknown", { items: entries.length, error: String(error) });
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    await this.#ports.clock.sleep(ms * (0.5 + this.#ports.random.fraction()));
  }
}
