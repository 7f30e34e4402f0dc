import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endOf, LENGTH_HIGHEST, lengthOf, remainderOf, samplesIn, sizeClass, startOf } from "./lengths.ts";

const counted = (times: readonly number[]) => {
  const counts = new Map<number, number>();
  for (const ms of times) counts.set(lengthOf(ms), (counts.get(lengthOf(ms)) ?? 0) + 1);
  return counts;
};
const times = fc.array(fc.double({ min: 0, max: 1e11, noNaN: true }), { minLength: 1, maxLength: 50 });

describe("a time's step", () => {
  it("holds it, and is at most a fifth wide", () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 3e11, noNaN: true }), (ms) => {
        const length = lengthOf(ms);
        expect(startOf(length)).toBeLessThanOrEqual(ms * (1 + 1e-12));
        expect(endOf(length)).toBeGreaterThan(ms * (1 - 1e-12));
        expect(endOf(length) / startOf(length)).toBeLessThan(1.2);
      }),
    );
  });

  it.each([0, -1, 0.4, Number.NaN, Number.NEGATIVE_INFINITY])("is the lowest for %d", (ms) => {
    expect(lengthOf(ms)).toBe(0);
  });

  it("has a highest, for what cannot be", () => {
    expect(lengthOf(Number.POSITIVE_INFINITY)).toBe(LENGTH_HIGHEST);
  });
});

describe("what is left", () => {
  it("is nothing where nothing was seen", () => {
    expect(remainderOf(new Map())).toMatchObject({ samples: 0 });
    expect(remainderOf(new Map()).quantile(0.5)).toBe(0);
    expect(remainderOf(new Map()).mean()).toBe(0);
  });

  it("is about the one time that was seen", () => {
    expect(remainderOf(counted([60_000])).quantile(0.5)).toBeGreaterThan(50_000);
    expect(remainderOf(counted([60_000])).quantile(0.9)).toBeLessThan(72_000);
  });

  it("is nothing after times of nothing", () => {
    expect(remainderOf(counted([0, 0, 0])).quantile(0.9)).toBeLessThanOrEqual(1);
  });

  it("has a mean that is off by no more than a step", () => {
    fc.assert(
      fc.property(times, (seen) => {
        const mean = seen.reduce((sum, one) => sum + one, 0) / seen.length;
        const told = remainderOf(counted(seen)).mean();
        expect(told).toBeGreaterThanOrEqual(mean / 1.2 - 1);
        expect(told).toBeLessThanOrEqual(mean * 1.2 + 1);
      }),
    );
  });

  it("is finite, rises with the share, and never counts more than there was", () => {
    fc.assert(
      fc.property(times, fc.double({ min: 0, max: 2e11, noNaN: true }), (seen, since) => {
        const rest = remainderOf(counted(seen), since);
        const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => rest.quantile(share)) as [number, number, number];
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(middle);
        expect(middle).toBeLessThanOrEqual(high);
        expect(Number.isFinite(high)).toBe(true);
        expect(rest.samples).toBeLessThanOrEqual(samplesIn(counted(seen)) + 1e-9);
      }),
    );
  });

  it("is within a step of the true quantile", () => {
    fc.assert(
      fc.property(times, fc.constantFrom(0.5, 0.9), (seen, share) => {
        const sorted = [...seen].sort((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
        const told = remainderOf(counted(seen)).quantile(share);
        expect(told).toBeGreaterThanOrEqual(startOf(lengthOf(exact)) * (1 - 1e-9));
        expect(told).toBeLessThanOrEqual(endOf(lengthOf(exact)) * (1 + 1e-9));
      }),
    );
  });
});

describe("a size", () => {
  it.each([
    [0, 0],
    [0.5, 0],
    [1, 1],
    [3, 2],
    [1_000_000, 20],
    [1e300, 62],
    [-1, -1],
    [Number.NaN, -1],
    [Number.POSITIVE_INFINITY, -1],
    ["7", -1],
    [undefined, -1],
  ])("%j is of class %d", (size, expected) => {
    expect(sizeClass(size)).toBe(expected);
  });
});
