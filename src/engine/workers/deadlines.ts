// Time limits for many short things at once, with one sleeper per length of limit instead of a timer for each.

import type { Clock } from "../../kit/index.ts";

interface Deadline {
  readonly at: number;
  readonly onTime: () => void;
}

export class Deadlines {
  readonly #clock: Clock;
  /** By length. Within a length, insertion order is the order they come due in. */
  readonly #waiting = new Map<number, Set<Deadline>>();

  readonly #stopped = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Nothing comes due any more; without it a sleeper could keep the process alive for as long as the longest limit. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Calls `onTime` when `ms` have passed, unless the returned function was called before. */
  within(ms: number, onTime: () => void): () => void {
    const deadline: Deadline = { at: this.#clock.monotonic() + ms, onTime };
    const waiting = this.#waiting.get(ms);
    if (waiting !== undefined) {
      waiting.add(deadline);
      return () => waiting.delete(deadline);
    }
    const fresh = new Set([deadline]);
    this.#waiting.set(ms, fresh);
    void this.#watch(ms, fresh);
    return () => fresh.delete(deadline);
  }

  /** Ends when nothing of this length waits any more; looks at the clock no more often than the limits are long. */
  async #watch(ms: number, waiting: Set<Deadline>): Promise<void> {
    const { signal } = this.#stopped;
    for (let next = ms; waiting.size > 0 && !signal.aborted; ) {
      await this.#clock.sleep(next, signal);
      const now = this.#clock.monotonic();
      for (const deadline of waiting) {
        if (deadline.at > now) break;
        waiting.delete(deadline);
        deadline.onTime();
      }
      const [first] = waiting;
      next = first === undefined ? 0 : Math.max(1, first.at - now);
    }
    this.#waiting.delete(ms);
  }
}
