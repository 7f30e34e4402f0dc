// Claim, visit, settle: the loop that moves items. Everything durable happens in named statements elsewhere; this file
// only keeps track of what is in this process's hands.

import { type Clock, type Logger, type Loop, loop, type Random, safeText } from "../../kit/index.ts";
import type { Database, Queryable } from "../db/database.ts";
import { RUN_FLAG } from "../items/codes.ts";
import type { ClaimedRow } from "../items/claim.sql.ts";
import { readCheckpoints, readChildren, readContext } from "../items/context.sql.ts";
import { decide, type VisitResult } from "../items/decide.ts";
import { release, saveCheckpoint, saveProgress, stillHeld } from "../items/lease.sql.ts";
import type { SettledRow } from "../items/settle.sql.ts";
import { Fault, toFault } from "../pipeline/fault.ts";
import { CODEC } from "../intake/submit.sql.ts";
import { wait } from "../pipeline/outcome.ts";
import { writerOf } from "./beside.ts";
import { Claimer } from "./claimer.ts";
import { commitItems, hasCommit } from "./commit.ts";
import { type Held, hold, joinedRequest, unpack } from "./held.ts";
import type { Registry } from "./registry.ts";
import { toSettlement } from "./settlement.ts";
import { type Entry, Settler } from "./settler.ts";
import { visitStage } from "./visit.ts";

export interface WorkerPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly registry: Registry;
  epoch(): string;
  /** Valves as this process knows them; checked at the beginning of each visit. */
  isClosed(lane: number): boolean;
  /** Runs a visit of an item that a dead process had in its hands. */
  visitSuspect(held: Held): Promise<VisitResult | "crashed">;
  /** Something became ready that another process may take. */
  moved(): void;
  /** A wait began, or something ended that others may wait for. */
  waitsChanged(): void;
}

export interface WorkerOptions {
  readonly concurrency: number;
  readonly pollMs: number;
}

/** After so many stages in a row an item queues once, so that nobody waits behind it for ever. */
const HOPS_MOST = 20;
const PROGRESS_EVERY_MS = 1_000;

export class Worker {
  readonly #ports: WorkerPorts;
  readonly #options: WorkerOptions;
  readonly #claimer: Claimer;
  readonly #settler: Settler;
  readonly #loop: Loop;
  readonly #held = new Map<string, Held>();
  readonly #progress = new Map<Held, number>();
  #progressAt = Number.NEGATIVE_INFINITY;
  #stopping = false;

