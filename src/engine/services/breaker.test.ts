import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { service } from "../pipeline/service.ts";
import { type CallEnd, type Health, judge, RAMP_MOST } from "./breaker.ts";

const rules = service("api").rules;
const SECOND = 1_000;
const COOLDOWN = 300 * SECOND;
const ERA = 7;

const well: Health = {
  isOpen: false,
  recent: [],
  changedAt: ERA,
  probeAt: null,
  probe: null,
  ramp: null,
  busyUntil: null,
  code: null,
  message: null,
};

const end = (verdict: CallEnd["verdict"], item: string | null, change: Partial<CallEnd> = {}): CallEnd => ({
  at: 0,
  item,
  verdict,
  era: ERA,
  code: "REFUSED",
  message: "connection refused",
  ...change,
});
/** In this order, a second apart: "f1" is a failure of item 1, "s2" a success of item 2, "f-" a failure of nobody's. */
const ends = (text: string, change: Partial<CallEnd> = {}): CallEnd[] =>
  text.split(" ").map((word, index) => {
    const item = word.slice(1) === "-" ? null : word.slice(1);
    return end(word.startsWith("f") ? "failure" : "success", item, { at: index * SECOND, ...change });
  });
const judged = (text: string, health = well) => judge(health, ends(text), rules, 100 * SECOND);
const many = (count: number, word: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => word(i)).join(" ");

describe("a closed breaker", () => {
  it.each([
    ["four failures in a row", "f1 f2 f3 f4", false],
    ["five in a row of five items", "f1 f2 f3 f4 f5", true],
    ["five in a row of three items", "f1 f2 f3 f1 f2", true],
    ["five in a row of two items", "f1 f2 f1 f2 f1", false],
    ["twenty in a row of one item", many(20, () => "f1"), false],
    ["nine of one item, then two others", `${many(9, () => "f1")} f2 f3`, true],
    ["a success between", "f1 f2 f3 f4 s5 f6", false],
    ["looks on nobody's behalf", "f- f- f- f- f-", true],
    ["half of the last twenty", many(21, (i) => (i % 2 === 0 ? `f${i}` : `s${i}`)), true],
    ["half of the last twenty, of two items", many(21, (i) => (i % 2 === 0 ? `f${i % 4}` : `s${i}`)), false],
    ["less than half of twenty", many(24, (i) => (i % 3 === 0 ? `f${i}` : `s${i}`)), false],
    ["half of fewer than twenty", many(18, (i) => (i % 2 === 0 ? `s${i}` : `f${i}`)), false],
  ])("%s: %s", (_, text, opens) => {
    const { turned, health } = judged(text);
    expect(turned).toBe(opens ? "opened" : null);
    if (opens)
      expect(health).toMatchObject({ isOpen: true, probeAt: 100 * SECOND + COOLDOWN, code: "REFUSED", recent: [] });
  });

  it("does not open for a share of calls that are spread over longer than the window", () => {
    const slow = ends(many(20, (i) => (i % 2 === 0 ? `s${i}` : `f${i}`))).map((one) => ({ ...one, at: one.at * 10 }));
    expect(judge(well, slow, rules, 300 * SECOND).turned).toBe(null);
  });

  it("opens at once for refused credentials", () => {
    expect(judge(well, [end("open", "1", { code: "AUTH" })], rules, 5).health).toMatchObject({
      isOpen: true,
      code: "AUTH",
    });
  });

  it("writes nothing while nothing fails, and forgets once all remembered calls went well", () => {
    expect(judged(many(50, (i) => `s${i}`)).isChanged).toBe(false);
    const once = judged("f1 s2").health;
    expect(once.recent).toHaveLength(2);
    expect(judge(once, ends(many(20, (i) => `s${i}`)), rules, 200 * SECOND).health.recent).toEqual([]);
  });

  it("does not count what began before it last turned", () => {
    const late = ends("f1 f2 f3 f4 f5 f6", { era: ERA - 1 });
    expect(judge(well, late, rules, 0).isChanged).toBe(false);
    expect(judge(well, [end("open", "1", { era: ERA - 1 })], rules, 0).isChanged).toBe(false);
  });

  it("takes being told to wait as a wait, the longest one, and as nothing else", () => {
    const told = (retryAfterMs: number) => end("none", "1", { retryAfterMs });
    expect(judge(well, [told(60_000), told(10_000)], rules, 5).health).toEqual({ ...well, busyUntil: 60_005 });
    expect(judge(well, [end("none", "1")], rules, 5).isChanged).toBe(false);
    expect(judge(well, [told(365 * 24 * 3_600_000)], rules, 0).health.busyUntil).toBe(24 * 3_600_000);
  });
});

