// Pages of lists that may be long.

import { InputError } from "../../kit/index.ts";

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /**
   * Where the next page goes on, given back as `after`; null at the end. A page may have fewer entries than asked for, or none,
   * and still have a next one: it looks at a bounded number of rows.
   */
  readonly next: string | null;
}

export interface PageOptions {
  readonly after?: string | undefined;
  /** 1 to 200. Default 50. */
  readonly limit?: number | undefined;
}

const LIMIT_MOST = 200;
const LIMIT_USUAL = 50;

export function checkLimit(limit: number = LIMIT_USUAL): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MOST)
    throw new InputError("limit", `limit is a whole number from 1 to ${LIMIT_MOST}, got ${limit}`);
  return limit;
}
