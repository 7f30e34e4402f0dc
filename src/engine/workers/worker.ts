// Claim, visit, settle: the loop that moves items. Everything durable happens in named statements elsewhere; this file
// only keeps track of what is in this process's hands.

import { insistentLoop, type Loop, safeText } from "../../kit/index.ts";
import type { ClaimedRow } from "../items/claim.sql.ts";
import type { SettledRow } from "../items/settle.sql.ts";
import type { VisitResult } from "../items/standing.ts";
import { Fault } from "../pipeline/fault.ts";
import { begin } from "./begin.ts";
import { Claimer } from "./claimer.ts";
import { commitItems, hasCommit } from "./commit.ts";
import { countCrash } from "./crash.ts";
import { Decisions } from "./decisions.ts";
import { Door } from "./door.ts";
import { handBack } from "./hand-back.ts";
import { Hands } from "./hands.ts";
import { fenceOf, type Held, handOn, passOf } from "./held.ts";
import { learnInVain, learnRefused } from "./intend.ts";
import { ItemProbes } from "./item-probes.ts";
import { isRefusable, taken } from "./late.ts";
import { Places } from "./places.ts";
import { runVisit } from "./run-visit.ts";
import { RunningReports } from "./running-reports.ts";
import { type Entry, Settler } from "./settler.ts";
import { Strays } from "./strays.ts";
import { type Crash, crashFault } from "./suspects.ts";
import { takenAway } from "./taken-away.ts";
import { unstorable } from "./unstorable.ts";
import type { VisitPorts } from "./visit.ts";
import { visitPortsOf } from "./visit-ports.ts";
import type { WorkerOptions, WorkerPorts } from "./worker-ports.ts";

export class Worker {
  readonly #ports: WorkerPorts;
  readonly #options: WorkerOptions;
  readonly #claimer: Claimer;
  readonly #settler: Settler;
  readonly #loop: Loop;
  readonly #hands = new Hands();
  readonly #places: Places;
  readonly #decisions: Decisions;
  readonly #reports: RunningReports;
  readonly #visitPorts: VisitPorts;
  readonly #strays: Strays;
  readonly #over = new AbortController();
  readonly #probes: ItemProbes;
  readonly door: Door;
  #lives = 0;

