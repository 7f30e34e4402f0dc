import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { progressOf, type RequestCounts, type RequestStatus, rollUp } from "./rollup.ts";

const counts = (
  total: number,
  completed: number,
  partly: number,
  failed: number,
  cancelled: number,
): RequestCounts => ({
  total,
  completed,
  partly,
  failed,
  cancelled,
});

/** Only counts the schema allows: partly within completed, ends within total. */
const anyCounts = fc
  .tuple(fc.nat(5), fc.nat(5), fc.nat(5), fc.nat(5), fc.nat(5))
  .map(([open, completed, partly, failed, cancelled]) =>
    counts(open + completed + failed + cancelled, completed, Math.min(partly, completed), failed, cancelled),
  );

describe("rollUp", () => {
  test.each<[string, RequestCounts, boolean, RequestStatus]>([
    ["nothing has begun", counts(2, 0, 0, 0, 0), false, "PENDING"],
    ["one item has begun", counts(2, 0, 0, 0, 0), true, "PROCESSING"],
    ["one completed, one has not begun", counts(2, 1, 0, 0, 0), false, "PROCESSING"],
    ["one failed, one has not begun", counts(2, 0, 0, 1, 0), false, "PROCESSING"],
    ["one cancelled, one has not begun", counts(2, 0, 0, 0, 1), false, "PENDING"],
    ["one cancelled, one has begun", counts(2, 0, 0, 0, 1), true, "PROCESSING"],
    ["a failed part does not end it early", counts(2, 1, 1, 0, 0), true, "PROCESSING"],
    ["all completed", counts(2, 2, 0, 0, 0), false, "COMPLETED"],
    ["all completed, one with a failed part", counts(2, 2, 1, 0, 0), false, "PARTIAL"],
    ["all cancelled", counts(2, 0, 0, 0, 2), false, "CANCELLED"],
    ["all failed", counts(2, 0, 0, 2, 0), false, "FAILED"],
    ["failed, cancelled ones aside", counts(3, 0, 0, 1, 2), false, "FAILED"],
    ["completed and failed", counts(2, 1, 0, 1, 0), false, "PARTIAL"],
    ["completed and cancelled", counts(2, 1, 0, 0, 1), false, "PARTIAL"],
    ["completed, failed and cancelled", counts(3, 1, 0, 1, 1), false, "PARTIAL"],
    ["no items at all", counts(0, 0, 0, 0, 0), false, "COMPLETED"],
  ])("%s", (_, given, begun, status) => {
    expect(rollUp(given, begun)).toBe(status);
  });

  test("is open exactly while an item is not final", () => {
    fc.assert(
      fc.property(anyCounts, fc.boolean(), (given, begun) => {
        const isOpen = given.completed + given.failed + given.cancelled < given.total;
        expect(["PENDING", "PROCESSING"].includes(rollUp(given, begun))).toBe(isOpen);
      }),
    );
  });

  test("once over, says only what is true of the counts", () => {
    fc.assert(
      fc.property(anyCounts, fc.boolean(), (given, begun) => {
        const { total, completed, partly, failed, cancelled } = given;
        const status = rollUp(given, begun);
        if (status === "COMPLETED") expect([completed, partly]).toEqual([total, 0]);
        if (status === "CANCELLED") expect(cancelled).toBe(total);
        if (status === "FAILED") expect([completed, failed > 0]).toEqual([0, true]);
        if (status === "PARTIAL") expect(completed > 0 && partly + failed + cancelled > 0).toBe(true);
      }),
    );
  });

  test("begun matters only while it is open", () => {
    fc.assert(
      fc.property(anyCounts, (given) => {
        const [before, during] = [rollUp(given, false), rollUp(given, true)];
        expect(before === during || (before === "PENDING" && during === "PROCESSING")).toBe(true);
      }),
    );
  });
});

describe("progressOf", () => {
  const media = [{ weight: 1 }, { weight: 4 }, { weight: 4 }, { weight: 1 }];

  test.each<[number, number, number]>([
    [0, 0, 0],
    [0, 100, 10],
    [1, 0, 10],
    [1, 50, 30],
    [2, 25, 60],
    [3, 100, 100],
    [4, 0, 100],
    [1, Number.NaN, 10],
    [1, -20, 10],
    [1, 104, 50],
    [1, Number.POSITIVE_INFINITY, 50],
    [-1, 50, 0],
    [Number.NaN, 50, 0],
  ])("in stage %s at %s %% the item is at %s %%", (stage, percent, whole) => {
    expect(progressOf(media, stage, percent)).toBeCloseTo(whole, 9);
  });

  test("a pipeline without stages is at 0", () => {
    expect(progressOf([], 0, 50)).toBe(0);
  });

  const weights = fc.array(fc.record({ weight: fc.oneof(fc.double(), fc.double({ min: 0.001, max: 1_000 })) }));

  test("lies between 0 and 100 whatever it is told", () => {
    fc.assert(
      fc.property(weights, fc.double(), fc.double(), (stages, index, percent) => {
        const whole = progressOf(stages, index, percent);
        expect(whole >= 0 && whole <= 100).toBe(true);
      }),
    );
  });

  test("never falls while an item moves on", () => {
    const some = fc.array(fc.record({ weight: fc.double({ min: 0.001, max: 1_000, noNaN: true }) }), { minLength: 1 });
    const percent = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(some, fc.nat(10), percent, percent, (stages, index, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const earlier = progressOf(stages, index, low);
        expect(progressOf(stages, index, high)).toBeGreaterThanOrEqual(earlier);
        // Sums in floating point may differ in the last digit at the border between two stages.
        expect(progressOf(stages, index + 1, 0)).toBeGreaterThanOrEqual(earlier - 1e-9);
      }),
    );
  });
});
