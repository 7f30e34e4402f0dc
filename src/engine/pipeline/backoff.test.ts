import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../kit/index.ts";
import { type Backoff, backoffDelayMs, backoffRule, DEFAULT_BACKOFF, unavailableDelayMs } from "./backoff.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** The largest chance there is: `fraction` never reaches 1. */
const ALMOST_ONE = 1 - 2 ** -53;

const delays = (backoff: Backoff, tries: number, fraction: number): number[] => {
  const rule = backoffRule(backoff, "backoff");
  return Array.from({ length: tries }, (_, index) => backoffDelayMs(rule, index + 1, fraction));
};

describe("the schedules people rely on", () => {
  const media: Backoff = { base: "1m", cap: "30m" };
  const documents: Backoff = { base: "5s", cap: "30m", jitter: "5s" };
  const quiz: Backoff = { base: "5m", cap: "1h", jitter: "20%" };

  test("media: 1, 2, 4, 8 minutes, with more attempts 16 and then 30", () => {
    expect(delays(media, 7, 0.7)).toEqual([1, 2, 4, 8, 16, 30, 30].map((minutes) => minutes * MINUTE));
  });

  test("documents: 5 s doubling, plus 0 to 5 s", () => {
    expect(delays(documents, 4, 0)).toEqual([5, 10, 20, 40].map((seconds) => seconds * SECOND));
    expect(delays(documents, 4, 0.5)).toEqual([7.5, 12.5, 22.5, 42.5].map((seconds) => seconds * SECOND));
    expect(delays(documents, 4, ALMOST_ONE)).toEqual([10, 15, 25, 45].map((seconds) => seconds * SECOND));
  });

  test("quiz: 5, 10, 20 minutes, plus 0 to 20 %", () => {
    expect(delays(quiz, 3, 0)).toEqual([5, 10, 20].map((minutes) => minutes * MINUTE));
    expect(delays(quiz, 3, ALMOST_ONE)).toEqual([6, 12, 24].map((minutes) => minutes * MINUTE));
  });

  test("by default: 1 minute doubling to 30, plus up to 10 %", () => {
    expect(delays(DEFAULT_BACKOFF, 6, 0)).toEqual([1, 2, 4, 8, 16, 30].map((minutes) => minutes * MINUTE));
    expect(delays(DEFAULT_BACKOFF, 1, ALMOST_ONE)).toEqual([66 * SECOND]);
  });

  test("a service that is away: 5 minutes doubling to 30, plus up to 10 %", () => {
    const waits = [1, 2, 3, 4, 1_000];
    expect(waits.map((waited) => unavailableDelayMs(waited, 0))).toEqual([5, 10, 20, 30, 30].map((m) => m * MINUTE));
    expect(unavailableDelayMs(1_000, ALMOST_ONE)).toBe(33 * MINUTE);
  });
});

describe("backoffRule refuses, naming the field", () => {
  test.each<[string, unknown, string]>([
    ["a share beyond 100 %", { base: "1s", cap: "1m", jitter: "101%" }, "stage.jitter"],
    ["a negative share", { base: "1s", cap: "1m", jitter: "-1%" }, "stage.jitter"],
    ["a share that is no number", { base: "1s", cap: "1m", jitter: "some%" }, "stage.jitter"],
    ["a share without a number", { base: "1s", cap: "1m", jitter: "%" }, "stage.jitter"],
    ["a negative jitter", { base: "1s", cap: "1m", jitter: -1 }, "stage.jitter"],
    ["no base", { cap: "1m" }, "stage.base"],
    ["a negative base", { base: -1, cap: "1m" }, "stage.base"],
    ["no cap", { base: "1s" }, "stage.cap"],
    ["a cap shorter than the base", { base: "2m", cap: "1m" }, "stage.cap"],
  ])("%s", (_, backoff, field) => {
    const attempt = () => backoffRule(backoff as Backoff, "stage"); // untyped callers pass anything
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(expect.objectContaining({ field }));
  });
});

describe("for any rule", () => {
  const duration = fc.integer({ min: 0, max: 3_650 * 24 * 60 * MINUTE });
  const rule = fc
    .record({
      one: duration,
      other: duration,
      jitter: fc.oneof(
        duration,
        fc.integer({ min: 0, max: 100 }).map((n) => `${n}%` as const),
      ),
    })
    .map(({ one, other, jitter }) =>
      backoffRule({ base: Math.min(one, other), cap: Math.max(one, other), jitter }, "backoff"),
    );
  const failed = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer(), fc.constant(Number.MAX_VALUE));
  const fraction = fc.double({ min: 0, max: ALMOST_ONE, noNaN: true });

  test("a delay is whole, finite, and lies between base and cap plus jitter", () => {
    fc.assert(
      fc.property(rule, failed, fraction, (given, count, chance) => {
        const delay = backoffDelayMs(given, count, chance);
        expect(Number.isSafeInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(given.baseMs);
        expect(delay).toBeLessThanOrEqual(Math.ceil(given.capMs * (1 + given.jitterShare) + given.jitterMs));
      }),
    );
  });

  test("without chance it never falls from one try to the next", () => {
    fc.assert(
      fc.property(rule, fc.integer({ min: 1, max: 10_000 }), (given, count) => {
        expect(backoffDelayMs(given, count + 1, 0)).toBeGreaterThanOrEqual(backoffDelayMs(given, count, 0));
      }),
    );
  });

  test("chance only ever adds", () => {
    fc.assert(
      fc.property(rule, failed, fraction, (given, count, chance) => {
        expect(backoffDelayMs(given, count, chance)).toBeGreaterThanOrEqual(backoffDelayMs(given, count, 0));
      }),
    );
  });
});
