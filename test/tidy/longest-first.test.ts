import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LONGEST, longestFirst } from "../support/longest-first.ts";

const root = join(import.meta.dirname, "../..");

it.each(LONGEST)("%s, which is to run early, is there", (file) => {
  expect(existsSync(join(root, file))).toBe(true);
});

it("begins with what takes longest, and leaves the others in their order", () => {
  const [first = "", second = ""] = LONGEST;
  const ordered = longestFirst(["b.test.ts", second, "a.test.ts", first], (file) => file);
  expect(ordered).toEqual([first, second, "b.test.ts", "a.test.ts"]);
});
