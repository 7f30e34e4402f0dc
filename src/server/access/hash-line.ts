// Hashing a password takes 32 MB and a thread, and anybody may ask for it. So only a few are computed at once, some wait in line,
// and whoever comes then is asked to come again.

import { TryLater } from "./try-later.ts";

export class HashLine {
  readonly #atOnce: number;
  readonly #waitingMost: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number, waitingMost: number) {
    this.#atOnce = atOnce;
    this.#waitingMost = waitingMost;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // A place is handed on rather than given back, so nobody who comes in between takes it.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#waitingMost)
      throw new TryLater("UNAVAILABLE", "too many passwords are being checked at once", 2_000);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
