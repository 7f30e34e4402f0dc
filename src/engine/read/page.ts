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

/** So many rows are looked at for a page; of those that do not match nothing is read but their rows. */
export const LOOKED_MOST = 2_000;

/** Before this comes everything: where a first page begins. */
export const NEWEST = String(2n ** 63n - 1n);

/** What a list's statement tells about its look, beside each row; alone where nothing matched. */
export interface Looked {
  readonly looked: number;
  readonly low: string | null;
}

export interface Found<Row> {
  readonly rows: readonly Row[];
  /** The last one that was looked at, where there may be more behind it. */
  readonly stoppedAt: string | null;
}

export function toFound<Row extends { readonly id: string }>(
  found: readonly (Looked & (Row | { readonly id: null }))[],
  limit: number,
): Found<Row> {
  const rows = found.filter((row): row is Looked & Row => row.id !== null);
  const [first] = found;
  const last = rows.at(-1);
  if (rows.length === limit && last !== undefined) return { rows, stoppedAt: last.id };
  return { rows, stoppedAt: first !== undefined && first.looked >= LOOKED_MOST ? first.low : null };
}

const LIMIT_MOST = 200;
const LIMIT_USUAL = 50;

export function checkLimit(limit: number = LIMIT_USUAL): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MOST)
    throw new InputError("limit", `limit is a whole number from 1 to ${LIMIT_MOST}, got ${limit}`);
  return limit;
}
