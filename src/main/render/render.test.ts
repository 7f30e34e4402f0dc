import { describe, expect, it } from "vitest";
import { bar, percent } from "./bar.ts";
import { coloured, plain, wantsColour } from "./paint.ts";
import { type Column, facts, table } from "./table.ts";
import { clean, cutTo, textWidth, wrap } from "./text.ts";
import { lasted, relative } from "./when.ts";

interface Row {
  readonly name: string;
  readonly count: number;
}
const columns: readonly Column<Row>[] = [
  { title: "name", value: (row) => row.name, least: 4 },
  { title: "count", value: (row) => row.count, isRight: true, colour: () => "green" },
];
const rows = [
  { name: "a long name of something", count: 7 },
  { name: "b", count: 1_000 },
];

describe("a table", () => {
  it("is aligned on a terminal, and cut to its width", () => {
    expect(table(columns, rows, { isTerminal: true, width: 80, paint: plain })).toBe(
      ["NAME                      COUNT", "a long name of something      7", "b                          1000"].join(
        "\n",
      ),
    );
    expect(table(columns, rows, { isTerminal: true, width: 14, paint: plain })).toBe(
      ["NAME     COUNT", "a long…      7", "b         1000"].join("\n"),
    );
  });

  it("is whole and tab-separated for programs", () => {
    expect(table(columns, rows, { isTerminal: false, width: 14, paint: plain })).toBe(
      "a long name of something\t7\nb\t1000",
    );
  });

  it("is coloured without losing its alignment", () => {
    expect(table(columns, rows.slice(1), { isTerminal: true, width: 80, paint: coloured }).split("\n")[1]).toBe(
      "b      \u001b[32m1000\u001b[39m",
    );
  });

  it("of names and values stands below each other, broken where it is too long", () => {
    const pairs = [
      ["id", "1"],
      ["state", "done and over"],
    ] as const;
    expect(facts(pairs, { isTerminal: false, width: 5, paint: plain })).toBe("id     1\nstate  done and over");
    expect(facts(pairs, { isTerminal: true, width: 16, paint: plain })).toBe("id     1\nstate  done and\n       over");
  });
});

describe("text", () => {
  it("is as wide as it is seen", () => {
    expect([textWidth("abc"), textWidth("映画"), textWidth("é"), textWidth("\u001b[31mx\u001b[39m")]).toEqual([
      3, 4, 1, 1,
    ]);
    expect(cutTo("映画の夜", 5)).toBe("映画…");
  });

  it("is broken between words, and begins where it began", () => {
    expect(wrap("  one two three", 10, "    ")).toBe("  one two\n    three");
    expect(wrap("short", 10, "  ")).toBe("short");
    expect(wrap("a-word-that-is-too-long for it", 10, "  ")).toBe("a-word-that-is-too-long\n  for it");
  });

  it("of others moves no cursor", () => {
    expect(clean("a\u001b[2Jb\nc\u202ed")).toBe("a [2Jb c d");
  });
});

it("a bar shows how far it is, and is full only when it is", () => {
  expect([bar(0, 4), bar(50, 4), bar(100, 4), bar(Number.NaN, 4)]).toEqual(["░░░░", "██░░", "████", "░░░░"]);
  expect([percent(0), percent(99.9), percent(100)]).toEqual(["0 %", "99 %", "100 %"]);
});

it("times are told from now", () => {
  const now = new Date("2030-01-01T12:00:00Z");
  expect(relative("2030-01-01T11:57:00Z", now)).toBe("3 min ago");
  expect(relative("2030-01-01T14:10:00Z", now)).toBe("in 2 h");
  expect(relative(null, now)).toBe("");
  expect(lasted("2030-01-01T11:59:20Z", now)).toBe("40 s");
});

it("colours are for terminals whose users want them", () => {
  expect(wantsColour(true, {})).toBe(true);
  for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }, { CI: "true" }]) expect(wantsColour(true, env)).toBe(false);
  expect(wantsColour(false, {})).toBe(false);
});
