// The filter language is read here as the server reads it, by the same code: what is wrong is said while it is typed.

import { ITEM_FIELDS } from "../../../../src/server/filter/fields.ts";
import type { FilterProblem } from "../../../../src/server/filter/filter.ts";
import { parseFilter } from "../../../../src/server/filter/parse.ts";

export function problemOf(text: string): FilterProblem | undefined {
  const parsed = parseFilter(text, ITEM_FIELDS);
  return "problem" in parsed ? parsed.problem : undefined;
}

export const isGoodFilter = (text: string) => problemOf(text) === undefined;
