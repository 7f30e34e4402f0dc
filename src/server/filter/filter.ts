// A filter as people write it: `state:failed pipeline:media attempt:>2 -owner:ann tmdb`. All terms have to hold. Pure.
//
//   field:value        or several, field:a,b: any of them
//   field:"a value"    with quotes for blanks, commas and quotes; \" and \\ within
//   field:>value       > >= < <= where a field has an order
//   -field:value       none of these
//   data.a.b:value     what stands in the input, by its path
//   word               the beginning of an id or a key, or in a title

export const COMPARISONS = [">=", "<=", ">", "<"] as const;
export type Comparison = (typeof COMPARISONS)[number];

export interface Term {
  readonly field: string;
  readonly isNot: boolean;
  readonly comparison: Comparison | null;
  /** One where it compares. */
  readonly values: readonly string[];
}

export interface Filter {
  readonly terms: readonly Term[];
  readonly word: string | null;
}

/** What is wrong with a text, and where. */
export interface FilterProblem {
  /** For people, in lower case. */
  readonly sentence: string;
  /** The place of the word, from 0. */
  readonly at: number;
  readonly word: string;
  /** What would do instead: what was probably meant alone, else all there is. */
  readonly instead: readonly string[];
}

/** As text that is read as the same filter again. */
export function formatFilter({ terms, word }: Filter): string {
  const texts = terms.map(({ field, isNot, comparison, values }) => {
    const value = values.map((one) => quoted(one, /[\s,"]|^[<>=]|^$/)).join(",");
    return `${isNot ? "-" : ""}${field}:${comparison ?? ""}${value}`;
  });
  return [...texts, ...(word === null ? [] : [quoted(word, /[\s,":]|^-|^$/)])].join(" ");
}

/** Each holds: a field, what it is, and how it compares where it does. */
export function termsText(
  terms: readonly (readonly [field: string, value: string, comparison?: Comparison])[],
): string {
  const all = terms.map(([field, value, comparison = null]) => ({ field, isNot: false, comparison, values: [value] }));
  return formatFilter({ terms: all, word: null });
}

function quoted(value: string, needed: RegExp): string {
  return needed.test(value) ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : value;
}
