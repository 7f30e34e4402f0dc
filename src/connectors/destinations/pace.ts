// So many bytes a second, over all that goes to one destination.

import type { Clock } from "../../kit/index.ts";

export class Pace {
  readonly #bytesPerMs: number | null;
  readonly #clock: Clock;
  #freeAt = 0;

  /** Null: as fast as it goes. */
  constructor(bytesPerSecond: number | null, clock: Clock) {
    this.#bytesPerMs = bytesPerSecond === null ? null : bytesPerSecond / 1_000;
    this.#clock = clock;
  }

  /** Resolves when so many more may go. */
  async take(bytes: number, signal?: AbortSignal): Promise<void> {
    if (this.#bytesPerMs === null) return;
    const now = this.#clock.monotonic();
    const start = Math.max(now, this.#freeAt);
    this.#freeAt = start + bytes / this.#bytesPerMs;
    if (start > now) await this.#clock.sleep(start - now, signal);
  }
}
