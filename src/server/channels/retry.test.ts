import { describe, expect, test } from "vitest";
import { type Failed, GIVE_UP_MS, nextTry } from "./retry.ts";

const failed = (given: Partial<Failed>): Failed => ({
  tries: 1,
  ageMs: 0,
  kind: "transient",
  status: 500,
  code: "HTTP_500",
  retryAfterMs: null,
  ...given,
});
const day = GIVE_UP_MS;

describe("a message that did not arrive", () => {
  test.each<[string, Partial<Failed>, number | null]>([
    ["is tried again soon", {}, 5_000],
    ["then later", { tries: 2 }, 30_000],
    ["and later", { tries: 4 }, 600_000],
    ["and every hour in the end", { tries: 20 }, 3_600_000],
    ["waits as long as it was asked to", { status: 429, kind: "unavailable", retryAfterMs: 90_000 }, 90_000],
    ["but never shorter than its turn", { tries: 3, kind: "unavailable", retryAfterMs: 1_000 }, 120_000],
    ["is given up after a day", { tries: 30, ageMs: day - 3_599_999 }, null],
    ["and not before", { tries: 30, ageMs: day - 3_600_000 }, 3_600_000],
    ["is given up where it was asked to wait longer than that", { retryAfterMs: day + 1 }, null],
    ["that was refused is tried a few times", { kind: "permanent", status: 404, tries: 4 }, 600_000],
    ["and given up then", { kind: "permanent", status: 404, tries: 5 }, null],
    ["is given up at once where the receiver is gone for good", { kind: "permanent", status: 410 }, null],
    ["and was answered with a flood is not sent for a day", { code: "TOO_LARGE", status: null, tries: 5 }, null],
  ])("%s", (_, given, delay) => {
    expect(nextTry(failed(given))).toBe(delay);
  });

  test("is tried about thirty times in all", () => {
    let tries = 0;
    for (let age = 0, delay: number | null = 0; delay !== null && tries < 100; age += delay ?? 0) {
      tries += 1;
      delay = nextTry(failed({ tries, ageMs: age }));
    }
    expect(tries).toBe(29);
  });
});
