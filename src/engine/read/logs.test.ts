import { describe, expect, test } from "vitest";
import type { LogRow } from "./logs.sql.ts";
import { visitsOf } from "./logs.ts";

const BEGAN = Date.parse("2030-01-01T12:00:00Z");

function row(first: number, texts: readonly string[], more: Partial<LogRow> = {}): LogRow {
  const lines = texts.map((text, index) => ({ ms: (first + index) * 1_000, level: "info" as const, text }));
  const visit = { version: 5, stage: "encode", attempt: 1, at: new Date(BEGAN + 60_000), began_at: new Date(BEGAN) };
  return { ...visit, first, dropped: 0, lines, ...more };
}

const told = (...rows: LogRow[]) =>
  visitsOf(rows).map(({ visit, lines }) => [visit, ...lines.map(({ n, text }) => `${n} ${text}`)]);

describe("rows of visits are laid together", () => {
  test("by visit, and by the numbers of their lines", () => {
    const rows = [row(0, ["a", "b"]), row(2, ["c"]), row(0, ["x"], { version: 8 })];
    expect(told(...rows)).toEqual([
      [5, "1 a", "2 b", "3 c"],
      [8, "1 x"],
    ]);
  });

  test("a line that stands in two of them is told once: a piece came late, or was sent again", () => {
    expect(told(row(0, ["a", "b", "c"]), row(1, ["b", "c"]))).toEqual([[5, "1 a", "2 b", "3 c"]]);
  });

  test("what has made room since is not told, whichever row still has it", () => {
    const rows = [row(0, ["a", "b"]), row(2, ["c", "d"], { dropped: 1 })];
    expect(told(...rows)).toEqual([[5, "2 b", "3 c", "4 d"]]);
    expect(visitsOf(rows)[0]?.dropped).toBe(1);
  });

  test("each line has the time at which it was noted, by one beginning, and the visit that of its newest row", () => {
    const late = row(1, ["b"], { began_at: new Date(BEGAN + 7), at: new Date(BEGAN + 90_000) });
    const [visit] = visitsOf([row(0, ["a"]), late]);
    expect(visit?.lines.map(({ at }) => at.getTime() - BEGAN)).toEqual([0, 1_000]);
    expect(visit?.at.getTime()).toBe(BEGAN + 90_000);
  });

  test("where nobody wrote down when the visit began, its last line is as old as its end", () => {
    const [visit] = visitsOf([row(3, ["a", "b"], { began_at: null, dropped: 3 })]);
    expect(visit?.lines.map(({ n, at }) => [n, at.getTime() - BEGAN])).toEqual([
      [4, 59_000],
      [5, 60_000],
    ]);
  });
});
