// Hashing a password takes 32 MB and a thread, and anybody may ask for it. So only a few are computed at once, some wait in line,
// and whoever comes then is asked to come again.

import { Gate } from "../../kit/index.ts";
import { TryLater } from "./try-later.ts";

export class HashLine {
  readonly #gate: Gate;
  readonly #waitingMost: number;

  constructor(atOnce: number, waitingMost: number) {
    this.#gate = new Gate(atOnce);
    this.#waitingMost = waitingMost;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#gate.waiting >= this.#waitingMost)
      throw new TryLater("UNAVAILABLE", "too many passwords are being checked at once", 2_000);
    return await this.#gate.pass(work);
  }
}
