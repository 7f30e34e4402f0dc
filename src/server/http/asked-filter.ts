// A filter that came with a request: read, or refused with the place of what is wrong.

import type { Fields } from "../filter/fields.ts";
import type { Filter, FilterProblem } from "../filter/filter.ts";
import { parseFilter } from "../filter/parse.ts";
import { TellingError } from "./problem.ts";

export function readFilter(text: string, fields: Fields): Filter {
  const read = parseFilter(text, fields);
  if ("problem" in read) throw refused(read.problem);
  return read.filter;
}

/** What it means, where it can be had. */
export function unlessWrong<Meant extends object>(meant: Meant | FilterProblem): Meant {
  if ("sentence" in meant) throw refused(meant as FilterProblem); // nothing that is meant has a sentence
  return meant as Meant;
}

function refused({ sentence, at, word, instead }: FilterProblem): TellingError {
  return new TellingError("INVALID_INPUT", `filter: ${sentence}`, { at, word, instead }, "filter");
}
