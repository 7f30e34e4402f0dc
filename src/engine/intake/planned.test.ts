import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Missed } from "../pipeline/schedule.ts";
import { type Timetable, timetable } from "../pipeline/timetable.ts";
import { ALL_MOST, COUNTED_MOST, ON_TIME_MS, stepOf } from "./planned.ts";

const hourly = timetable("0 * * * *", "UTC", "s");
const at = (time: string) => Date.parse(`2030-01-${time}:00Z`);
const shown = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().slice(8, 16));

describe("hourly, due at 03:00", () => {
  it.each<[Missed, string, string | null, number, string]>([
    ["once", "01T03:00", "01T03:00", 0, "01T04:00"],
    ["once", "01T05:30", "01T05:00", 2, "01T06:00"],
    ["skip", "01T03:00", "01T03:00", 0, "01T04:00"],
    ["skip", "01T03:01", "01T03:00", 0, "01T04:00"],
    ["skip", "01T03:02", null, 1, "01T04:00"],
    ["skip", "01T05:00", "01T05:00", 2, "01T06:00"],
    ["all", "01T03:00", "01T03:00", 0, "01T04:00"],
    ["all", "01T05:30", "01T03:00", 0, "01T04:00"],
    ["all", "11T03:30", "07T00:00", 141, "07T01:00"],
  ])("%s, noticed at %s: runs %s, misses %i, next %s", (missed, now, run, count, next) => {
    const step = stepOf(hourly, missed, at("01T03:00"), at(now));
    expect([shown(step.run), step.missed, shown(step.next)]).toEqual([run, count, next]);
  });

  it("counts no further than a thousand", () => {
    const secondly = timetable("* * * * * *", "UTC", "s");
    const step = stepOf(secondly, "once", at("01T03:00"), at("20T03:00"));
    expect(step.missed).toBe(COUNTED_MOST - 1);
  });

  it("a promised time is kept although the zone's rules have changed since", () =>
    expect(shown(stepOf(hourly, "all", at("01T02:30"), at("01T03:10")).run)).toBe("01T02:30"));
});

const policies = fc.constantFrom<Missed>("once", "skip", "all");

/** The same times, worked out once: to ask the library for each of them again and again took ten seconds. */
function listed(cron: string): Timetable {
  const table = timetable(cron, "Europe/Berlin", "s");
  const times = table.between(Date.parse("2027-10-30T00:00:00Z"), Date.parse("2027-11-08T00:00:00Z"), 10_000);
  return {
    rule: table.rule,
    next: (after) => times.find((time) => time > after) ?? null,
    between: (from, to, most) => times.filter((time) => time >= from && time <= to).slice(-most),
  };
}

describe("however a schedule is looked at, by a clock that may stand, crawl, leap and be set back", () => {
  /** Plays looks at the given distances, from a stored due time, as the engine does. */
  function play(missed: Missed, cron: string, waits: readonly number[]) {
    const table = tables.get(cron) as Timetable;
    let now = Date.parse("2027-10-30T20:00:00Z");
    let due = table.next(now) as number;
    const start = due;
    const runs: number[] = [];
    let left = 0;
    for (const wait of waits) {
      now += wait;
      for (let steps = 0; due <= now && steps < 500; steps += 1) {
        const step = stepOf(table, missed, due, now);
        expect(step.next).toBeGreaterThan(due);
        if (step.run !== null) runs.push(step.run);
        left += step.missed;
        due = step.next as number;
      }
    }
    return { table, runs, left, start, due };
  }

  const waits = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: -3_600_000, max: 8 * 3_600_000 })),
    { maxLength: 12 },
  );
  const expressions = ["*/10 * * * *", "30 2 * * *", "5 * * * *"];
  const tables = new Map(expressions.map((one) => [one, listed(one)]));
  const cron = fc.constantFrom(...expressions);

  it("no planned time is run twice, and they come in order", () =>
    fc.assert(
      fc.property(policies, cron, waits, (missed, expression, looks) => {
        const { runs } = play(missed, expression, looks);
        expect(runs).toEqual([...new Set(runs)].sort((a, b) => a - b));
      }),
      { numRuns: 200 },
    ));

  it("every planned time is run or counted as missed", () =>
    fc.assert(
      fc.property(policies, cron, waits, (missed, expression, looks) => {
        const { table, runs, left, start, due } = play(missed, expression, looks);
        expect(runs.length + left).toBe(table.between(start, due - 1, 10_000).length);
        if (missed === "all" && left > 0) expect(runs.length).toBeGreaterThanOrEqual(ALL_MOST);
      }),
      { numRuns: 200 },
    ));

  it("what is on time is run, whatever the policy", () =>
    fc.assert(
      fc.property(policies, fc.integer({ min: 0, max: ON_TIME_MS }), (missed, late) => {
        const due = at("01T03:00");
        expect(stepOf(hourly, missed, due, due + late).run).toBe(due);
      }),
    ));
});
