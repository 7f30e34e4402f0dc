import { expect, it } from "vitest";
import { titleOf } from "./title.ts";

it("a page is called by its heading, and by the product until it has one", () => {
  expect(titleOf("Work")).toBe("Work · Sluice");
  expect(titleOf(undefined)).toBe("Sluice");
});

it("a heading without an end is cut", () => {
  expect(titleOf("x".repeat(10_000))).toBe(`${"x".repeat(80)}… · Sluice`);
});
