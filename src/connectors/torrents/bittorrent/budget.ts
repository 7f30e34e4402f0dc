// So many bytes a second, and no more. Time is given by whoever asks.

export class Budget {
  readonly #perSecond: number;
  #left: number;
  #at: number | undefined;

  /** 0: without a limit. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond;
  }

  /** Up to a second may be saved; a block that is larger than that is lent, and paid back before the next. */
  take(bytes: number, nowMs: number): boolean {
    if (this.#perSecond === 0) return true;
    this.#left = Math.min(this.#perSecond, this.#left + ((nowMs - (this.#at ?? nowMs)) / 1_000) * this.#perSecond);
    this.#at = nowMs;
    if (this.#left <= 0) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}
