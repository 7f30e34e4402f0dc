import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LONGEST, longestFirst } from "../support/longest-first.ts";

const root = join(import.meta.dirname, "../..");

it.each(LONGEST)("%s, which is to run early, is there", (file) => {
  expect(existsSync(join(root, file))).toBe(true);
});

it("begins with what takes longest, and leaves the others in their order, project by project", () => {
  const [first = "", second = ""] = LONGEST;
  const specs = ["x b.test.ts", `x ${second}`, "y c.test.ts", "x a.test.ts", `y ${first}`];
  const ordered = longestFirst(specs, (spec) => ({ project: spec.slice(0, 1), path: spec.slice(2) }));
  expect(ordered).toEqual([`y ${first}`, `x ${second}`, "x b.test.ts", "x a.test.ts", "y c.test.ts"]);
});
