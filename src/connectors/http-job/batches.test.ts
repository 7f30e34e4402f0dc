import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { batches, lookCalls } from "./batches.ts";

describe("batches", () => {
  test.each([
    [0, 0],
    [1, 1],
    [100, 1],
    [101, 2],
    [1_000, 10],
  ])("%i jobs need %i calls", (jobs, calls) => {
    expect(lookCalls(Array.from({ length: jobs }, (_, i) => `job-${i}`))).toBe(calls);
  });

  test("long ids need more calls, so that no address grows too long", () => {
    const refs = Array.from({ length: 100 }, (_, i) => `${i}-${"x".repeat(190)}`);
    expect(lookCalls(refs)).toBe(4);
  });

  test("hold every ref once, whatever the limit", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), fc.integer({ min: 1, max: 10 }), (refs, limit) => {
        const all = batches(refs, limit);
        expect(all.flat()).toEqual([...new Set(refs)]);
        expect(all.every((batch) => batch.length > 0 && batch.length <= limit)).toBe(true);
      }),
    );
  });
});
