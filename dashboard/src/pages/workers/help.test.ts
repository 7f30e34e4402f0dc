import { expect, it } from "vitest";
import { helpOf } from "./help.ts";

it("says that others take over only where there are others", () => {
  for (const state of ["late", "dead"] as const) {
    expect(helpOf({ state, items: 3 }, true)).toMatch(/\bothers\b/i);
    expect(helpOf({ state, items: 3 }, false)).not.toMatch(/\bothers\b/i);
    expect(helpOf({ state, items: 3 }, false)).toContain("until a worker runs");
  }
});

it("says of one that is gone when nothing is left with it", () => {
  expect(helpOf({ state: "dead", items: 0 }, false)).toBe("It has nothing in hand any more.");
});

it("has nothing to say of one that works", () => {
  expect(helpOf({ state: "alive", items: 3 }, true)).toBe("");
});
