import { expect, test } from "vitest";
import { backoffRule } from "../pipeline/backoff.ts";
import { unavailable } from "../pipeline/fault.ts";
import { again, wait } from "../pipeline/outcome.ts";
import { decide } from "./decide.ts";
import type { VisitResult } from "./standing.ts";

const backoff = backoffRule({ base: "1m", cap: "30m" }, "backoff");
const rules = { stages: [{ name: "only", attemptsMax: 3, backoff }] };
const standing = { stage: 0, attempts: 0, series: 1, backs: 0, waits: 0, reason: null };
const busy = (retryAfter: number): VisitResult => ({ fault: unavailable("BUSY", "x", { retryAfter }) });

test.each<[string, VisitResult, number]>([
  ["again(0)", { outcome: again(0) }, 50],
  ["again(49)", { outcome: again(49) }, 50],
  ["again(51)", { outcome: again(51) }, 51],
  ["wait, again: 0", { outcome: wait("reply", { again: 0 }) }, 50],
  ["wait, again: 60", { outcome: wait("reply", { again: 60 }) }, 60],
  ["retryAfter: 0", busy(0), 50],
  ["retryAfter: 70", busy(70), 70],
])("nobody is visited again at once at his own wish: %s", (_, result, delayMs) => {
  expect(decide(rules, standing, result, 0).delayMs).toBe(delayMs);
});

test("a wait without a time has none", () => {
  const result = { outcome: wait("reply", { signal: "k" }) };
  expect(decide(rules, standing, result, 0).delayMs).toBeNull();
});
