// `sluice ls [filter…]`: items, newest first.

import type { ItemLine, Page } from "../../server/contract/wire.ts";
import { ITEM_FIELDS } from "../../server/filter/fields.ts";
import { parseFilter } from "../../server/filter/parse.ts";
import { CommandError, EXIT, UsageError } from "../exit.ts";
import { itemColumns } from "../render/items.ts";
import { type ClientCall, type Ended, textOption } from "./call.ts";

/** The most that the API gives at once. */
const PAGE = 200;
const USUAL = 50;
const MOST = 10_000;

export async function ls({ client, out, args, options }: ClientCall): Ended {
  const asked = args.join(" ");
  const filter = withKind(asked);
  const most = Number(textOption(options, "limit") ?? USUAL);
  if (!Number.isInteger(most) || most < 1 || most > MOST)
    throw new UsageError(`--limit is a whole number from 1 to ${MOST}`, "sluice ls --limit 200");
  const entries: ItemLine[] = [];
  let next = textOption(options, "after") ?? null;
  // A page may be short, or empty, and still have a next one.
  for (let pages = 0; pages === 0 || (next !== null && entries.length < most); pages += 1) {
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
      asked === "" ? "nothing here yet; hand something in: sluice submit <pipeline>" : `nothing matches ${asked}`,
    );
  if (next !== null && !out.isJson)
    out.note(`there is more: ${["sluice ls", ...args.map(typed), "--after", next].join(" ")}`);
  return undefined;
}

const NAMES_PARTS: readonly string[] = ["kind", "part", "id"];

/** Whole items, unless it says of what kind, or names them. */
export function withKind(asked: string): string {
  const read = parseFilter(asked, ITEM_FIELDS);
  // What is wrong with it is the server's to say, with the place as it was typed.
  if ("problem" in read) return asked;
  const { terms, word } = read.filter;
  const hasSaid = terms.some(({ field }) => NAMES_PARTS.includes(field)) || /^itm_/i.test(word ?? "");
  return hasSaid ? asked : `${asked} kind:item`.trim();
}

/** As a shell takes it for one word, and for nothing else. */
const typed = (word: string) => (/^[\w:,.@/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
