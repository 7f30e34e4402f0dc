import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Grant, grant, roomIn, waitMs } from "./rate.ts";

const MINUTE = 60_000;
const limit = { count: 3, perMs: MINUTE };

describe("a rate", () => {
  it("grants up to the limit, and again as the window moves on", () => {
    const first = grant([], limit, 1_000, 5);
    expect(first).toEqual({ count: 3, grants: [[1_000, 3]] });
    expect(grant(first.grants, limit, 1_000 + MINUTE - 1, 1).count).toBe(0);
    expect(grant(first.grants, limit, 1_000 + MINUTE, 1)).toEqual({ count: 1, grants: [[1_000 + MINUTE, 1]] });
  });

  it("says how long each in the queue has to wait", () => {
    const grants: Grant[] = [
      [0, 1],
      [10_000, 2],
    ];
    expect(roomIn(grants, limit, 20_000)).toBe(0);
    expect([1, 2, 3, 4, 7].map((nth) => waitMs(grants, limit, 20_000, nth))).toEqual([
      40_000,
      50_000,
      50_000,
      40_000 + MINUTE,
      40_000 + 2 * MINUTE,
    ]);
    expect(waitMs([], limit, 20_000, 3)).toBe(0);
  });

  it("is not blocked for long by grants from before the clock was set back", () => {
    expect(grant([[10 * MINUTE, 3]], limit, 0, 1).count).toBe(1);
    expect(grant([[MINUTE, 3]], limit, 30_000, 1).count).toBe(0);
  });

  it("never lets a window see more than the limit, and stays small", () => {
    const asks = fc.array(
      fc.record({ after: fc.integer({ min: 0, max: 40_000 }), wanted: fc.integer({ min: 1, max: 50 }) }),
      {
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(fc.constantFrom(1, 3, 100, 250, 5_000), asks, (count, all) => {
        const rule = { count, perMs: MINUTE };
        const given: number[] = [];
        let grants: readonly Grant[] = [];
        let now = 0;
        for (const { after, wanted } of all) {
          now += after;
          const got = grant(grants, rule, now, wanted);
          grants = got.grants;
          given.push(...Array.from({ length: got.count }, () => now));
          expect(grants.length).toBeLessThanOrEqual(102);
          const inWindow = given.filter((at) => at > now - MINUTE).length;
          expect(inWindow).toBeLessThanOrEqual(count);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("grants again, at the latest a hundredth of the window later, what the window has let go", () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 3, 100, 250, 5_000), fc.integer({ min: 0, max: 10 * MINUTE }), (count, start) => {
        const rule = { count, perMs: MINUTE };
        const full = grant([], rule, start, count);
        expect(full.count).toBe(count);
        expect(grant(full.grants, rule, start + MINUTE * 1.01 + 1, count).count).toBe(count);
      }),
    );
  });
});
