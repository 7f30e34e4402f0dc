// Watches the other workers. Dead is: the beat stood still for eight seconds on our own clock, over reads that all came
// through. (By the database's clock a step of time, or a failover's pause, would expire everybody at once.) Two faster
// ways where they are certain: the beat's own connection is gone, or the process is, and it was on this host.

import type { Clock } from "../../kit/index.ts";
import type { WorkerRow } from "./worker-row.sql.ts";

export interface LivenessLimits {
  /** Dead after the beat stood still for this long. */
  readonly deadAfterMs: number;
  /** Dead after this long when its connection is gone as well: one beat missed. */
  readonly disconnectedAfterMs: number;
  /** A longer pause between two looks means that we slept, and know nothing about the time between. */
  readonly longestGapMs: number;
}

export const LIVENESS: LivenessLimits = { deadAfterMs: 8_000, disconnectedAfterMs: 2_500, longestGapMs: 3_000 };

interface Seen {
  readonly beat: string;
  readonly sinceMs: number;
}

export class Observer {
  readonly #clock: Clock;
  readonly #limits: LivenessLimits;
  readonly #isGone: (worker: WorkerRow) => boolean;
  #seen = new Map<string, Seen>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** `isGone`: true only when the process is known to have ended. */
  constructor(clock: Clock, isGone: (worker: WorkerRow) => boolean, limits: LivenessLimits = LIVENESS) {
    this.#clock = clock;
    this.#isGone = isGone;
    this.#limits = limits;
  }

  /** A look failed: what we knew about standing still no longer counts. */
  interrupted(): void {
    this.#seen.clear();
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** Which of these workers are dead. Pure but for its memory of earlier looks. */
  judge(alive: readonly WorkerRow[], ownEpoch?: string): WorkerRow[] {
    const now = this.#clock.monotonic();
    if (now - this.#lookedAt > this.#limits.longestGapMs) this.#seen.clear();
    this.#lookedAt = now;
    const seen = new Map<string, Seen>();
    const dead: WorkerRow[] = [];
    for (const worker of alive) {
      if (worker.epoch === ownEpoch) continue;
      const before = this.#seen.get(worker.epoch);
      const known = before?.beat === worker.beat ? before : { beat: worker.beat, sinceMs: now };
      seen.set(worker.epoch, known);
      if (this.#isDead(worker, now - known.sinceMs)) dead.push(worker);
    }
    this.#seen = seen;
    return dead;
  }

  #isDead(worker: WorkerRow, stoodStillMs: number): boolean {
    if (this.#isGone(worker)) return true;
    if (stoodStillMs >= this.#limits.deadAfterMs) return true;
    return worker.connected === false && stoodStillMs >= this.#limits.disconnectedAfterMs;
  }
}
