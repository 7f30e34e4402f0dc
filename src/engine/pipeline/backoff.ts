// How long to wait before trying again. Pure: chance is passed in.

import { type Duration, InputError, toMilliseconds } from "../../kit/index.ts";

export interface Backoff {
  /** Delay before the second try; doubles with every further one. */
  readonly base: Duration;
  readonly cap: Duration;
  /** Added at random, so that what failed together does not return together: up to this long, or this share. */
  readonly jitter?: Duration | `${number}%`;
}

export interface BackoffRule {
  readonly baseMs: number;
  readonly capMs: number;
  readonly jitterMs: number;
  readonly jitterShare: number;
}

export const DEFAULT_BACKOFF: Backoff = { base: "1m", cap: "30m", jitter: "10%" };

export function backoffRule(backoff: Backoff, field: string): BackoffRule {
  const { jitter = 0 } = backoff;
  const isShare = typeof jitter === "string" && jitter.endsWith("%");
  // parseFloat, for Number("") is 0 and a bare "%" would pass.
  const share = isShare ? Number.parseFloat(jitter) / 100 : 0;
  if (!(share >= 0 && share <= 1))
    throw new InputError(`${field}.jitter`, `${field}.jitter must be between 0% and 100%`);
  const baseMs = toMilliseconds(backoff.base, `${field}.base`);
  const capMs = toMilliseconds(backoff.cap, `${field}.cap`);
  if (capMs < baseMs) throw new InputError(`${field}.cap`, `${field}.cap must not be shorter than its base`);
  return {
    baseMs,
    capMs,
    jitterMs: isShare ? 0 : toMilliseconds(jitter, `${field}.jitter`),
    jitterShare: share,
  };
}

/** Delay before try `failed + 1`, after `failed` counted faults. `fraction` is chance, in [0, 1). */
export function backoffDelayMs(rule: BackoffRule, failed: number, fraction: number): number {
  // 2^52 is beyond every cap, and larger exponents would overflow to Infinity.
  const doubled = Math.min(rule.capMs, rule.baseMs * 2 ** Math.min(52, Math.max(0, failed - 1)));
  return Math.round(doubled + fraction * (rule.jitterMs + doubled * rule.jitterShare));
}

/** Sooner than this nobody is visited again at his own wish: with 0, one stage would keep a worker and the database busy. */
export const SOONEST_MS = 50;

export function notAtOnce(ms: number): number {
  return Math.max(SOONEST_MS, ms);
}

const UNAVAILABLE: BackoffRule = { baseMs: 5 * 60_000, capMs: 30 * 60_000, jitterMs: 0, jitterShare: 0.1 };

/** How long to leave an unavailable service alone that did not say when it will be back. */
export function unavailableDelayMs(waited: number, fraction: number): number {
  return backoffDelayMs(UNAVAILABLE, waited, fraction);
}
