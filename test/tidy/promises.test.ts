// docs/promises.md is generated: it has a row for everything that is promised, and the tests that it names are there.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rowsIn } from "../promises/page.ts";
import { PROMISES } from "../promises/promises.ts";
import { sourceOf } from "./source.ts";
import { titlesOf } from "./test-titles.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

it("the page of promises has the rows that there are", () => {
  const rows = rowsIn(read("docs/promises.md"));
  expect([...rows.keys()]).toEqual(PROMISES.map(({ name }) => name));
  expect([...new Set(rows.values())].filter((verdict) => verdict !== "met" && verdict !== "**not met**")).toEqual([]);
});

it.each(PROMISES)("$name: its words stand there, and its tests are there", ({ says, tests }) => {
  expect(read("docs/promises.md")).toContain(says);
  const missing = tests.filter(({ file, title }) => !titlesOf(sourceOf(file, read(file))).has(title));
  expect(missing).toEqual([]);
});
