// Whether lists say of items what their explanations say, and find them by it. Called where nothing moves meanwhile.

import type { Queryable } from "../../src/engine/db/database.ts";
import type { Explanation } from "../../src/engine/explain/explanation.ts";
import { listItems } from "../../src/engine/read/list-items.ts";
import { formatId, parseId } from "../../src/kit/index.ts";

/** As many as a page has. */
const PAGE = 200;

/** By the items' numbers; each item that a list tells otherwise, with what is wrong. */
export async function listedOtherwise(
  db: Queryable,
  told: ReadonlyMap<string, Explanation>,
): Promise<{ readonly item: string; readonly what: string }[]> {
  const wrong: { readonly item: string; readonly what: string }[] = [];
  const all = [...told];
  for (let from = 0; from < all.length; from += PAGE) {
    const page = new Map(all.slice(from, from + PAGE));
    const listed = await reasonsOf(db, page, undefined);
    const found = new Map<string, string | null>();
    for (const reason of new Set([...page.values()].map((why) => why.reason)))
      for (const [item] of await reasonsOf(db, page, reason)) found.set(item, reason);
    for (const [item, { reason }] of page) {
      if (listed.get(item) !== reason)
        wrong.push({ item, what: `is told "${reason}", and listed as "${listed.get(item)}"` });
      if (found.get(item) !== reason)
        wrong.push({ item, what: `is told "${reason}", and found by "${found.get(item)}"` });
    }
  }
  return wrong;
}

async function reasonsOf(
  db: Queryable,
  page: ReadonlyMap<string, Explanation>,
  reason: string | undefined,
): Promise<Map<string, string | null>> {
  const id = [...page.keys()].map((item) => formatId("item", item));
  const { entries } = await listItems(db, () => undefined, { id, reason }, { limit: PAGE });
  return new Map(entries.map((line) => [parseId("item", line.id, "id"), line.reason]));
}
