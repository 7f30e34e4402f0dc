// Pages of lists: one row more than asked for is read, and only where it is there is there a next page.

import { InputError } from "../../engine/index.ts";

/** `rows` are up to `limit + 1`; the next page goes on after the last that is shown. */
export function pageOf<Row, Entry>(
  rows: readonly Row[],
  limit: number,
  toEntry: (row: Row) => Entry,
  idOf: (row: Row) => string,
): { entries: Entry[]; next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { entries: shown.map(toEntry), next: rows.length > limit && last !== undefined ? idOf(last) : null };
}

/** What a page goes on from where rows are numbered. */
export function afterId(after: string | undefined): string | null {
  if (after === undefined) return null;
  if (!/^\d{1,18}$/.test(after)) throw new InputError("after", "after is the `next` of the page before");
  return after;
}
