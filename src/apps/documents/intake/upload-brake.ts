// How many uploads one account may begin in a minute: exactly so many in any sixty seconds. In this process's memory, so with several
// servers it is as many times more.

const MINUTE_MS = 60_000;
const REMEMBERED_MOST = 10_000;

export class UploadBrake {
  readonly #most: number;
  readonly #now: () => number;
  readonly #begun = new Map<string, number[]>();

  /** `now` is monotonic, in milliseconds; with 0 there is no limit. */
  constructor(perMinute: number, now: () => number) {
    this.#most = perMinute;
    this.#now = now;
  }

  /** Takes one; or says how long to wait, and takes none. */
  take(account: string): number {
    if (this.#most === 0) return 0;
    const now = this.#now();
    const recent = (this.#begun.get(account) ?? []).filter((at) => now - at < MINUTE_MS);
    const [oldest = now] = recent;
    if (recent.length >= this.#most) return oldest + MINUTE_MS - now;
    // Taken out first, so that the map stays in the order of use.
    this.#begun.delete(account);
    this.#begun.set(account, [...recent, now]);
    for (const [first] of this.#begun) {
      if (this.#begun.size <= REMEMBERED_MOST) break;
      this.#begun.delete(first);
    }
    return 0;
  }
}
