// The numbers of documents, all of which can be set.

import type { Backoff, BreakerOptions, Duration } from "../../engine/index.ts";

export interface DocumentLimits {
  readonly attempts: number;
  readonly backoff: Backoff;
  /** Of the gateway. */
  readonly breaker: BreakerOptions;
  /** Conversions at a time, over all workers. */
  readonly atATime: number;
  /** Conversions begun in such a window, over all workers: "10/s"; null is without a limit. */
  readonly rate: string | null;
  /** How long one conversion may take. */
  readonly timeoutMs: number;
  /** Of one file. */
  readonly fileBytes: number;
  /** Of one upload. */
  readonly files: number;
  /** Of one account; 0 is without a limit. */
  readonly uploadsPerMinute: number;
  /** Of one account, under way at a time; 0 is without a limit. */
  readonly uploadsAtOnce: number;
  /** Of one account that are not converted yet; 0 is without a limit. */
  readonly openMost: number;
  /** So much room is left by what is uploaded. */
  readonly freeBytes: number;
  /** From the upload, or the end of what was done with it, whichever is later. */
  readonly keepSourcesMs: number;
  /** From when it was complete. */
  readonly keepResultsMs: number;
  /** What is made of a document where nobody says. */
  readonly mapping: string;
  /** How often a gateway that takes jobs is looked at. */
  readonly every: Duration;
}

const MB = 1_024 * 1_024;
const DAY_MS = 86_400_000;

export const DOCUMENT_LIMITS: DocumentLimits = {
  attempts: 3,
  backoff: backoffOf(5_000, 5_000, 3),
  breaker: { rate: 0.5, calls: 20, window: "2m", cooldown: "30s" },
  atATime: 4,
  rate: null,
  timeoutMs: 180_000,
  fileBytes: 50 * MB,
  files: 20,
  uploadsPerMinute: 10,
  uploadsAtOnce: 4,
  openMost: 10_000,
  freeBytes: 512 * MB,
  keepSourcesMs: 7 * DAY_MS,
  keepResultsMs: 30 * DAY_MS,
  mapping: "layout",
  every: "5s",
};

/** base·2ᵃ before try a + 2, a from 0, and up to `jitterMs` more. Never cut short: the attempts bound it. Pure. */
export function backoffOf(baseMs: number, jitterMs: number, attempts: number): Backoff {
  return { base: baseMs, cap: baseMs * 2 ** Math.min(20, attempts), jitter: jitterMs };
}
