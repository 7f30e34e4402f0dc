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

/** A feed that is read after a weekend, and a retry of yesterday's failure, want a few days of it. */
const HISTORY_SHORTEST_MS = 7 * 86_400_000;

export function retentionLimits(given: RetentionOptions = {}): Partial<Limits> {
  const limits: { -readonly [Name in keyof Limits]?: number } = {};
  for (const name of ["history", "audit", "signals"] as const) {
    const value = given[name];
    if (value !== undefined) limits[name] = toMilliseconds(value, `retention.${name}`);
  }
  if (limits.history !== undefined && limits.history < HISTORY_SHORTEST_MS)
    throw new InputError("retention.history", "retention.history must be at least 7 d");
  return limits;
}
