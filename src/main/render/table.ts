// Rows for people or for programs: aligned and cut to the terminal's width, or tab-separated and whole. Pure.

import { type Colour, type Paint, plain } from "./paint.ts";
import { clean, cutTo, pad, textWidth } from "./text.ts";

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

export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], sheet: Sheet): string {
  if (!sheet.isTerminal)
    return rows.map((row) => columns.map((column) => clean(column.value(row))).join("\t")).join("\n");
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

/** As wide as needed; where that is too wide, those that may be cut give way, the widest first. */
function widthsFor<Row>(
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  most: number,
): number[] {
  const widths = columns.map((column, index) =>
    Math.max(textWidth(column.title), ...cells.map((row) => textWidth(row[index] ?? ""))),
  );
  const total = () => widths.reduce((sum, one) => sum + one, 0) + GAP.length * (columns.length - 1);
  for (let over = total() - most; over > 0; over = total() - most) {
    const room = widths.map((width, index) => width - Math.max(columns[index]?.least ?? width, 1));
    const widest = room.reduce(
      (best, one, index) => (one > 0 && (widths[index] ?? 0) > (widths[best] ?? -1) ? index : best),
      -1,
    );
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - Math.min(over, room[widest] ?? 0, 1);
  }
  return widths;
}

/** Names and values below each other. */
export function facts(pairs: readonly (readonly [string, string])[], paint: Paint = plain): string {
  const width = Math.max(...pairs.map(([name]) => textWidth(name)));
  return pairs.map(([name, value]) => `${paint("dim", pad(name, width))}  ${value}`).join("\n");
}
