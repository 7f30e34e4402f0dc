// From a filter's text to its terms, or to what is wrong with it, where, and what would do instead. Pure.

import { meant } from "../../kit/nearest.ts";
import type { Field, Fields } from "./fields.ts";
import { COMPARISONS, type Comparison, type Filter, type FilterProblem, type Term } from "./filter.ts";
import { cut, type Word, wordsOf } from "./words.ts";

export type Parsed = { readonly filter: Filter } | { readonly problem: FilterProblem };

/** As many whole ids as one term takes, and room for the rest. */
export const FILTER_LENGTH = 5_000;
const VALUES_MOST = 20;
/** Each reads all of an item's input. */
const PATHS_MOST = 4;

export function parseFilter(text: string, fields: Fields): Parsed {
  if (text.length > FILTER_LENGTH)
    return {
      problem: { sentence: `a filter may have ${FILTER_LENGTH} characters`, at: FILTER_LENGTH, word: "", instead: [] },
    };
  const unstorable = text.search(/\0|\p{Surrogate}/u);
  if (unstorable >= 0)
    return { problem: { sentence: "a filter has text that can be stored", at: unstorable, word: "", instead: [] } };
  const words = wordsOf(text);
  if ("sentence" in words) return { problem: words };
  const terms: Term[] = [];
  let free: string | null = null;
  for (const word of words) {
    const read = readWord(word, fields);
    if ("sentence" in read) return { problem: read };
    if ("free" in read) {
      if (free !== null)
        return {
          problem: wrong(word, "a filter has one free word, the beginning of an id or a key, or in a title", [
            `"${free} ${read.free}"`,
          ]),
        };
      free = read.free;
      continue;
    }
    const twice = terms.find((one) => isSame(one, read));
    if (twice !== undefined)
      return {
        problem: wrong(word, `${read.field} stands there twice`, [
          `${read.field}:${[...twice.values, ...read.values].join(",")}`,
        ]),
      };
    terms.push(read);
    if (terms.filter(({ field }) => field.includes(".")).length > PATHS_MOST)
      return { problem: wrong(word, `a filter looks at no more than ${PATHS_MOST} paths of the input`, []) };
  }
  return { filter: { terms, word: free } };
}

/** Bounds on both sides are two different things. */
function isSame(a: Term, b: Term): boolean {
  return a.field === b.field && a.isNot === b.isNot && a.comparison?.charAt(0) === b.comparison?.charAt(0);
}

function wrong({ at, text }: Word, sentence: string, instead: readonly string[]): FilterProblem {
  return { sentence, at, word: text, instead };
}

function readWord(word: Word, fields: Fields): Term | { readonly free: string } | FilterProblem {
  const { characters } = word;
  const isNot = characters[0]?.is === "-" && !characters[0].isQuoted;
  const rest = isNot ? characters.slice(1) : characters;
  const colon = rest.findIndex(({ is, isQuoted }) => is === ":" && !isQuoted);
  if (colon < 0) return readFree(word, isNot);
  const name = rest
    .slice(0, colon)
    .map(({ is }) => is)
    .join("");
  const [head = "", ...path] = name.split(".");
  const known = Object.hasOwn(fields, head) ? fields[head] : undefined;
  const field = path.length === 0 || known?.hasPath === true ? known : undefined;
  if (field === undefined) return unknownField(word, name, fields);
  if (field.hasPath === true && (path.length === 0 || !path.every(isPiece)))
    return wrong(word, `${head} goes on with a path of names and numbers, divided by dots`, [field.example]);
  if (isNot && field.onlyPositive === true) {
    const why = field.compares === true ? "turn the comparison round instead" : "name what is meant instead";
    return wrong(word, `${name} cannot be turned round with "-"; ${why}`, [field.example]);
  }
  return readValues(word, { name, field, isNot, value: rest.slice(colon + 1) });
}

/** Of a path: what needs no quotes. */
function isPiece(text: string): boolean {
  return /^[\p{L}\p{N}_$-]+$/u.test(text);
}

function readFree(word: Word, isNot: boolean): { readonly free: string } | FilterProblem {
  const text = word.characters.map(({ is }) => is).join("");
  if (isNot) return wrong(word, "a free word cannot be turned round", [`"${text}"`]);
  return text === "" ? wrong(word, "an empty word finds nothing", []) : { free: text };
}

function unknownField(word: Word, name: string, fields: Fields): FilterProblem {
  const known = Object.keys(fields);
  const near = meant(name, known);
  const hint =
    near.length > 0 ? `did you mean ${near.join(" or ")}?` : "for text with a colon in it, put quotes around it";
  return wrong(word, `there is no ${JSON.stringify(name)} to filter by; ${hint}`, near.length > 0 ? near : known);
}

interface Given {
  readonly name: string;
  readonly field: Field;
  readonly isNot: boolean;
  readonly value: Word["characters"];
}

function readValues(word: Word, { name, field, isNot, value }: Given): Term | FilterProblem {
  const comparison = comparisonOf(value);
  const values = cut(value.slice(comparison?.length ?? 0), ",");
  if (comparison !== null && field.compares !== true)
    return wrong(word, `${name} has no order, so ${comparison} means nothing there`, [field.example]);
  if (field.compares === true && values.length > 1)
    return wrong(word, `${name} takes one value`, [field.example, `${name}:>${values[0]} ${name}:<${values[1]}`]);
  const most = field.valuesMost ?? VALUES_MOST;
  if (values.length > most) return wrong(word, `${name} takes at most ${most} values`, []);
  const known: string[] = [];
  for (const one of values) {
    if (one === "") return wrong(word, `${name} is given no value`, field.words ?? [field.example]);
    const right = field.words?.find((each) => each.toLowerCase() === one.toLowerCase());
    if (field.words !== undefined && right === undefined) return unknownWord(word, name, one, field.words);
    const expected = field.wrong?.(one);
    if (expected !== undefined)
      return wrong(word, `${name} is ${expected}, got ${JSON.stringify(one.slice(0, 60))}`, [field.example]);
    known.push(right ?? one);
  }
  return { field: name, isNot, comparison, values: known };
}

function unknownWord(word: Word, name: string, given: string, words: readonly string[]): FilterProblem {
  const near = meant(given, words);
  const hint = near.length > 0 ? `; did you mean ${near.join(" or ")}?` : `, but one of ${words.join(", ")}`;
  return wrong(word, `${name} is not ${JSON.stringify(given.slice(0, 60))}${hint}`, near.length > 0 ? near : words);
}

function comparisonOf(value: Word["characters"]): Comparison | null {
  const start = value
    .slice(0, 2)
    .map(({ is, isQuoted }) => (isQuoted ? " " : is))
    .join("");
  return COMPARISONS.find((one) => start.startsWith(one)) ?? null;
}
