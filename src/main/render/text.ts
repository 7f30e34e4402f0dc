// Text as a terminal shows it: how wide it is, cut to fit, and without anything that moves the cursor. Pure.

import { printable } from "../../kit/index.ts";

const segments = new Intl.Segmenter();
/** Takes two columns: East Asian letters and most pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is what colours begin with
const COLOUR = /\u001b\[[0-9;]*m/g;

/** What others named: a file's name must not be able to clear the screen, nor turn the direction of writing. */
export function clean(text: unknown): string {
  return printable(String(text ?? ""));
}

/** In columns, colours not counted. */
export function textWidth(text: string): number {
  const plain = text.replaceAll(COLOUR, "");
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of segments.segment(plain)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Cut with an ellipsis where it is longer. Only for text without colours. */
export function cutTo(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width <= 1) return "…".slice(0, Math.max(0, width));
  let short = "";
  let used = 0;
  for (const { segment } of segments.segment(text)) {
    const next = textWidth(segment);
    if (used + next > width - 1) break;
    short += segment;
    used += next;
  }
  return `${short}…`;
}

export function pad(text: string, width: number, isRight = false): string {
  const space = " ".repeat(Math.max(0, width - textWidth(text)));
  return isRight ? space + text : text + space;
}

/** Broken between words so that no line is wider, each further one indented; as it begins, it stays. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? "";
  let isFirst = true;
  for (const word of text.trimStart().split(" ")) {
    const longer = isFirst ? `${line}${word}` : `${line} ${word}`;
    const isOver = !isFirst && textWidth(longer) > width;
    if (isOver) lines.push(line);
    line = isOver ? `${indent}${word}` : longer;
    isFirst = false;
  }
  return [...lines, line].join("\n");
}
