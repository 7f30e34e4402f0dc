import { describe, expect, it } from "vitest";
import { compute, turnsPerMs } from "./compute.ts";

describe("a handler that computes", () => {
  it("does the same for the same number of turns", () => {
    expect(compute(1_000)).toBe(compute(1_000));
    expect(compute(1_000)).not.toBe(compute(1_001));
  });

  it("is measured by the try that nothing disturbed", () => {
    const tries = [9, 5, 2, 7];
    expect(turnsPerMs(() => tries.pop() ?? 30)).toBe(2_500);
  });
});
