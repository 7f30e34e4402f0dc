import { describe, expect, it } from "vitest";
import { heldUntilAt } from "./run.ts";

const HOUR = 3_600_000;
const NOW = 1_000_000 * HOUR;

describe("until when nothing is removed", () => {
  it.each([
    ["the first run ever", { ranAt: null, heldUntil: 0 }, 0],
    ["a minute after the last", { ranAt: NOW - HOUR / 60, heldUntil: 0 }, 0],
    ["after a weekend off", { ranAt: NOW - 47 * HOUR, heldUntil: 0 }, 0],
    ["after a jump of years", { ranAt: NOW - 10_000 * HOUR, heldUntil: 0 }, NOW + 24 * HOUR],
    ["while it is held", { ranAt: NOW - HOUR, heldUntil: NOW + 5 * HOUR }, NOW + 5 * HOUR],
    ["once that is over", { ranAt: NOW - HOUR, heldUntil: NOW - HOUR }, NOW - HOUR],
    ["when the clock is back where it was", { ranAt: NOW + 10_000 * HOUR, heldUntil: NOW + 10_024 * HOUR }, 0],
  ])("%s", (_, walk, heldUntil) => {
    expect(heldUntilAt(NOW, walk)).toBe(heldUntil);
  });
});
