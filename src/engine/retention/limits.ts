// How long things are kept that belong to no pipeline, as given and checked. Pure.

import { type Duration, InputError, toMilliseconds } from "../../kit/index.ts";
import type { Limits } from "./policy.sql.ts";

export interface RetentionOptions {
  /** What happened, beyond how it ended: the journal. Default 90 d. */
  readonly history?: Duration;
  /** Who did what. Default 730 d. */
  readonly audit?: Duration;
  /** Signals that nobody took. Default 30 d. */
  readonly signals?: Duration;
}

/**
 * A feed that is read after a weekend, and a retry of yesterday's failure, want a few days of history. The rest is kept from
 * being thrown away by a slip of the pen.
 */
const SHORTEST = {
  history: { ms: 7 * 86_400_000, text: "7 d" },
  audit: { ms: 86_400_000, text: "1 d" },
  signals: { ms: 3_600_000, text: "1 h" },
};

export function retentionLimits(given: RetentionOptions = {}): Partial<Limits> {
  const limits: { -readonly [Name in keyof Limits]?: number } = {};
  for (const name of ["history", "audit", "signals"] as const) {
    const value = given[name];
    if (value === undefined) continue;
    const field = `retention.${name}`;
    limits[name] = toMilliseconds(value, field);
    const { ms, text } = SHORTEST[name];
    if (limits[name] < ms) throw new InputError(field, `${field} must be at least ${text}`);
  }
  return limits;
}
