// Pages of lists: one row more than asked for is read, and only where it is there is there a next page.

import { InputError } from "../../engine/index.ts";
import type { ListPage } from "../list-page.ts";

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

/** A page of what is read as a whole: things that have names, and that code keeps few. */
export function pageByName<One extends { readonly name: string }, Entry>(
  all: readonly One[],
  { after, limit }: ListPage,
  toEntry: (one: One) => Entry,
): { entries: Entry[]; next: string | null } {
  // By bytes, like every other order of ours that has to stay the same from one page to the next.
  const inOrder = all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const rest = inOrder.filter(({ name }) => after === undefined || name > after);
  return pageOf(rest, limit, toEntry, ({ name }) => name);
}

/** What a page goes on from where rows are numbered. */
export function afterId(after: string | undefined): string | null {
  if (after === undefined) return null;
  if (!/^\d{1,18}$/.test(after)) throw new InputError("after", "after is the `next` of the page before");
  return after;
}
