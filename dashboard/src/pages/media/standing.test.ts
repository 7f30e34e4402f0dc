import { expect, it } from "vitest";
import { countStandings, dayOf, initialsOf, openOf, rollUp, standingOf } from "./standing.ts";

const TODAY = "2026-11-16";

it.each([
  ["done", "ready"],
  ["running", "working"],
  ["queued", "queued"],
  ["needs-you", "asking"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
  ["from tomorrow", "waiting"],
])("an item that is %s stands as %s", (state, standing) => {
  expect(standingOf({ state, airs: null }, TODAY)).toBe(standing);
});

it.each([
  ["2026-11-17", "not-on"],
  ["2026-11-16", "waiting"],
  ["2026-11-15", "waiting"],
  [null, "waiting"],
])("what waits and is on %s stands as %s", (airs, standing) => {
  expect(standingOf({ state: "waiting", airs }, TODAY)).toBe(standing);
});

it("what is in work before its day is in work", () => {
  expect(standingOf({ state: "running", airs: "2026-12-01" }, TODAY)).toBe("working");
});

it("counts are told in one order, without those of which there are none", () => {
  const items = ["failed", "done", "waiting", "done"].map((state) => ({ state, airs: null }));
  expect(countStandings(items, TODAY)).toEqual([
    ["ready", 2],
    ["waiting", 1],
    ["failed", 1],
  ]);
});

it.each([
  [["waiting", "running", "needs-you"], "asking"],
  [["waiting", "running", "queued"], "working"],
  [["waiting", "queued", "done"], "queued"],
  [["waiting", "done"], "waiting"],
])("a request under way with items that are %j stands as %s", (states, standing) => {
  const items = states.map((state) => ({ state, airs: null }));
  expect(rollUp({ status: "PROCESSING", items }, TODAY)).toEqual({ look: standing, of: standing });
});

it("one whose episodes are not on yet says so; one whose episodes nobody knows yet says its own word", () => {
  const later = { state: "waiting", airs: "2027-01-01" };
  expect(rollUp({ status: "PROCESSING", items: [later] }, TODAY).of).toBe("not-on");
  expect(rollUp({ status: "PENDING", items: [] }, TODAY)).toEqual({ look: "queued", of: undefined });
});

it("one that has ended says so, whatever its items say", () => {
  expect(rollUp({ status: "PARTIAL", items: [{ state: "waiting", airs: null }] }, TODAY)).toEqual({
    look: "waiting",
    of: undefined,
  });
});

it("what is not over is what is left", () => {
  expect(openOf({ total: 10, completed: 4, partly: 1, failed: 2, cancelled: 1 })).toBe(2);
});

it("a day is that of the clock on the wall", () => {
  expect(dayOf(new Date(2026, 0, 5, 23, 59).getTime())).toBe("2026-01-05");
});

it.each([
  ["The Matrix", "TM"],
  ["Severance", "S"],
  ["  ", "?"],
  ["ماتريكس عربي", "مع"],
  ["𝒜bc", "𝒜"],
])("%s has the initials %s", (title, initials) => {
  expect(initialsOf(title)).toBe(initials);
});