describe("an open breaker", () => {
  const open: Health = {
    ...well,
    isOpen: true,
    probeAt: 0,
    probe: { epoch: "9", until: 50_000 },
    code: "REFUSED",
    message: "connection refused",
  };
  const probe = (verdict: CallEnd["verdict"], change: Partial<CallEnd> = {}) =>
    judge(open, [end(verdict, null, { probe: "9", ...change })], rules, 1_000);

  it("closes when its probe succeeds, and begins to ramp", () => {
    expect(probe("success").health).toEqual({ ...well, changedAt: 1_000, ramp: { most: 1, left: 1 } });
    expect(probe("success").turned).toBe("closed");
  });

  it("stays open until the next cooldown when it fails, and is the same outage", () => {
    const again = probe("failure", { code: "TIMEOUT", message: "no answer" });
    expect(again.turned).toBe(null);
    expect(again.health).toMatchObject({ changedAt: ERA, probe: null, probeAt: 1_000 + COOLDOWN, code: "TIMEOUT" });
  });

  it("asks again soon when the probe said nothing, or when it was told", () => {
    expect(probe("none").health).toMatchObject({ probe: null, probeAt: 2_000, code: "REFUSED" });
    expect(probe("none", { retryAfterMs: 60_000 }).health).toMatchObject({ probe: null, probeAt: 61_000 });
  });

  it("believes nobody but the holder of the probe", () => {
    expect(judge(open, [end("success", "1")], rules, 0).isChanged).toBe(false);
    expect(judge(open, [end("success", null, { probe: "8" })], rules, 0).isChanged).toBe(false);
    expect(judge({ ...open, probe: null }, [end("success", null, { probe: "9" })], rules, 0).isChanged).toBe(false);
  });
});

describe("a ramp", () => {
  const ramp = (successes: number, capacity: number | null = null) => {
    const start = { ...well, ramp: { most: 1, left: 1 } };
    const ok = Array.from({ length: successes }, (_, i) => end("success", String(i), { at: i }));
    return judge(start, ok, { ...rules, capacity }, 0).health.ramp;
  };

  it("doubles after as many successes", () => {
    expect([0, 1, 2, 3, 6, 7].map((n) => ramp(n)?.most)).toEqual([1, 2, 2, 4, 4, 8]);
  });

  it("ends at the capacity, and where nobody would notice it any more", () => {
    expect(ramp(7, 8)).toBe(null);
    expect(ramp(6, 8)).toEqual({ most: 4, left: 1 });
    expect(ramp(RAMP_MOST - 2)?.most).toBe(RAMP_MOST / 2);
    expect(ramp(RAMP_MOST - 1)).toBe(null);
    const open: Health = { ...well, isOpen: true, probeAt: 0, probe: { epoch: "9", until: 1 } };
    const alone = judge(open, [end("success", null, { probe: "9" })], { ...rules, capacity: 1 }, 0);
    expect(alone.health.ramp).toBe(null);
  });
});

describe("always", () => {
  const anyEnd = fc.record({
    at: fc.integer({ min: 0, max: 100_000 }),
    item: fc.constantFrom("1", "2"),
    verdict: fc.constantFrom("success" as const, "failure" as const, "none" as const),
    era: fc.constantFrom(ERA, ERA - 1),
  });

  it("two items alone never open it", () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyEnd, { maxLength: 30 }), { maxLength: 8 }), (batches) => {
        let health = well;
        for (const batch of batches) health = judge(health, batch, rules, 100_000).health;
        expect(health.isOpen).toBe(false);
        expect(health.recent.length).toBeLessThanOrEqual(20);
      }),
    );
  });

  it("how reports are cut into batches does not matter while it is closed", () => {
    const some = fc.array(
      fc.record({
        ...{
          at: fc.integer({ min: 0, max: 100_000 }),
          verdict: fc.constantFrom("success" as const, "failure" as const),
        },
        item: fc.constantFrom("1", "2"),
        era: fc.constant(ERA),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(some, fc.nat(12), (all, cut) => {
        const sorted = all.toSorted((a, b) => a.at - b.at);
        const whole = judge(well, sorted, rules, 100_000).health;
        const first = judge(well, sorted.slice(0, cut), rules, 100_000).health;
        expect(judge(first, sorted.slice(cut), rules, 100_000).health).toEqual(whole);
      }),
    );
  });
});
