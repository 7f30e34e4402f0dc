// docs/lessons.md names tests: they are there, under those very names.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sourceOf } from "./source.ts";
import { titlesOf } from "./test-titles.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/lessons.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| what was seen"))
  .map((line) => {
    const [seen = "", , held = ""] = line.slice(2).split(" | ");
    return {
      seen,
      tests: [...held.matchAll(/`([^`]+)`: “([^”]+)”/g)].map(([, file = "", title = ""]) => ({ file, title })),
    };
  });

describe("a lesson", () => {
  it("is one of many", () => expect(rows.length).toBeGreaterThan(20));

  it.each(rows)("has tests that there are: $seen", ({ tests }) => {
    expect(tests).not.toEqual([]);
    const missing = tests.filter(({ file, title }) => {
      const at = join(root, file);
      return !existsSync(at) || !titlesOf(sourceOf(file, readFileSync(at, "utf8"))).has(title);
    });
    expect(missing).toEqual([]);
  });
});

it("tests are known by what they are given, by the rows of their table, and as cases of a contract", () => {
  const known = (code: string) => [...titlesOf(sourceOf("a.test.ts", code))];
  expect(known('it("one", f); test.concurrent("two", f); describe("none", () => it("three", f));')).toEqual(
    expect.arrayContaining(["one", "two", "three"]),
  );
  expect(known('it.each([["row", 1, "none"], ["next", 2, "none"]] as const)("is %s", f);').toSorted()).toEqual([
    "is %s",
    "next",
    "row",
  ]);
  expect(known('const cases = [{ name: "case", async run() {} }, { name: "none" }];')).toEqual(["case"]);
  expect(known('describe("none", f); split("none"); // it("none")')).toEqual([]);
});
