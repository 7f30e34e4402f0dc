// Visits suspects in child processes: who waits, which child takes whom, and what happens where no child can be had.

import { type Clock, type Logger, safeText, systemClock } from "../../../kit/index.ts";
import type { VisitResult } from "../../items/standing.ts";
import { toFault, transient } from "../../pipeline/fault.ts";
import type { Held } from "../held.ts";
import { type ChildChoice, type Crash, chooseChild, type Suspects } from "../suspects.ts";
import { type VisitPorts, visitStage } from "../visit.ts";
import { type Entry, ownEntry } from "./child.ts";
import { HostedChild, type HostedPorts } from "./hosted-child.ts";
import type { HostedLimits, Pending } from "./hosted-visit.ts";

export interface ChildSuspectsOptions {
  readonly log: Logger;
  readonly clock?: Clock;
  /** How to run this program again. */
  readonly entry?: Entry;
  /** Processes at a time. */
  readonly children?: number;
  readonly limits?: Partial<HostedLimits>;
}

/** Enough for all that a worker with the default concurrency may hold, and some alone. */
const CHILDREN = 16;
/** Visits that go on for so long without one of them ending leave no room soon: another child is worth its start. */
const PATIENCE_MS = 100;
const LIMITS: HostedLimits = {
  startMs: 30_000,
  idleMs: 10_000,
  stuckMs: 1_000,
  abortMs: 1_000,
  lastingMs: PATIENCE_MS,
};
/** After one child that did not come up, suspects are visited here for so long before another is tried. */
const NO_CHILD_MS = 60_000;

export function childSuspects(options: ChildSuspectsOptions): Suspects {
  return new ChildSuspects(options);
}

class ChildSuspects implements Suspects {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #entry: Entry | undefined;
  readonly #most: number;
  readonly #limits: HostedLimits;
  readonly #ports: HostedPorts;
  #children: HostedChild[] = [];
  #waiting: Pending[] = [];
  #childrenFrom = Number.NEGATIVE_INFINITY;
  #movedAt = Number.NEGATIVE_INFINITY;
  #isLookingAgain = false;
  readonly #stopped = new AbortController();

  constructor(options: ChildSuspectsOptions) {
    const { log, clock = systemClock, entry = ownEntry(), children = CHILDREN, limits = {} } = options;
    this.#log = log;
    this.#clock = clock;
    this.#entry = entry;
    this.#most = children;
    this.#limits = { ...LIMITS, ...limits };
    this.#ports = {
      clock,
      log,
      putBack: (visits) => {
        this.#waiting.unshift(...visits);
        this.#place();
      },
      unknown: (visit) => this.#runHere([visit], "the child was not given its pipeline"),
      neverCameUp: (visits, how) => {
        this.#noChild(how);
        this.#runHere(visits, "no child came up");
      },
      changed: () => {
        this.#movedAt = clock.monotonic();
        this.#place();
      },
      gone: (child) => {
        this.#children = this.#children.filter((one) => one !== child);
        this.#place();
      },
    };
  }

  visit(held: Held, ports: VisitPorts): Promise<VisitResult | Crash> {
    return new Promise((resolve) => {
      const over = new AbortController();
      const pending: Pending = {
        held,
        ports,
        over,
        reports: [],
        deliveredAt: Number.POSITIVE_INFINITY,
        resolve(result) {
          over.abort();
          resolve(result);
        },
      };
      held.abort.signal.addEventListener("abort", () => this.#dropWaiting(pending), { signal: over.signal });
      this.#waiting.push(pending);
      this.#place();
    });
  }

  expect(): void {
    if (this.#entry === undefined || this.#clock.monotonic() < this.#childrenFrom) return;
    if (this.#children.every((child) => child.isAlone || child.isClosing) && this.#children.length < this.#most)
      this.#start(this.#entry, false);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    const children = [...this.#children];
    const left = [...this.#waiting.splice(0), ...children.flatMap((child) => child.kill())];
    for (const pending of left) pending.resolve({ fault: transient("STOPPING", "the worker is stopping") });
    await Promise.all(children.map((child) => child.gone));
  }

  #dropWaiting(pending: Pending): void {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((one) => one !== pending);
    if (this.#waiting.length < before) pending.resolve({ fault: toFault(pending.held.abort.signal.reason) });
  }

  /** First come, first served among those who share, and among those who go alone. */
  #place(): void {
    const entry = this.#entry;
    if (entry === undefined || this.#clock.monotonic() < this.#childrenFrom) {
      const why = entry === undefined ? "there is no file to run again" : "no child came up lately";
      this.#runHere(this.#waiting.splice(0), why);
      return;
    }
    this.#placeOf(this.#waiting.filter(isAlone), entry);
    this.#placeOf(
      this.#waiting.filter((one) => !isAlone(one)),
      entry,
    );
    if (this.#waiting.some((one) => !isAlone(one))) void this.#lookAgain();
  }

  #placeOf(pending: readonly Pending[], entry: Entry): void {
    let waiting = pending.length;
    for (const one of pending) {
      const choice = this.#choiceFor(one, waiting);
      if (choice === "wait") return;
      if (choice === "start") {
        const started = this.#start(entry, isAlone(one));
        if (started === undefined) return;
        // One who shares waits for it to be up: by then another may have room.
        if (!isAlone(one)) continue;
        this.#hand(one, started);
      } else if ("use" in choice) this.#hand(one, this.#children[choice.use]);
      else return void this.#children[choice.replace]?.close();
      waiting -= 1;
    }
  }

  #choiceFor({ held }: Pending, waiting: number): ChildChoice {
    const isMoving = this.#clock.monotonic() - this.#movedAt < PATIENCE_MS;
    return chooseChild(held.row.crashes, this.#children, { most: this.#most, isMoving, waiting });
  }

  #hand(pending: Pending, child: HostedChild | undefined): void {
    this.#waiting = this.#waiting.filter((one) => one !== pending);
    child?.take(pending);
  }

  async #lookAgain(): Promise<void> {
    if (this.#isLookingAgain) return;
    this.#isLookingAgain = true;
    await this.#clock.sleep(PATIENCE_MS, this.#stopped.signal);
    this.#isLookingAgain = false;
    if (!this.#stopped.signal.aborted && this.#waiting.length > 0) this.#place();
  }

  #start(entry: Entry, isAlone: boolean): HostedChild | undefined {
    if (this.#stopped.signal.aborted) return undefined;
    try {
      const child = new HostedChild(entry, isAlone, this.#limits, this.#ports);
      this.#children.push(child);
      return child;
    } catch (error) {
      this.#noChild(safeText(error, 300));
      // The one at hand, and all who wait: placed anew, they find that there are no children for now.
      void Promise.resolve().then(() => this.#place());
      return undefined;
    }
  }

  #noChild(why: string): void {
    this.#childrenFrom = this.#clock.monotonic() + NO_CHILD_MS;
    this.#log.error("suspects.no-child", { why });
  }

  /** Never stuck: a suspect that cannot be watched from outside is visited all the same. */
  #runHere(visits: readonly Pending[], why: string): void {
    for (const pending of visits) {
      this.#log.warn("suspect.unguarded", { item: pending.held.row.id, why });
      void visitStage(pending.held, pending.ports).then((result) => pending.resolve(result));
    }
  }
}

/** It was in a child that died. */
function isAlone({ held }: Pending): boolean {
  return held.row.crashes > 0;
}
