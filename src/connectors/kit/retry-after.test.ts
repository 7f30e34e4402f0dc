import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LONGEST_WAIT_MS, retryAfterMs } from "./retry-after.ts";

const now = Date.parse("2026-03-01T12:00:00Z");

describe("Retry-After", () => {
  test.each<[string, string, number | undefined]>([
    ["seconds", "90", 90_000],
    ["no time at all", "0", 0],
    ["spaces around it", " 5 ", 5_000],
    ["a date to come", "Sun, 01 Mar 2026 12:00:30 GMT", 30_000],
    ["a date gone by", "Sun, 01 Mar 2026 11:00:00 GMT", 0],
    ["more than a day", "999999999", LONGEST_WAIT_MS],
    ["a number beyond all numbers", "9".repeat(400), LONGEST_WAIT_MS],
    ["a date next year", "Mon, 01 Mar 2027 12:00:00 GMT", LONGEST_WAIT_MS],
    ["a negative number", "-5", undefined],
    ["a fraction", "1.5", undefined],
    ["hexadecimal", "0x10", undefined],
    ["words", "soon", undefined],
    ["words with a number", "Retry 7", undefined],
    ["a date of another kind", "2026-03-01T12:00:30Z", undefined],
    ["a day that is none", "Sun, 99 Mar 2026 12:00:30 GMT", undefined],
    ["nothing", "", undefined],
  ])("%s", (_, text, expected) => {
    expect(retryAfterMs({ "retry-after": text }, now)).toBe(expected);
  });

  test("left out is not stated", () => {
    expect(retryAfterMs({}, now)).toBeUndefined();
  });

  test("a date counts from the service's own clock, where it tells it", () => {
    const headers = { "retry-after": "Sun, 01 Mar 2026 15:00:30 GMT", date: "Sun, 01 Mar 2026 15:00:00 GMT" };
    expect(retryAfterMs(headers, now)).toBe(30_000);
    expect(retryAfterMs({ ...headers, date: "today" }, now)).toBe(3 * 3_600_000 + 30_000);
  });

  test("whatever is said, the wait lies between nothing and a day", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (text) => {
          const wait = retryAfterMs({ "retry-after": text }, now);
          expect(wait === undefined || (wait >= 0 && wait <= LONGEST_WAIT_MS)).toBe(true);
        },
      ),
    );
  });
});
