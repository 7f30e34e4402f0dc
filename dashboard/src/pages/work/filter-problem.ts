// The filter language is read here as the server reads it, by the same code: what is wrong is said while it is typed.

import { ITEM_FIELDS } from "../../../../src/server/filter/fields.ts";
import type { FilterProblem } from "../../../../src/server/filter/filter.ts";
import { parseFilter } from "../../../../src/server/filter/parse.ts";

export function problemOf(text: string): FilterProblem | undefined {
  const parsed = parseFilter(text, ITEM_FIELDS);
  return "problem" in parsed ? parsed.problem : undefined;
}

export const isGoodFilter = (text: string) => problemOf(text) === undefined;

/** The wrong word, as each of what would do instead makes it: another field, another value, or all of it. */
export function mendings({ word, instead }: FilterProblem): string[] {
  const [, not = "", name, value] = /^(-?)([^:]*):(.*)$/s.exec(word) ?? [];
  return instead.map((one) => {
    if (one.includes(":") || name === undefined) return one;
    return Object.hasOwn(ITEM_FIELDS, name) ? `${not}${name}:${one}` : `${not}${one}:${value}`;
  });
}

export function mended(text: string, { at, word }: FilterProblem, mending: string): string {
  return text.slice(0, at) + mending + text.slice(at + word.length);
}
