// `sluice ls [filter…]`: items, newest first.

import type { ItemLine, Page } from "../../server/contract/wire.ts";
import { CommandError, EXIT, UsageError } from "../exit.ts";
import { itemColumns } from "../render/items.ts";
import { type ClientCall, type Ended, textOption } from "./call.ts";

/** The most that the API gives at once. */
const PAGE = 200;
const USUAL = 50;
const MOST = 10_000;

export async function ls({ client, out, args, options }: ClientCall): Ended {
  const filter = args.join(" ") || undefined;
  const most = Number(textOption(options, "limit") ?? USUAL);
  if (!Number.isInteger(most) || most < 1 || most > MOST)
    throw new UsageError(`--limit is a whole number from 1 to ${MOST}`, "sluice ls --limit 200");
  const entries: ItemLine[] = [];
  let next = textOption(options, "after") ?? null;
  // A page may be short, or empty, and still have a next one.
  for (let asked = 0; asked === 0 || (next !== null && entries.length < most); asked += 1) {
    const limit = Math.min(PAGE, most - entries.length);
    const page: Page<ItemLine> = await client.ask("/api/v1/items", {
      query: { filter, limit, after: next ?? undefined },
    });
    entries.push(...page.entries);
    if (page.next !== null && page.next === next)
      throw new CommandError(EXIT.failed, "the next page is the same one again", "that is no Sluice, or a bug of ours");
    next = page.next;
  }
  if (out.isJson) out.json({ entries, next });
  else
    out.rows(
      itemColumns(new Date(), out.width),
      entries,
      filter === undefined
        ? "nothing here yet; hand something in: sluice submit <pipeline>"
        : `nothing matches ${filter}`,
    );
  if (next !== null && !out.isJson)
    out.note(`there is more: ${["sluice ls", ...args.map(typed), "--after", next].join(" ")}`);
  return undefined;
}

/** As a shell takes it for one word, and for nothing else. */
const typed = (word: string) => (/^[\w:,.@/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
