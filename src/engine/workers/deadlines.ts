// Time limits for many short things at once, with one sleeper per length of limit instead of a timer for each.

import type { Clock } from "../../kit/index.ts";

/** Linked to its neighbours: a set has to hash what it is given, which took longer than all the rest of a deadline. */
class Deadline {
  before: Deadline | undefined;
  after: Deadline | undefined;
  line: Line | undefined;
  readonly at: number;
  readonly onTime: () => void;

  constructor(at: number, onTime: () => void) {
    this.at = at;
    this.onTime = onTime;
  }

  /** It is met. Safe to call twice. */
  meet(): void {
    const { line, before, after } = this;
    if (line === undefined) return;
    this.line = undefined;
    if (before === undefined) line.first = after;
    else before.after = after;
    if (after === undefined) line.last = before;
    else after.before = before;
    this.before = undefined;
    this.after = undefined;
  }
}

/** Deadlines of one length: the order they were set in is the order they come due in. */
interface Line {
  first: Deadline | undefined;
  last: Deadline | undefined;
}

export type { Deadline };

export class Deadlines {
  readonly #clock: Clock;
  readonly #lines = new Map<number, Line>();

  readonly #stopped = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Nothing comes due any more; without it a sleeper could keep the process alive for as long as the longest limit. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Calls `onTime` when `ms` have passed, unless it was met before. */
  within(ms: number, onTime: () => void): Deadline {
    const deadline = new Deadline(this.#clock.monotonic() + ms, onTime);
    const line = this.#lines.get(ms) ?? this.#open(ms);
    deadline.line = line;
    deadline.before = line.last;
    if (line.last === undefined) line.first = deadline;
    else line.last.after = deadline;
    line.last = deadline;
    return deadline;
  }

  #open(ms: number): Line {
    const line: Line = { first: undefined, last: undefined };
    this.#lines.set(ms, line);
    void this.#watch(ms, line);
    return line;
  }

  /** Ends when nothing of this length waits any more; looks at the clock no more often than the limits are long. */
  async #watch(ms: number, line: Line): Promise<void> {
    const { signal } = this.#stopped;
    for (let next = Math.max(1, ms); next > 0 && !signal.aborted; ) {
      await this.#clock.sleep(next, signal);
      const now = this.#clock.monotonic();
      for (let due = line.first; due !== undefined && due.at <= now; due = line.first) {
        due.meet();
        // Not in here: what it stumbles over must not end the watch over all the others.
        queueMicrotask(due.onTime);
      }
      next = line.first === undefined ? 0 : Math.max(1, line.first.at - now);
    }
    this.#lines.delete(ms);
  }
}
