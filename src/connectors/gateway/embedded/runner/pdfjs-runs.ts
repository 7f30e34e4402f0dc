// The pieces of text that PDF.js finds → runs as a reader sees them: what stands side by side in one font is one. Pure.

import type { TextRun } from "../format.ts";

export interface Item {
  readonly str: string;
  readonly width: number;
  readonly height: number;
  /** As in PDF: the last two are where it begins, from the lower left corner. */
  readonly transform: readonly number[];
  readonly fontName: string;
  readonly hasEOL: boolean;
}

export const isItem = (item: object): item is Item => "str" in item && "fontName" in item;

interface Piece extends TextRun {
  readonly fontName: string;
  readonly baseline: number;
}

/** Of the height, where a font does not say how far it rises above its line. */
const USUAL_ASCENT = 0.75;
/** In heights: a gap that is a space, and one that is another column. */
const SPACE = 0.15;
const COLUMN = 1;

export function runsOf(
  items: readonly Item[],
  viewport: readonly number[],
  family: (fontName: string) => string,
  ascent: (fontName: string) => number | null | undefined,
): readonly TextRun[] {
  const runs: Piece[] = [];
  for (const item of items) {
    if (item.str === "") continue;
    const piece = pieceOf(item, viewport, family(item.fontName), ascent(item.fontName));
    const last = runs.at(-1);
    const joined = last === undefined ? undefined : join(last, piece);
    if (joined === undefined) runs.push(piece);
    else runs[runs.length - 1] = joined;
  }
  return runs;
}

function pieceOf(item: Item, viewport: readonly number[], family: string, rise: number | null | undefined): Piece {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = viewport;
  const [, , , , x = 0, y = 0] = item.transform;
  const [t0 = 0, t1 = 0] = item.transform;
  const size = item.height > 0 ? item.height : Math.hypot(t0, t1);
  const baseline = b * x + d * y + f;
  const over = typeof rise === "number" && rise > 0 && rise < 2 ? rise : USUAL_ASCENT;
  return {
    ...{ left: a * x + c * y + e, top: baseline - over * size, width: item.width, height: size },
    ...{ font: { family, size }, text: item.str, fontName: item.fontName, baseline },
  };
}

function join(last: Piece, next: Piece): Piece | undefined {
  const size = last.font.size;
  const gap = next.left - (last.left + last.width);
  const isSameLine = Math.abs(next.baseline - last.baseline) < size * 0.1;
  if (!isSameLine || next.fontName !== last.fontName || Math.round(next.font.size) !== Math.round(size))
    return undefined;
  if (gap < -size * 0.5 || gap > size * COLUMN) return undefined;
  const space = gap > size * SPACE && !/\s$/.test(last.text) && !/^\s/.test(next.text) ? " " : "";
  return { ...last, text: last.text + space + next.text, width: next.left + next.width - last.left };
}