  constructor(ports: WorkerPorts, options: WorkerOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#reports = new RunningReports(ports);
    this.#places = new Places(options.concurrency, () => this.#hands.size);
    this.#claimer = new Claimer(ports);
    const servedLanes = () => this.#claimer.plainLanes();
    const begin = (rows: readonly ClaimedRow[]) => this.#begin(rows);
    this.door = new Door({ ...ports, servedLanes, begin, wake: () => this.wake() }, this.#places);
    this.#strays = new Strays({ ...ports, door: this.door }, this.#hands, options.concurrency);
    this.#probes = new ItemProbes({
      claimProbe: (service) => this.#claimer.claimProbe(service),
      begin: (rows, service) => this.#begin(rows, service),
    });
    this.#visitPorts = visitPortsOf(ports, this.#hands, this.#reports, (held, why) => this.#lost(held, why));
    this.#settler = new Settler({
      ...ports,
      servedLanes,
      commit: commitItems,
      hasCommit,
      settled: (entry, row) => this.#settled(entry, row),
      refused: (entry) => {
        learnRefused(entry, ports);
        this.#lost(entry.held, "refused");
      },
      unstorable: (entry, error) => this.#decide(entry.held, { fault: unstorable(error) }),
    });
    this.#decisions = new Decisions(ports, {
      isOurs: (held) => this.#hands.has(held),
      mayHandOff: () => !this.#over.signal.aborted,
      settle: (entry) => this.#settler.add(entry),
    });
    const failed = (error: unknown) => ports.log.warn("claim.failed", { error: safeText(error, 500) });
    this.#loop = insistentLoop(ports.clock, options.pollMs, () => this.#claim(), failed);
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  /** Claims one item from behind an open breaker whose probe is ours. */
  letThrough(service: string): Promise<boolean> {
    return this.#probes.ask(service, () => this.wake());
  }

  get busy(): number {
    return this.#hands.size;
  }

  /** Stops claiming, lets visits end for as long as `graceMs`, then hands back what is left. Nothing is counted. */
  async stop(graceMs: number): Promise<void> {
    this.#over.abort();
    this.door.stop();
    await this.#loop.stop();
    const graceOver = new AbortController();
    const grace = this.#ports.clock.sleep(graceMs, graceOver.signal);
    await Promise.race([this.door.settled(), grace]);
    this.#probes.stop();
    this.#visitPorts.gathering.hurry();
    await Promise.race([this.#hands.empty(), grace]);
    graceOver.abort();
    this.#reports.notes.stop();
    await this.#reports.notes.writeNow(this.#hands.all().filter((held) => held.isVisited));
    const unfinished = this.#hands.all().filter((held) => held.isVisited);
    // Out of hand before they are told: what an aborted visit comes to is a fault, and must not be counted.
    for (const held of unfinished) {
      this.#drop(held);
      held.abort.abort(new Fault("transient", "STOPPING", "the worker is stopping"));
    }
    await this.#release(unfinished);
    await this.#settler.drained();
    await this.#release(this.#hands.all());
    this.#visitPorts.deadlines.stop();
  }

  /** What is in hand is no longer ours: the worker was marked dead and has a new epoch. */
  abandon(): void {
    this.#lives += 1;
    this.door.abandon();
    for (const held of this.#hands.all()) this.#lost(held, "abandoned");
  }

  /** Looks whether items in hand were cancelled or taken away meanwhile, and stops their visits; writes progress. */
  async lookAfter(): Promise<void> {
    const { db, epoch } = this.#ports;
    if (this.busy === 0) return;
    for (const held of await takenAway(db, this.#hands, epoch())) this.#lost(held, "taken");
    await this.#reports.progress.write(db, epoch());
  }

  async #claim(): Promise<void> {
    // No claim is under way here, so what the database says we hold and we do not know of is a stray.
    await this.#strays.releaseNowAndThen();
    await this.#probes.serve();
    const take = async (room: number, life = this.#lives): Promise<number> => {
      const rows = await this.#claimer.claim(room);
      await this.#begin(rows, undefined, life);
      return rows.length;
    };
    for (let taken = 1; taken > 0 && !this.#over.signal.aborted; ) taken = await this.#places.fill(take);
  }

  /** Nothing of what was leased to a life that is over: whoever marked it dead takes that back. */
  async #begin(rows: readonly ClaimedRow[], probe?: string, life = this.#lives): Promise<number> {
    const begun = await begin(rows, this.#ports);
    if (life !== this.#lives) return 0;
    for (const held of begun) {
      // Taken back and claimed again before anybody looked: its former visit has to be told all the same.
      const former = this.#hands.of(held.row.id);
      if (former !== undefined) this.#lost(former, "claimed again");
      this.#hands.take(held);
      this.#visit(held, probe);
    }
    return begun.length;
  }

  #visit(held: Held, probe?: string): void {
    const { services, isClosed } = this.#ports;
    services.visits.begin(held, probe);
    if (this.#over.signal.aborted || isClosed(held.place.lane, passOf(held, probe))) {
      services.visits.ended(held, undefined);
      void this.#release([held]);
      return;
    }
    held.beganAt = this.#ports.clock.monotonic();
    if (held.checkpoint !== undefined) this.#ports.measures.resumed(held.place);
    held.isVisited = true;
    runVisit(held, this.#ports, this.#visitPorts, (result) => this.#ended(held, result));
  }

  #ended(held: Held, result: VisitResult | Crash): void {
    held.isVisited = false;
    this.#ports.services.visits.ended(held, "crashed" in result ? undefined : result);
    if (!this.#hands.has(held)) learnInVain(result, this.#ports);
    if (!this.#hands.has(held) && (this.#over.signal.aborted || !isRefusable(held, result))) return;
    if ("crashed" in result) void this.#crashed(held, result.crashed);
    else this.#decide(held, result);
  }

  #decide(held: Held, result: VisitResult): void {
    this.#reports.forget(held);
    this.#decisions.make(held, result);
  }

  async #crashed(held: Held, how: string): Promise<void> {
    const fault = crashFault(held.row.crashes, how);
    if (fault !== undefined) return this.#decide(held, { fault });
    // While the fence is still ours: what it said last tells most about why it died.
    await this.#reports.notes.writeNow([held]);
    await countCrash(held, how, this.#ports, () => this.#hands.has(held));
    this.#drop(held);
    this.#ports.moved();
  }

  #settled(entry: Entry, row: SettledRow): void {
    const { held, settlement } = entry;
    const { registry, moved, waitsChanged } = this.#ports;
    // One part that fails may be enough for its item.
    const endsPart = held.row.part !== null && settlement.ended !== 0;
    if (row.ends_waits || entry.beside !== null || endsPart) waitsChanged();
    const goesOn = row.held && this.#hands.has(held);
    const next = goesOn ? registry.place(held.place.lane, settlement.toStage ?? -1) : undefined;
    if (next === undefined) {
      this.#drop(held);
      moved();
      this.#wakeFor(settlement.detail?.delayMs);
      return;
    }
    handOn(held, next, row.version, settlement.output);
    this.#visit(held);
  }

  /** What is due again before the next poll should not have to wait for it. */
  #wakeFor(delayMs: number | null | undefined): void {
    if (!delayMs || delayMs >= this.#options.pollMs) return;
    void this.#ports.clock.sleep(delayMs, this.#over.signal).then(() => this.#loop.wake());
  }

  #lost(held: Held, why: string): void {
    this.#ports.log.warn("item.lost", { item: held.row.id, version: held.version, why });
    this.#drop(held);
    held.abort.abort(taken("the item is no longer in this worker's hands"));
  }

  #drop(held: Held): void {
    if (!this.#hands.drop(held)) return;
    this.#reports.forget(held);
    this.#loop.wake();
  }

  async #release(items: readonly Held[]): Promise<void> {
    if (items.length === 0) return;
    await handBack(items.map(fenceOf), this.#ports);
    for (const held of items) this.#drop(held);
  }
}
