// How the items of a run are shown: bars on a terminal, a line for each change elsewhere.

import { bar, percent } from "../../src/main/render/bar.ts";
import { pad } from "../../src/main/render/text.ts";

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

const TITLE_WIDTH = 32;

/** Pure. */
export function barLine({ title, stage, state, progress }: Shown): string {
  const where = state === "done" ? "done" : `${state} in ${stage}`;
  return `  ${pad(title, TITLE_WIDTH)} ${bar(progress, 20)} ${pad(percent(progress), 5, true)}  ${where}`;
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
  return { draw: (items) => draw(items.map(barLine)), say: (text) => draw(drawn, stamp(`  ${text}`)) };
}
