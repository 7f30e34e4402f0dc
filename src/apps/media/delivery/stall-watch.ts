// Gives up what has not moved for a while, by bytes and not by what it says of itself.

import { transient } from "../../../engine/index.ts";
import type { Clock } from "../../../kit/index.ts";

export class StallWatch {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #stalled = new AbortController();
  readonly #over = new AbortController();
  #movedAt: number;

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#movedAt = clock.monotonic();
  }

  /** Aborted when nothing moved for so long. */
  get signal(): AbortSignal {
    return this.#stalled.signal;
  }

  moved(): void {
    this.#movedAt = this.#clock.monotonic();
  }

  /** Until the work has ended, or has nothing to move any more. */
  stop(): void {
    this.#over.abort();
  }

  async start(): Promise<void> {
    for (let leftMs = this.#limitMs; leftMs > 0; leftMs = this.#movedAt + this.#limitMs - this.#clock.monotonic()) {
      await this.#clock.sleep(leftMs, this.#over.signal);
      if (this.#over.signal.aborted) return;
    }
    const minutes = Math.max(1, Math.round(this.#limitMs / 60_000));
    this.#stalled.abort(transient("STALLED", `not a byte more arrived within ${minutes} min`));
  }
}
