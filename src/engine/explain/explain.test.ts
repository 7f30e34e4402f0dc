import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, base, ended, fault, leased, run, valve, waits } from "../../../test/support/explain-facts.ts";
import { explain } from "./explain.ts";

describe("an explanation", () => {
  it.each([
    ["its end", { ...ended("failed"), valve, waiter: null }, "failed", ["retry"]],
    ["being held before everything but the end", { run: leased, valve }, "running", ["cancel"]],
    ["its own wait before the valve", { run: waits("backoff"), valve }, "backoff", ["cancel"]],
    [
      "the valve before a missing worker",
      { valve, lane: { ...base.lane, liveWorkers: 0 } },
      "stage_off",
      ["open", "run-once", "cancel"],
    ],
    [
      "a missing worker before the cap",
      { lane: { cap: 1, inside: 1, perKey: null, ahead: 0, liveWorkers: 0 } },
      "no_worker",
      ["cancel"],
    ],
    [
      "the cap before the line",
      { lane: { cap: 1, inside: 1, perKey: null, ahead: 9, liveWorkers: 1 } },
      "capped",
      ["cancel"],
    ],
    ["the cap before the key's", { lane: { ...base.lane, cap: 1, inside: 1, perKey: 2 } }, "capped", ["cancel"]],
    ["the key's places before the line", { lane: { ...base.lane, perKey: 2, ahead: 9 } }, "key_capped", ["cancel"]],
    [
      "the line where a place is free",
      { lane: { cap: 2, inside: 1, perKey: null, ahead: 9, liveWorkers: 1 } },
      "queued",
      ["cancel"],
    ],
  ])("tells %s", (_, facts, reason, actions) => {
    expect(explain({ ...base, ...facts })).toMatchObject({ reason, actions });
  });

  it("offers what would end the wait", () => {
    const question = { id: "4", text: "Which cut?", options: null, fallbackAt: null };
    expect(explain({ ...base, run: waits("question"), question }).actions).toEqual(["answer", "cancel"]);
    const waiter = { kind: "signal", key: "paid", children: null } as const;
    expect(explain({ ...base, run: waits("payment"), waiter }).actions).toEqual(["signal", "cancel"]);
    expect(explain({ ...base, ...ended("done") }).actions).toEqual([]);
  });

  it("offers no retry of what cannot have its key back", () => {
    const told = explain({ ...base, ...ended("failed", { code: "EIO", isKeyTaken: true }) }, { timeZone: "UTC" });
    expect(told.actions).toEqual([]);
    expect(told.sentence).toBe(
      "Failed in encode at 11:20: EIO. It cannot be retried: another request has taken its key since it ended.",
    );
  });

  it("tells times in the reader's zone, with the day where it is another, and says so when it is nobody's", () => {
    const facts = { ...base, run: { ...run, since: new Date("2026-11-13T23:30:00Z") } };
    expect(explain(facts, { timeZone: "Europe/Berlin" }).sentence).toContain("since 12:20 (2 h 41 min)");
    expect(explain(facts).sentence).toContain("since 11:20 UTC (2 h 41 min)");
    const older = { ...base, run: { ...run, since: new Date("2026-11-13T23:30:00Z"), readyAt: null } };
    expect(explain(older, { timeZone: "Europe/Berlin" }).sentence).toContain("since 2026-11-14 00:30 (1 d 15 h)");
    expect(() => explain(base, { timeZone: "Nowhere" })).toThrow(expect.objectContaining({ field: "timeZone" }));
  });

  it.each([
    ["switch", true, ["open", "run-once", "cancel"]],
    ["pause", true, ["open", "run-once", "cancel"]],
    ["hold", true, ["open", "run-once", "cancel"]],
    ["switch", false, ["open", "cancel"]],
    ["breaker", false, ["check", "cancel"]],
  ])("offers to let one item through a %s, unless a breaker holds it too (%s)", (kind, isPassable, actions) => {
    expect(explain({ ...base, run, valve: { ...valve, kind, isPassable } }).actions).toEqual(actions);
  });

  it("has a reason other than unknown for every legal combination, and a sentence that ends", () => {
    const time = fc.option(fc.date({ min: at("00:00"), max: at("23:59"), noInvalidDate: true }), { nil: null });
    const legalRun = fc
      .record({
        state: fc.constantFrom(0, 1, 2),
        reason: fc.constantFrom(null, "backoff", "again", "question", "children", "scheduled", "undecodable", "my_own"),
        since: fc.constant(at("11:20")),
        readyAt: time,
        isDue: fc.boolean(),
        deadline: time,
        attempts: fc.nat(4),
      })
      // Only a wait has no time of its own, and what has none is not due.
      .filter((one) => one.readyAt !== null || (one.reason !== null && !one.isDue));
    const facts = fc.record({
      run: legalRun,
      valve: fc.option(fc.constantFrom(valve, { ...valve, kind: "breaker" }), { nil: null }),
      lane: fc.record({
        cap: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
        inside: fc.nat(3),
        perKey: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
        ahead: fc.nat(2_000),
        liveWorkers: fc.nat(2),
      }),
      attemptsMax: fc.option(fc.constant(5), { nil: null }),
      fault: fc.option(fc.constant(fault), { nil: null }),
      holder: fc.option(fc.record({ name: fc.constant("north"), isAlive: fc.boolean() }), { nil: null }),
    });
    fc.assert(
      fc.property(facts, (some) => {
        const { reason, sentence, since } = explain({ ...base, ...some });
        expect(reason).not.toBe("unknown");
        expect(since).not.toBeNull();
        expect(sentence).toMatch(/^[A-Z].*[.)]$/);
        expect(sentence).not.toMatch(/undefined|null|NaN| {2}|\.\./);
      }),
      { numRuns: 500 },
    );
  });
});
