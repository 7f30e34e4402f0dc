// When a message that did not arrive is tried again, and when it is given up. Pure.

import type { FaultKind } from "../../engine/index.ts";

const DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000];
const LONGEST_MS = 3_600_000;
/** Older news is none. */
export const GIVE_UP_MS = 86_400_000;
/** A refusal is tried a few times all the same: a proxy in front of a server that just starts says 404 as well. */
const REFUSALS_MOST = 5;

export interface Failed {
  /** Tries so far, this one included. */
  readonly tries: number;
  readonly ageMs: number;
  readonly kind: FaultKind | null;
  readonly status: number | null;
  readonly code: string | null;
  /** As the other side asked for. */
  readonly retryAfterMs: number | null;
}

/** Milliseconds from now; null: given up. */
export function nextTry({ tries, ageMs, kind, status, code, retryAfterMs }: Failed): number | null {
  if (status === 410) return null;
  // It may well have taken the message, and talks too much about it.
  const isRefusal = kind === "permanent" || code === "TOO_LARGE";
  if (isRefusal && tries >= REFUSALS_MOST) return null;
  const delay = Math.max(retryAfterMs ?? 0, DELAYS_MS[tries - 1] ?? LONGEST_MS);
  return ageMs + delay > GIVE_UP_MS ? null : delay;
}
