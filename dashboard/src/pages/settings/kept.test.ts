import { describe, expect, it } from "vitest";
import { asDuration, changesOf } from "./kept.ts";

const DAY = 86_400_000;

describe("a length of time", () => {
  it.each([
    [90 * DAY, "90d"],
    [1.5 * DAY, "1d12h"],
    [90_061_001, "1d1h1m1s1ms"],
    [0, "0s"],
  ])("of %i ms is written %s", (ms, text) => {
    expect(asDuration(ms)).toBe(text);
  });
});

describe("what is changed", () => {
  const limits = { history: 90 * DAY, audit: 730 * DAY, signals: 30 * DAY };

  it("is what was written anew, without what is as it was or empty", () => {
    expect(changesOf({ history: " 30d ", audit: "730d", signals: "" }, limits)).toEqual({ history: "30d" });
  });
});
