import { expect, it } from "vitest";
import { fontFamily, isoDate, metadataOf } from "./metadata.ts";
import { OutlineBuilder } from "./outline.ts";
import { type Item, runsOf } from "./pdfjs-runs.ts";

it.each([
  ["D:20240131120000+01'00'", "2024-01-31T12:00:00+01:00"],
  ["D:20240131120000Z", "2024-01-31T12:00:00Z"],
  ["D:20240131120000-00'00", "2024-01-31T12:00:00Z"],
  ["D:2024", "2024-01-01T00:00:00"],
  ["2024-01-31T12:00:00+01", "2024-01-31T12:00:00+01:00"],
  ["2024-01-31T12:00:00Z", "2024-01-31T12:00:00Z"],
  ["D:20241399", undefined],
  ["yesterday", undefined],
  ["", undefined],
])("the date %j is %j", (text, expected) => {
  expect(isoDate(text)).toBe(expected);
});

it("what a PDF says of itself is text, and not without end", () => {
  const said: Record<string, unknown> = {
    Title: ` ${"x".repeat(20_000)}`,
    Author: 7,
    Subject: " ",
    Creator: "\u00FE\u00FF\u0000A\u00D8\u0000",
  };
  const { title, ...rest } = metadataOf((name) => said[name]);
  expect(title).toHaveLength(10_000);
  expect(rest).toEqual({ creator: "A\uD800" });
  expect([fontFamily("ABCDEF+Times"), fontFamily(""), fontFamily("Abc+Def")]).toEqual(["Times", "unknown", "Abc+Def"]);
});

it("an outline ends", () => {
  const built = new OutlineBuilder();
  let below = built.add(undefined, 0, "root", 1);
  for (let depth = 1; depth < 100; depth += 1) below = built.add(below, depth, "deeper", undefined) ?? below;
  expect(JSON.stringify(built.roots).match(/deeper/g)).toHaveLength(31);
  for (let i = 0; i < 30_000; i += 1) built.add(undefined, 0, "more", undefined);
  expect(built.roots.length).toBeLessThan(20_001);
});

const item = (str: string, x: number, y: number, width: number, fontName = "f"): Item => ({
  ...{ str, width, height: 10, transform: [10, 0, 0, 10, x, y], fontName, hasEOL: false },
});

it("what stands side by side in one font is one text; columns and lines are not", () => {
  const items = [
    ...[item("Hel", 0, 700, 15), item("lo", 15, 700, 10), item("world", 28, 700, 25)],
    ...[item("bold", 54, 700, 20, "g"), item("column", 300, 700, 30), item("", 0, 0, 0), item("below", 0, 688, 25)],
  ];
  const runs = runsOf(
    items,
    [1, 0, 0, -1, 0, 842],
    () => "Times",
    () => 0.8,
  );
  expect(runs.map(({ text, left, top, width }) => [text, left, top, width])).toEqual([
    ["Hello world", 0, 134, 53],
    ["bold", 54, 134, 20],
    ["column", 300, 134, 30],
    ["below", 0, 146, 25],
  ]);
});
