// Rows for people or for programs: aligned and cut to the terminal's width, or tab-separated and whole. Pure.

import type { Colour, Paint } from "./paint.ts";
import { clean, cutTo, pad, textWidth, wrap } from "./text.ts";

export interface Column<Row> {
  readonly title: string;
  /** What programs get, whole. */
  value(row: Row): unknown;
  /** What people see, where that differs. */
  shown?(row: Row): string;
  colour?(row: Row): Colour | undefined;
  readonly isRight?: boolean;
  /** The narrowest it may be cut to; without it, it is never cut. */
  readonly least?: number;
}

export interface Sheet {
  readonly isTerminal: boolean;
  readonly width: number;
  readonly paint: Paint;
}

const GAP = "  ";

export function table<Row>(all: readonly Column<Row>[], rows: readonly Row[], sheet: Sheet): string {
  if (!sheet.isTerminal) return rows.map((row) => all.map((column) => clean(column.value(row))).join("\t")).join("\n");
  // What nobody has is not shown.
  const columns = all.filter((column) => rows.some((row) => (column.shown?.(row) ?? clean(column.value(row))) !== ""));
  const cells = rows.map((row) => columns.map((column) => clean(column.shown?.(row) ?? column.value(row))));
  const widths = widthsFor(columns, cells, sheet.width);
  const line = (texts: readonly string[], paint: (text: string, index: number) => string) =>
    texts
      .map((text, index) => {
        const short = cutTo(text, widths[index] ?? 0);
        const space = pad(short, widths[index] ?? 0, columns[index]?.isRight).replace(short, "\u0000");
        // Painted after it was measured, and without the spaces around it.
        return space.replace("\u0000", () => paint(short, index));
      })
      .join(GAP)
      .trimEnd();
  const head = line(
    columns.map(({ title }) => title.toUpperCase()),
    (text) => sheet.paint("dim", text),
  );
  const body = cells.map((texts, at) =>
    line(texts, (text, index) => sheet.paint(columns[index]?.colour?.(rows[at] as Row), text)),
  );
  return [head, ...body].join("\n");
}

/** As wide as needed; where that is too wide, those that may be cut give way, the last one first. */
function widthsFor<Row>(
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  most: number,
): number[] {
  const widths = columns.map((column, index) =>
    Math.max(textWidth(column.title), ...cells.map((row) => textWidth(row[index] ?? ""))),
  );
  let over = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (columns.length - 1) - most;
  for (let index = columns.length - 1; index >= 0 && over > 0; index -= 1) {
    const width = widths[index] ?? 0;
    const cut = Math.min(over, Math.max(0, width - (columns[index]?.least ?? width)));
    widths[index] = width - cut;
    over -= cut;
  }
  return widths;
}

/** Names and values below each other, long values broken where they begin. */
export function facts(pairs: readonly (readonly [string, string])[], sheet: Sheet): string {
  const width = Math.max(...pairs.map(([name]) => textWidth(name)));
  const indent = " ".repeat(width + GAP.length);
  return pairs
    .map(([name, value]) => {
      const line = `${pad(name, width)}${GAP}${value}`;
      const whole = sheet.isTerminal ? wrap(line, sheet.width, indent) : line;
      return sheet.paint("dim", pad(name, width)) + whole.slice(width);
    })
    .join("\n");
}
