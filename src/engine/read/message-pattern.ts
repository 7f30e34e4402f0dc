// What messages have in common once the parts are gone that differ from item to item. Pure.

/** What stands for what was left out: numbers, and everything else. */
const NUMBER = "#";
const SOMETHING = "…";

/** In this order: what is found first takes what later ones would cut up. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  // Quoted: names, paths, titles. An apostrophe within a word is no quote.
  [/"[^"\n]*"|`[^`\n]*`|“[^”\n]*”|«[^»\n]*»|(?<![\p{L}\d])'[^'\n]*'(?![\p{L}\d])/gu, SOMETHING],
  // Addresses, and paths of a file system.
  [/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>)]+/giu, SOMETHING],
  [/(?<![\p{L}\d])(?:[A-Za-z]:\\|~?\/)[^\s:;,"'()]+(?:[/\\][^\s:;,"'()]+)*/gu, SOMETHING],
  // Our ids, those of others, and what a computer made up.
  [/\b(?:itm|req|opr|qst|wrk)_[\da-z]+\b/giu, SOMETHING],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/giu, SOMETHING],
  [/\b(?=[\da-f]*\d)[\da-f]{12,}\b/giu, SOMETHING],
  [/(?<![\p{L}\d_])[-+]?\d+(?:[.,:]\d+)*/gu, NUMBER],
];

export function messagePattern(message: string): string {
  const plain = REPLACED.reduce((text, [pattern, put]) => text.replaceAll(pattern, put), message);
  return plain.replaceAll(/\s+/gu, " ").trim();
}
