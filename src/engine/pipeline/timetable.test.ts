import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timetable } from "./timetable.ts";

function times(cron: string, zone: string, from: string, count: number): string[] {
  const table = timetable(cron, zone, "s");
  const found: string[] = [];
  for (let at = Date.parse(from); found.length < count; ) {
    at = table.next(at) ?? Number.NaN;
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

describe("a time that a night lacks is due right after the gap", () => {
  it.each([
    ["Europe/Berlin", "30 2 * * *", "2027-03-27T12:00:00Z", ["2027-03-28T01:00", "2027-03-29T00:30"]],
    ["America/New_York", "30 2 * * *", "2027-03-13T12:00:00Z", ["2027-03-14T07:00", "2027-03-15T06:30"]],
    // Half an hour only: 02:00 becomes 02:30.
    ["Australia/Lord_Howe", "15 2 * * *", "2027-10-02T00:00:00Z", ["2027-10-02T15:30", "2027-10-03T15:15"]],
    // At midnight.
    ["America/Sao_Paulo", "0 0 * * *", "2018-11-03T12:00:00Z", ["2018-11-04T03:00", "2018-11-05T02:00"]],
  ])("%s, %s", (zone, cron, from, expected) => expect(times(cron, zone, from, 2)).toEqual(expected));
});

describe("a time that a night has twice is due the first time", () => {
  it.each([
    ["Europe/Berlin", "30 2 * * *", "2027-10-30T12:00:00Z", ["2027-10-31T00:30", "2027-11-01T01:30"]],
    ["America/New_York", "30 1 * * *", "2027-11-06T12:00:00Z", ["2027-11-07T05:30", "2027-11-08T06:30"]],
    ["Australia/Lord_Howe", "45 1 * * *", "2027-04-03T12:00:00Z", ["2027-04-03T14:45", "2027-04-04T15:15"]],
  ])("%s, %s", (zone, cron, from, expected) => expect(times(cron, zone, from, 2)).toEqual(expected));
});

describe("what repeats goes by elapsed time", () => {
  it("every half hour through the hour that is missing", () =>
    expect(times("*/30 * * * *", "Europe/Berlin", "2027-03-28T00:00:00Z", 3)).toEqual([
      "2027-03-28T00:30",
      "2027-03-28T01:00",
      "2027-03-28T01:30",
    ]));

  it("every hour through the hour that is there twice", () =>
    expect(times("0 * * * *", "Europe/Berlin", "2027-10-30T23:30:00Z", 3)).toEqual([
      "2027-10-31T00:00",
      "2027-10-31T01:00",
      "2027-10-31T02:00",
    ]));
});

const zones = fc.constantFrom(
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Africa/Cairo",
  "Asia/Kolkata",
);
const crons = fc.constantFrom(
  "30 2 * * *",
  "0 * * * *",
  "*/17 * * * *",
  "15 1 * * 0",
  "0 0 1 * *",
  "5,35 0-3 * * *",
  "*/20 * * * * *",
  "0 3 29 2 *",
);
/** Days when clocks change in one of the zones, and others. */
const moments = fc
  .tuple(
    fc.constantFrom(
      "2027-03-14",
      "2027-03-28",
      "2027-04-04",
      "2027-04-30",
      "2027-10-03",
      "2027-10-29",
      "2027-10-31",
      "2027-11-07",
      "2028-02-29",
    ),
    fc.integer({ min: -86_400_000, max: 86_400_000 }),
  )
  .map(([day, ms]) => Date.parse(day) + ms);

describe("for every expression, zone and moment", () => {
  it("the next time lies ahead, and there is none between", () =>
    fc.assert(
      fc.property(crons, zones, moments, fc.integer({ min: 0, max: 3_600_000 }), (cron, zone, at, less) => {
        const table = timetable(cron, zone, "s");
        const next = table.next(at) as number;
        expect(next).toBeGreaterThan(at);
        // Asked from anywhere before it, nothing earlier appears: it is the same time, or one that is not after `at`.
        const earlier = table.next(at - less) as number;
        expect(earlier <= at || earlier === next).toBe(true);
      }),
      { numRuns: 100 },
    ));

  it("looking back finds the times that looking ahead found", () =>
    fc.assert(
      fc.property(crons, zones, moments, (cron, zone, from) => {
        const table = timetable(cron, zone, "s");
        const ahead: number[] = [];
        for (let at = from; ahead.length < 8; ahead.push(at)) at = table.next(at) as number;
        const [first, last] = [ahead[0] as number, ahead[7] as number];
        expect(table.between(first, last, 100)).toEqual(ahead);
        expect(table.between(first, last, 3)).toEqual(ahead.slice(-3));
        expect(table.between(first, last - 1, 100)).toEqual(ahead.slice(0, -1));
      }),
      { numRuns: 100 },
    ));
});

describe("what is no timetable is refused", () => {
  it.each([
    "foo",
    "* * * *",
    "60 * * * *",
    "0 0 3 * * * 2027",
    "2027-01-01T00:00:00",
    "0 3 31 2 *",
    "@reboot",
    "",
    "0 ".repeat(200),
  ])("%j", (cron) => expect(() => timetable(cron, "UTC", "nightly")).toThrow(/nightly\.cron is not a cron expression/));

  it("a zone nobody knows", () =>
    expect(() => timetable("0 3 * * *", "Mars/Olympus", "nightly")).toThrow(/nightly\.zone is a time zone/));

  it("its rule is the expression and the zone, however it was spaced", () =>
    expect(timetable(" 0  3 * * * ", "UTC", "nightly").rule).toBe("0 3 * * * UTC"));
});
