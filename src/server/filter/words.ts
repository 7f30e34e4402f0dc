// A filter's text, cut into words at blanks that do not stand in quotes. Pure.

import type { FilterProblem } from "./filter.ts";

/** A word with its place; each of its characters is marked where it stood in quotes, and means nothing but itself. */
export interface Word {
  readonly at: number;
  readonly text: string;
  readonly characters: readonly { readonly is: string; readonly isQuoted: boolean }[];
  readonly hasQuotes: boolean;
}

export function wordsOf(text: string): readonly Word[] | FilterProblem {
  const words: Word[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const word = readWord(text, at);
    if ("sentence" in word) return word;
    words.push(word);
    at += word.text.length;
  }
  return words;
}

function readWord(text: string, from: number): Word | FilterProblem {
  const characters: { is: string; isQuoted: boolean }[] = [];
  let at = from;
  let openedAt: number | undefined;
  let hasQuotes = false;
  for (; at < text.length && (openedAt !== undefined || !/\s/.test(text.charAt(at))); at += 1) {
    const is = text.charAt(at);
    if (is === '"') {
      openedAt = openedAt === undefined ? at : undefined;
      hasQuotes = true;
    } else if (is === "\\" && openedAt !== undefined && /["\\]/.test(text.charAt(at + 1))) {
      at += 1;
      characters.push({ is: text.charAt(at), isQuoted: true });
    } else characters.push({ is, isQuoted: openedAt !== undefined });
  }
  if (openedAt === undefined) return { at: from, text: text.slice(from, at), characters, hasQuotes };
  const word = text.slice(openedAt);
  return { sentence: "a quote is opened and not closed", at: openedAt, word, instead: [`${word}"`] };
}

/** Cut at a mark that does not stand in quotes; all of it where there is none. */
export function cut(characters: Word["characters"], mark: string, most = Number.POSITIVE_INFINITY): string[] {
  const pieces: string[] = [""];
  for (const { is, isQuoted } of characters) {
    if (is === mark && !isQuoted && pieces.length < most) pieces.push("");
    else pieces[pieces.length - 1] += is;
  }
  return pieces;
}
