// What becomes of work outside follows from what becomes of the item: stages × results, in the table's order.

import { describe, expect, it } from "vitest";
import { permanent, transient, unavailable } from "../pipeline/fault.ts";
import { again, back, done, skip, wait } from "../pipeline/outcome.ts";
import { decide } from "./decide.ts";
import type { Rules, Standing, VisitResult } from "./standing.ts";

const stage = { attemptsMax: 3, backoff: { baseMs: 1_000, capMs: 1_000, jitterMs: 0, jitterShare: 0 } };
const rules: Rules = {
  stages: [
    { name: "first", ...stage },
    { name: "outside", ...stage, outside: {} },
    { name: "last", ...stage },
  ],
};
const starting: Standing = { stage: 1, attempts: 0, series: 4, backs: 0, waits: 0, reason: null };
const finishing: Standing = { ...starting, finishing: true };
const decided = (standing: Standing, result: VisitResult) => decide(rules, standing, result, 0);

describe("a visit that was to start it", () => {
  it("hands the item to the watch", () => {
    const transition = decided(starting, { started: { ref: "job-1", key: "k" } });
    expect(transition).toMatchObject({
      kind: "started",
      to: { stage: 1 },
      series: 4,
      attempts: 0,
      delayMs: null,
      reason: null,
      keepBegun: true,
      outside: { watch: { ref: "job-1", key: "k" } },
    });
  });

  it("sends the item to the lane of whom it chose", () => {
    const transition = decided(starting, { chosen: "encoder:fast" });
    expect(transition).toMatchObject({
      kind: "chosen",
      to: { stage: 1 },
      delayMs: 0,
      service: "encoder:fast",
      outside: null,
    });
  });

  it.each([
    ["transient", { fault: transient("RESET", "reset") }, 1],
    ["unavailable", { fault: unavailable("DOWN", "down", { retryAfter: "1m" }) }, 0],
  ] as const)(
    "keeps its series after a fault that is %s, so that what was started is adopted",
    (_, result, attempts) => {
      expect(decided(starting, result)).toMatchObject({ series: 4, attempts, outside: null, entersAnew: false });
    },
  );
});

describe("a visit that was to finish it", () => {
  it.each([
    ["done", { outcome: done({ path: "/a" }) }],
    ["skip", { outcome: skip("not needed") }],
  ] as const)("leaves it behind as over with %s", (_, result) => {
    expect(decided(finishing, result)).toMatchObject({ to: { stage: 2 }, outside: { leave: "over" } });
  });

  it.each([
    ["a gate's fault", { fault: transient("PROBE", "unreadable") }],
    ["a disk that is full", { fault: unavailable("DISK_FULL", "no space") }],
    ["again", { outcome: again("1m") }],
    ["wait", { outcome: wait("not_scanned", { again: "1m" }) }],
  ] as const)("keeps it where it only has to be finished again: %s", (_, result) => {
    expect(decided(finishing, result)).toMatchObject({ to: { stage: 1 }, series: 4, outside: { keep: true } });
  });

  it.each([
    ["failed", { fault: transient("BROKEN", "broke"), gaveUp: { leave: "owed", atOnce: false } }, "owed", 1_000],
    ["vanished", { fault: transient("VANISHED", "gone"), gaveUp: { leave: "over", atOnce: false } }, "over", 1_000],
    ["stalled", { fault: transient("STALLED", "stuck"), gaveUp: { leave: "owed", atOnce: true } }, "owed", 0],
  ] as const)("starts anew under another series when it %s", (_, result, leave, delayMs) => {
    expect(decided(finishing, result)).toMatchObject({
      to: { stage: 1 },
      series: 5,
      attempts: 1,
      delayMs,
      entersAnew: true,
      keepBegun: false,
      outside: { leave },
    });
  });

  it("ends the item with its last attempt, whatever is left outside", () => {
    const result = { fault: transient("STALLED", "stuck"), gaveUp: { leave: "owed", atOnce: true } } as const;
    expect(decided({ ...finishing, attempts: 2 }, result)).toMatchObject({ to: { end: "failed" }, outside: null });
    expect(decided(finishing, { fault: permanent("BAD", "bad") })).toMatchObject({
      to: { end: "failed" },
      outside: null,
    });
  });

  it("owes its removal when the item goes back", () => {
    const result = { outcome: back("first"), gaveUp: { leave: "owed", atOnce: true } } as const;
    expect(decided(finishing, result)).toMatchObject({ to: { stage: 0 }, series: 5, outside: { leave: "owed" } });
  });
});
