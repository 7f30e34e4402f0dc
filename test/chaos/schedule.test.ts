import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/kit/index.ts";
import { NEMESIS_TYPES, plan, timesOf } from "./schedule.ts";

describe("the plan of a run", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(plan(20, 4, seededRandom(1))).toEqual(plan(20, 4, seededRandom(1)));
    expect(plan(20, 4, seededRandom(1))).not.toEqual(plan(20, 4, seededRandom(2)));
  });

  it.each([5, 20, 120])("has every nemesis in %i s, in order, within the time", (seconds) => {
    const planned = plan(seconds, 4, seededRandom(3));
    for (const type of NEMESIS_TYPES) {
      expect(planned.filter(({ nemesis }) => nemesis.type === type)).toHaveLength(timesOf(type, seconds));
    }
    const moments = planned.map(({ atMs }) => atMs);
    expect(moments).toEqual([...moments].sort((a, b) => a - b));
    expect(Math.max(...moments)).toBeLessThanOrEqual(seconds * 1_000);
  });

  it("kills 150 times, stops 30 times and crashes the database 3 times in two minutes, at least", () => {
    expect(timesOf("kill", 120)).toBeGreaterThanOrEqual(150);
    expect(timesOf("pause", 120)).toBeGreaterThanOrEqual(30);
    expect(timesOf("crash", 120)).toBeGreaterThanOrEqual(3);
  });
});
