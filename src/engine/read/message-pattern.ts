// What messages have in common once the parts are gone that differ from item to item. Pure.

/** What stands for what was left out: numbers, and everything else. */
const NUMBER = "#";
const SOMETHING = "…";

/** Of a message so much is looked at, and of what is left so much is told: enough to tell one from another. */
const LOOKED_AT = 500;
const TOLD = 200;

/**
 * In this order: what is found first takes what later ones would cut up. None goes over the same characters from each of many
 * beginnings: messages are anybody's, and thousands are looked at for one answer.
 */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  // Quoted: names, paths, titles. An apostrophe within a word is no quote.
  [/"[^"\n]*"|`[^`\n]*`|“[^“”\n]*”|«[^«»\n]*»|(?<![\p{L}\d])'[^'\n]*'(?![\p{L}\d])/gu, SOMETHING],
  // Addresses, and paths of a file system.
  [/\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s"'<>)]+/giu, SOMETHING],
  [/(?<![\p{L}\d])(?:[A-Za-z]:\\|~?\/)[^\s:;,"'()]+/gu, SOMETHING],
  // Our ids, those of others, and what a computer made up.
  [/\b(?:itm|req|opr|qst|wrk)_[\da-z]+\b/giu, SOMETHING],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/giu, SOMETHING],
  [/\b(?=[\da-f]*\d)[\da-f]{12,}\b/giu, SOMETHING],
  [/(?<![\p{L}\d_])[-+]?\d+(?:[.,:]\d+)*/gu, NUMBER],
];

export function messagePattern(message: string): string {
  const looked = message.slice(0, LOOKED_AT);
  const plain = REPLACED.reduce((text, [pattern, put]) => text.replaceAll(pattern, put), looked);
  const told = plain
    .trim()
    .replaceAll(/ *(?:[^\S ]\s*| {2,})/gu, ` ${SOMETHING} `)
    .slice(0, TOLD);
  // Half a character could not be looked for.
  return told.replace(/\p{Surrogate}$/u, "").trimEnd();
}
