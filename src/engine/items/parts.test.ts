import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VALUE_BYTES } from "../intake/limits.ts";
import {
  judgeParts,
  type PartStanding,
  type PartStatus,
  type PartsVerdict,
  partsFailure,
  sumUpParts,
  undoDelayMs,
} from "./parts.ts";

const part = (name: string, status: PartStatus, more: Partial<PartStanding> = {}): PartStanding => ({
  name,
  status,
  code: status === "failed" ? "EPERM" : null,
  message: status === "failed" ? "permission denied" : null,
  output: undefined,
  ...more,
});

describe("what becomes of an item with its parts", () => {
  const [p, d, f, c] = ["pending", "done", "failed", "cancelled"] as const;
  const table: readonly [PartStatus[], PartsVerdict, PartsVerdict][] = [
    //  parts        best-effort  all-or-nothing
    [[d, d, d], "done", "done"],
    [[d, p, d], "wait", "wait"],
    [[p, p, p], "wait", "wait"],
    [[d, f, d], "done", "withdraw"],
    [[d, f, p], "wait", "withdraw"],
    [[d, c, d], "done", "withdraw"],
    [[p, c, p], "wait", "withdraw"],
    [[f, f, f], "failed", "withdraw"],
    [[f, c, f], "failed", "withdraw"],
    [[c, c, c], "failed", "withdraw"],
    [[f], "failed", "withdraw"],
    [[d], "done", "done"],
  ];

  test.each(table)("%j: best-effort %s, all-or-nothing %s", (statuses, bestEffort, allOrNothing) => {
    const parts = statuses.map((status) => ({ status }));
    expect(judgeParts(parts, false)).toBe(bestEffort);
    expect(judgeParts(parts, true)).toBe(allOrNothing);
  });

  test("never depends on the order of its parts", () => {
    const statuses = fc.array(fc.constantFrom(p, d, f, c), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(statuses, fc.boolean(), (given, isWhole) => {
        const parts = given.map((status) => ({ status }));
        expect(judgeParts(parts.toReversed(), isWhole)).toBe(judgeParts(parts, isWhole));
      }),
    );
  });
});

describe("what is handed on", () => {
  test("names every part with what became of it", () => {
    const parts = [
      part("nas-1", "done", { output: { path: "/a" } }),
      part("nas-2", "failed"),
      part("nas-3", "cancelled"),
      part("nas-4", "done"),
    ];
    expect(sumUpParts(parts)).toEqual({
      delivered: ["nas-1", "nas-4"],
      failed: [{ part: "nas-2", code: "EPERM", message: "permission denied" }],
      cancelled: ["nas-3"],
      outputs: { "nas-1": { path: "/a" } },
    });
  });

  test("leaves out outputs that are too large together, and shortens reasons that are", () => {
    const large = sumUpParts([
      part("nas-1", "done", { output: "x".repeat(40_000) }),
      part("nas-2", "done", { output: "x".repeat(40_000) }),
    ]);
    expect(large).toMatchObject({ delivered: ["nas-1", "nas-2"], outputs: {} });
    const many = Array.from({ length: 200 }, (_, n) => part(`nas-${n}`, "failed", { message: "x".repeat(1_900) }));
    expect(sumUpParts(many).failed[0]).toMatchObject({ part: "nas-0", code: "EPERM" });
  });

  test("can always be stored", () => {
    const any = fc.record({
      status: fc.constantFrom<PartStatus>("done", "failed", "cancelled"),
      code: fc.constantFrom("E".repeat(64), null),
      message: fc.constantFrom('"'.repeat(2_000), "\u0001".repeat(2_000), null),
      output: fc.constantFrom(undefined, "y".repeat(2_000)),
    });
    fc.assert(
      fc.property(any, fc.constantFrom(1, 100, 1_000), (shape, count) => {
        // 1,000 names of 16 characters are as much as a stage may have.
        const parts = Array.from({ length: count }, (_, n) => ({ ...shape, name: `part-${n}`.padEnd(16, "x") }));
        const bytes = Buffer.byteLength(JSON.stringify(sumUpParts(parts)));
        expect(bytes).toBeLessThanOrEqual(VALUE_BYTES);
      }),
      { numRuns: 30 },
    );
  });
});

describe("why an item failed with its parts", () => {
  test.each<[string, readonly PartStanding[], Parameters<typeof partsFailure>[1], string]>([
    ["one", [part("a", "failed"), part("b", "done")], {}, "failed: a (EPERM, permission denied)"],
    [
      "one, the others undone",
      [part("a", "failed"), part("b", "done"), part("c", "cancelled")],
      { b: null },
      "failed: a (EPERM, permission denied); cancelled: c; undone: b",
    ],
    [
      "one that cannot be undone",
      [part("a", "failed"), part("b", "done")],
      { b: "read-only" },
      "failed: a (EPERM, permission denied); could not be undone: b (read-only)",
    ],
    ["none, all cancelled", [part("a", "cancelled")], {}, "every part was cancelled"],
  ])("%s", (_, parts, withdrawal, sentence) => {
    expect(partsFailure(parts, withdrawal)).toBe(sentence);
  });

  test("names the first ten", () => {
    const parts = Array.from({ length: 12 }, (_, n) => part(`p${n}`, "failed", { message: null }));
    expect(partsFailure(parts)).toMatch(/^failed: p0 \(EPERM\), .* and 2 more$/);
  });
});

test.each([
  [0, 10_000],
  [1, 10_000],
  [2, 20_000],
  [5, 160_000],
  [9, 1_800_000],
  [1_000, 1_800_000],
])("round %d of undoing is followed by %d ms of waiting", (round, ms) => {
  expect(undoDelayMs(round)).toBe(ms);
});
