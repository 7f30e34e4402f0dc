import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeDuration, toMilliseconds } from "./duration.ts";
import { BugError, InputError } from "./errors.ts";

const DAY = 86_400_000;

describe("toMilliseconds", () => {
  test.each<[number | string, number]>([
    [0, 0],
    [1_500, 1_500],
    [0.2, 1],
    [99.6, 100],
    ["0s", 0],
    ["250ms", 250],
    ["30s", 30_000],
    ["10m", 600_000],
    ["6h", 21_600_000],
    ["2d", 2 * DAY],
    ["1w", 7 * DAY],
    ["1h30m", 5_400_000],
    [" 1h 30m ", 5_400_000],
    ["1.5h", 5_400_000],
    ["1.1h", 3_960_000],
    ["1m500ms", 60_500],
    ["1w1d1h1m1s1ms", 8 * DAY + 3_661_001],
    ["3650d", 3_650 * DAY],
  ])("%s is %s ms", (value, ms) => {
    expect(toMilliseconds(value, "pause")).toBe(ms);
  });

  test.each<[unknown, string]>([
    [-1, "pause must not be negative, got -1"],
    ["-5s", 'pause must not be negative, got "-5s"'],
    [Number.NaN, 'pause must be milliseconds or text such as "30s", got NaN'],
    [Number.POSITIVE_INFINITY, 'pause must be milliseconds or text such as "30s", got Infinity'],
    [null, 'pause must be milliseconds or text such as "30s", got a value of type object'],
    [10n, 'pause must be milliseconds or text such as "30s", got a value of type bigint'],
    ["3651d", 'pause must be at most ten years (3650d), got "3651d"'],
    [1e15, "pause must be at most ten years (3650d), got 1000000000000000"],
    ["250", 'got "250", which has no unit'],
    ["30m1h", "where each unit may stand once, the largest first"],
    ["1h1h", "where each unit may stand once, the largest first"],
    ["soon", 'or "1h30m", got "soon"'],
    ["", 'or "1h30m", got ""'],
    ["   ", 'or "1h30m", got "   "'],
    ["5 minutes", 'got "5 minutes"'],
    ["5M", 'got "5M"'],
    ["1h30", 'got "1h30"'],
    ["1..5h", 'got "1..5h"'],
    [`${"9".repeat(400)}h`, `got "${"9".repeat(64)}…"`],
  ])("%s is refused with a reason naming the field", (value, message) => {
    const attempt = () => toMilliseconds(value as string, "pause"); // untyped callers pass anything
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(expect.objectContaining({ field: "pause" }));
  });

  test("any sum of whole units is read exactly", () => {
    const sizes = { w: 7 * DAY, d: DAY, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
    const part = (max: number) => fc.option(fc.nat(max), { nil: undefined });
    const parts = fc.record({ w: part(100), d: part(99), h: part(99), m: part(99), s: part(99), ms: part(9_999) });
    fc.assert(
      fc.property(parts, (amounts) => {
        let text = "";
        let expected = 0;
        for (const [unit, size] of Object.entries(sizes)) {
          const amount = amounts[unit as keyof typeof sizes]; // Object.entries forgets the keys
          if (amount === undefined) continue;
          text += `${amount}${unit}`;
          expected += amount * size;
        }
        fc.pre(text !== "");
        expect(toMilliseconds(text, "pause")).toBe(expected);
      }),
    );
  });

  test("whatever is passed, the answer is whole milliseconds in range or an input error", () => {
    const nearly = fc.stringMatching(/^[-\d.wdhms ]{0,12}$/);
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.double(), fc.string(), nearly), (value) => {
        try {
          const ms = toMilliseconds(value as string, "pause"); // untyped callers pass anything
          expect(Number.isSafeInteger(ms) && ms >= 0 && ms <= 3_650 * DAY).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("describeDuration", () => {
  test.each([
    [0, "0 s"],
    [-5_000, "0 s"],
    [250, "250 ms"],
    [999.6, "1 s"],
    [45_000, "45 s"],
    [59_600, "1 min"],
    [90_000, "1 min 30 s"],
    [3_599_900, "1 h"],
    [9_660_000, "2 h 41 min"],
    [9_660_000 + 29_000, "2 h 41 min"],
    [DAY - 20_000, "1 d"],
    [3 * DAY + 4 * 3_600_000, "3 d 4 h"],
    [400 * DAY, "400 d"],
    [1_294_169_500, "14 d 23 h"], // was rounded twice, up to 15 d
  ])("%s ms is %s", (ms, text) => {
    expect(describeDuration(ms)).toBe(text);
  });

  test("names at most two units, none of them full, and is off by at most half of the smaller one", () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(120_000), fc.nat(2 * DAY), fc.nat(2 ** 31 - 1)), (ms) => {
        const text = describeDuration(ms);
        expect(text).toMatch(/^\d+ (d|h|min|s|ms)( \d+ (h|min|s))?$/);
        expect(text).not.toMatch(/\b(60 s|60 min|24 h|1000 ms)$/);
        const back = toMilliseconds(text.replace("min", "m").replace(/(\d) /g, "$1"), "text");
        const smaller = back < 1_000 ? 1 : back < 3_600_000 ? 1_000 : back < DAY ? 60_000 : 3_600_000;
        expect(Math.abs(back - ms)).toBeLessThanOrEqual(smaller / 2);
      }),
      { numRuns: 500 },
    );
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("%s is a bug", (ms) => {
    expect(() => describeDuration(ms)).toThrow(BugError);
  });
});
