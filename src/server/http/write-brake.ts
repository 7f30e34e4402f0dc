// How many changes one account may ask for: a bucket that refills all the time. It is there for a script that went wild, so it is
// generous; and in this process's memory, so with several servers it is as many times larger.

import { TryLater } from "../access/try-later.ts";

export interface Bucket {
  readonly left: number;
  readonly at: number;
}

export interface BucketSize {
  readonly most: number;
  readonly perSecond: number;
}

const SIZE: BucketSize = { most: 1_000, perSecond: 50 };
/** Accounts are few; a bucket that is left alone for long is full, and need not be remembered. */
const REMEMBERED_MOST = 10_000;

/** What is in it now. Pure. */
export function filled(bucket: Bucket | undefined, now: number, { most, perSecond }: BucketSize): number {
  if (bucket === undefined) return most;
  return Math.min(most, bucket.left + (Math.max(0, now - bucket.at) / 1_000) * perSecond);
}

export class WriteBrake {
  readonly #now: () => number;
  readonly #size: BucketSize;
  readonly #buckets = new Map<string, Bucket>();

  constructor(now: () => number, size: BucketSize = SIZE) {
    this.#now = now;
    this.#size = size;
  }

  /** Throws when this one has to wait. */
  take(user: string): void {
    const now = this.#now();
    const left = filled(this.#buckets.get(user), now, this.#size);
    if (left < 1) {
      const waitMs = ((1 - left) / this.#size.perSecond) * 1_000;
      throw new TryLater("RATE_LIMITED", `${user} asks for more changes than this server takes at once`, waitMs);
    }
    // Taken out first, so that the map stays in the order of use.
    this.#buckets.delete(user);
    this.#buckets.set(user, { left: left - 1, at: now });
    for (const [oldest] of this.#buckets) {
      if (this.#buckets.size <= REMEMBERED_MOST) break;
      this.#buckets.delete(oldest);
    }
  }
}
