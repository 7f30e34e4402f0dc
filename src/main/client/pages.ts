// Whole lists, read page by page: every list of the contract is told alike, also one that has a single page.

import type { List, Page } from "../../server/contract/wire.ts";
import type { Asked, Client } from "./client.ts";

const PAGE = 200;
/** A list that never ends would be another program's. */
const PAGES_MOST = 1_000;

/** All of it, as if it were one page. */
export async function askAll<Entry>(
  client: Pick<Client, "ask">,
  path: string,
  query: Asked["query"] = {},
): Promise<List<Entry>> {
  const entries: Entry[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < PAGES_MOST; pages += 1) {
    const page = await client.ask<Page<Entry>>(path, { query: { ...query, limit: PAGE, after } });
    entries.push(...page.entries);
    if (page.next === null) break;
    after = page.next;
  }
  return { entries, next: null };
}