  constructor(ports: WorkerPorts, options: WorkerOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#claimer = new Claimer(ports, ports.registry.lanes());
    this.#settler = new Settler({
      ...ports,
      servedLanes: () =>
        ports.registry
          .lanes()
          .map((place) => place.lane)
          .filter((lane) => !ports.isClosed(lane)),
      commit: commitItems,
      hasCommit,
      settled: (entry, row) => this.#settled(entry, row),
      refused: (entry) => this.#lost(entry.held, "refused"),
      unstorable: (entry, error) => this.#unstorable(entry, error),
    });
    this.#loop = loop(
      ports.clock,
      options.pollMs,
      () => this.#claim(),
      (error) => this.#failedToClaim(error),
    );
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  /** How many items are in hand. */
  get busy(): number {
    return this.#held.size;
  }

  /** Stops claiming, lets visits end for as long as `graceMs`, then hands back what is left. Nothing is counted. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await this.#loop.stop();
    const graceOver = new AbortController();
    await Promise.race([this.#allSettled(), this.#ports.clock.sleep(graceMs, graceOver.signal)]);
    graceOver.abort();
    const left = [...this.#held.values()];
    for (const held of left) held.abort.abort(new Fault("transient", "STOPPING", "the worker is stopping"));
    await this.#settler.drained();
    await this.#release(left.filter((held) => this.#held.has(held.row.id)));
  }

  /** What is in hand is no longer ours: the worker was marked dead and has a new epoch. */
  abandon(): void {
    for (const held of [...this.#held.values()]) this.#lost(held, "abandoned");
  }

  /** Looks whether items in hand were cancelled or taken away meanwhile, and stops their visits. */
  async checkHeld(): Promise<void> {
    const before = [...this.#held.values()].map((held) => ({ held, version: held.version }));
    if (before.length === 0) return;
    const ids = before.map(({ held }) => held.row.id);
    const mine = new Map(
      (await stillHeld(this.#ports.db, ids, this.#ports.epoch())).map((one) => [one.id, one.version]),
    );
    for (const { held, version } of before) {
      // It may have been settled while we asked; then its version says so.
      if (this.#held.get(held.row.id) === held && held.version === version && !mine.has(held.row.id))
        this.#lost(held, "taken");
    }
  }

  async #claim(): Promise<void> {
    while (!this.#stopping) {
      const room = this.#options.concurrency - this.#held.size;
      if (room <= 0) return;
      const rows = await this.#claimer.claim(room);
      if (rows.length === 0) return;
      await this.#begin(rows);
    }
  }

  async #begin(rows: readonly ClaimedRow[]): Promise<void> {
    const { registry, clock } = this.#ports;
    const claimed: Held[] = [];
    for (const row of rows) {
      const place = registry.place(row.lane, row.stage);
      if (place === undefined) throw new Error(`claimed an item of an unknown lane ${row.lane}`);
      const held = hold(row, place, clock.monotonic());
      this.#held.set(row.id, held);
      claimed.push(held);
    }
    await this.#bring(claimed.filter((held) => held.row.flags !== 0));
    for (const held of claimed) this.#visit(held);
  }

  async #bring(claimed: readonly Held[]): Promise<void> {
    if (claimed.length === 0) return;
    const { db } = this.#ports;
    const ids = claimed.map((held) => held.row.id);
    const context = await readContext(db, ids);
    const withCheckpoint = claimed
      .filter((held) => (held.row.flags & RUN_FLAG.hasCheckpoint) !== 0)
      .map((held) => held.row.id);
    const checkpoints = withCheckpoint.length > 0 ? await readCheckpoints(db, withCheckpoint) : [];
    const joined = context.map((row) => joinedRequest(row.output)).filter((request) => request !== undefined);
    const children = joined.length > 0 ? await readChildren(db, joined) : [];
    for (const held of claimed) unpack(held, { context, checkpoints, children });
  }

  /** Begins a visit and does not wait for it. */
  #visit(held: Held): void {
    if (this.#stopping || this.#ports.isClosed(held.place.lane)) {
      void this.#release([held]);
      return;
    }
    held.beganAt = this.#ports.clock.monotonic();
    void this.#run(held).then((result) => {
      if (this.#held.get(held.row.id) === held) this.#decide(held, result);
    });
  }

  async #run(held: Held): Promise<VisitResult> {
    if (held.row.codec !== CODEC) return { outcome: wait("undecodable", { again: "1h" }) };
    if (held.row.suspicion > 0 && held.hops === 0) {
      const result = await this.#ports.visitSuspect(held);
      if (result === "crashed") return { fault: new Fault("transient", "CRASHED", "its process crashed") };
      return result;
    }
    return await visitStage(held, {
      clock: this.#ports.clock,
      saveCheckpoint: (one, value) => this.#saveCheckpoint(one, value),
      reportProgress: (one, percent) => this.#reportProgress(one, percent),
    });
  }

  #decide(held: Held, result: VisitResult): void {
    const { registry, clock, random } = this.#ports;
    const tookMs = clock.monotonic() - held.beganAt;
    const standing = { ...held, stage: held.place.index };
    const entryFor = (given: VisitResult): Entry => {
      const transition = decide(held.place.pipeline, standing, given, random.fraction());
      const target = "end" in transition.to ? undefined : registry.place(held.place.lane, transition.to.stage);
      const advances = target !== undefined && target.index > held.place.index;
      const handOff = advances && !this.#stopping && held.hops < HOPS_MOST && target.stage.concurrency === undefined;
      const settlement = toSettlement(held, transition, { tookMs, toLane: target?.lane ?? null, handOff });
      return { held, settlement, beside: writerOf(held, transition.beside, { registry, random }) };
    };
    this.#progress.delete(held);
    try {
      this.#settler.add(entryFor(result));
    } catch (error) {
      this.#settler.add(entryFor({ fault: toFault(error) }));
    }
  }

  #settled(entry: Entry, row: SettledRow): void {
    const { held, settlement } = entry;
    if (row.ends_waits || entry.beside !== null) this.#ports.waitsChanged();
    const next =
      row.held && settlement.toStage !== null
        ? this.#ports.registry.place(held.place.lane, settlement.toStage)
        : undefined;
    if (next === undefined || this.#held.get(held.row.id) !== held) {
      this.#drop(held);
      this.#ports.moved();
      return;
    }
    if (settlement.output !== null) held.outputs.set(held.place.stage.name, JSON.parse(settlement.output));
    Object.assign(held, {
      place: next,
      version: row.version,
      attempts: 0,
      waits: 0,
      reason: null,
      because: {},
      checkpoint: undefined,
    });
    held.hops += 1;
    this.#visit(held);
  }

  #unstorable(entry: Entry, error: unknown): void {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const fault = new Fault("permanent", "UNSTORABLE", safeText(cause, 500), { cause: error });
    this.#decide(entry.held, { fault });
  }

  #lost(held: Held, why: string): void {
    this.#ports.log.warn("item.lost", { item: held.row.id, version: held.version, why });
    this.#drop(held);
    held.abort.abort(new Fault("transient", "TAKEN", "the item is no longer in this worker's hands"));
  }

  #drop(held: Held): void {
    if (this.#held.get(held.row.id) !== held) return;
    this.#held.delete(held.row.id);
    this.#progress.delete(held);
    this.#loop.wake();
    if (this.#held.size === 0) for (const resolve of this.#emptied.splice(0)) resolve();
  }

  readonly #emptied: (() => void)[] = [];

  async #allSettled(): Promise<void> {
    if (this.#held.size > 0) await new Promise<void>((resolve) => this.#emptied.push(resolve));
  }

  async #release(items: readonly Held[]): Promise<void> {
    if (items.length === 0) return;
    const { db, epoch, log } = this.#ports;
    try {
      await release(
        db,
        items.map((held) => ({ id: held.row.id, version: held.version, lane: held.place.lane })),
        epoch(),
      );
    } catch (error) {
      // Not lost: they are taken back when this worker is gone.
      log.warn("release.failed", { items: items.length, error: safeText(error, 500) });
    }
    for (const held of items) this.#drop(held);
    this.#ports.moved();
  }

  async #saveCheckpoint(held: Held, value: string): Promise<void> {
    const kept = await saveCheckpoint(
      this.#ports.db,
      { id: held.row.id, version: held.version },
      this.#ports.epoch(),
      value,
    );
    if (kept) return;
    this.#lost(held, "checkpoint refused");
    throw held.abort.signal.reason;
  }

  #reportProgress(held: Held, percent: number): void {
    if (this.#held.get(held.row.id) === held) this.#progress.set(held, percent);
  }

  /** Writes the newest progress of each item, at most once a second. */
  async flushProgress(): Promise<void> {
    const now = this.#ports.clock.monotonic();
    if (this.#progress.size === 0 || now - this.#progressAt < PROGRESS_EVERY_MS) return;
    this.#progressAt = now;
    const changes = [...this.#progress].map(([held, progress]) => ({
      id: held.row.id,
      version: held.version,
      progress,
    }));
    this.#progress.clear();
    await saveProgress(this.#ports.db, changes, this.#ports.epoch());
  }

  #failedToClaim(error: unknown): void {
    this.#ports.log.warn("claim.failed", { error: safeText(error, 500) });
  }
}

export type { Queryable };
