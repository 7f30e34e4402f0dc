// How many uploads one account may begin in a minute, exactly so many in any sixty seconds, and how many it may have under way. In this
// process's memory, so with several servers it is as many times more.

import type { DocumentLimits } from "../limits.ts";

const MINUTE_MS = 60_000;
const REMEMBERED_MOST = 10_000;

export class UploadBrake {
  readonly #most: number;
  readonly #atOnce: number;
  readonly #now: () => number;
  readonly #begun = new Map<string, number[]>();
  readonly #underway = new Map<string, number>();

  /** `now` is monotonic, in milliseconds; with 0 there is no limit. */
  constructor(limits: Pick<DocumentLimits, "uploadsPerMinute" | "uploadsAtOnce">, now: () => number) {
    this.#most = limits.uploadsPerMinute;
    this.#atOnce = limits.uploadsAtOnce;
    this.#now = now;
  }

  /** Answers with what to call when it is over; undefined where too many are under way. */
  enter(account: string): (() => void) | undefined {
    const underway = this.#underway.get(account) ?? 0;
    if (this.#atOnce > 0 && underway >= this.#atOnce) return undefined;
    this.#underway.set(account, underway + 1);
    return () => {
      const left = (this.#underway.get(account) ?? 1) - 1;
      if (left > 0) this.#underway.set(account, left);
      else this.#underway.delete(account);
    };
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
