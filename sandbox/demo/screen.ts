// How the items of a run are shown: bars on a terminal, a line for each change elsewhere.

import { bar, percent } from "../../src/main/render/bar.ts";
import { cutTo, pad } from "../../src/main/render/text.ts";

export interface Shown {
  readonly title: string;
  readonly stage: string;
  readonly state: string;
  readonly progress: number;
}

export interface Screen {
  draw(items: readonly Shown[]): void;
  /** Above the bars, where there are any. */
  say(text: string): void;
}

/** With it a line fits eighty columns; one that is broken could not be drawn over. */
const TITLE_WIDTH = 28;
const USUAL_WIDTH = 80;

/** Pure. */
export function barLine({ title, stage, state, progress }: Shown): string {
  const where = state === "done" ? "done" : `${state} in ${stage}`;
  return `  ${pad(cutTo(title, TITLE_WIDTH), TITLE_WIDTH)} ${bar(progress, 20)} ${pad(percent(progress), 5, true)}  ${where}`;
}

/** Those that are elsewhere than they were. Pure. */
export function changedLines(items: readonly Shown[], before: ReadonlyMap<string, string>): string[] {
  return items
    .filter((item) => before.get(item.title) !== placeOf(item))
    .map((item) => `  ${pad(item.title, TITLE_WIDTH)} ${placeOf(item)}`);
}

export const placeOf = ({ state, stage }: Shown) => (state === "done" ? "done" : `${state} in ${stage}`);

export function makeScreen(out: NodeJS.WriteStream, now: () => number): Screen {
  const since = now();
  const stamp = (text: string) => `${pad(((now() - since) / 1_000).toFixed(1), 5, true)} s${text}\n`;
  if (out.isTTY !== true) {
    let before: ReadonlyMap<string, string> = new Map();
    return {
      draw(items) {
        for (const line of changedLines(items, before)) out.write(stamp(line));
        before = new Map(items.map((item) => [item.title, placeOf(item)]));
      },
      say: (text) => void out.write(stamp(`  ${text}`)),
    };
  }
  let drawn: readonly string[] = [];
  const draw = (lines: readonly string[], above = "") => {
    const up = drawn.length === 0 ? "" : `\x1b[${drawn.length}A`;
    out.write(`${up}\x1b[J${above}${lines.map((line) => `${line}\n`).join("")}`);
    drawn = lines;
  };
  const cut = (line: string) => cutTo(line, (out.columns ?? USUAL_WIDTH) - 1);
  return {
    draw: (items) => draw(items.map((item) => cut(barLine(item)))),
    say: (text) => draw(drawn, stamp(`  ${text}`)),
  };
}
