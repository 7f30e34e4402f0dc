// How many lines a second the log takes of those whom nobody knows. What is beyond is counted, and the next line tells how many.

const PER_SECOND = 20;

export class LineBudget {
  readonly #now: () => number;
  #since = Number.NEGATIVE_INFINITY;
  #written = 0;
  #unwritten = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many were left out before this one; undefined where this one is left out as well. */
  take(): number | undefined {
    const now = this.#now();
    if (now - this.#since >= 1_000) {
      this.#since = now;
      this.#written = 0;
    }
    if (this.#written >= PER_SECOND) {
      this.#unwritten += 1;
      return undefined;
    }
    this.#written += 1;
    const before = this.#unwritten;
    this.#unwritten = 0;
    return before;
  }
}
