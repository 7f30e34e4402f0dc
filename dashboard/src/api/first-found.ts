// A page of a list looks at so many entries and no more; of a rare thing the newest thousands may hold none. Then it is looked for
// further back, up to a limit, before somebody is asked to press for it.

import type { Page } from "../../../src/server/contract/wire.ts";

const PAGES_MOST = 10;

/** The first page in which something was found, or the last that was looked at. */
export async function firstFound<Entry>(
  pageAfter: (after: string | undefined) => Promise<Page<Entry>>,
  after: string | undefined,
): Promise<Page<Entry>> {
  let page = await pageAfter(after);
  for (let pages = 1; pages < PAGES_MOST && page.entries.length === 0 && page.next !== null; pages += 1)
    page = await pageAfter(page.next);
  return page;
}
