import { describe, expect, it } from "vitest";
import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { quantile, recoveries } from "./recovery.ts";
import { rightHistory, row, visit } from "./right-history.ts";

const times = (history: Parameters<typeof recoveries>[0]) =>
  recoveries(history).map(({ ms, sinceReadyMs }) => [ms, sinceReadyMs]);

describe("how long what a killed worker held stood still", () => {
  it("is the time from the kill until a handler is entered again, and since the same worker was up again", () => {
    expect(times(rightHistory())).toEqual([[4_500, 1_000]]);
  });

  it("leaves out when the database was away or no worker was up, once where both were", () => {
    const downtimes = [{ from: 2_000, to: 3_000 }];
    const absences = [{ from: 2_500, to: 4_000 }];
    expect(times({ ...rightHistory(), downtimes, absences })).toEqual([[2_500, 1_000]]);
  });

  it("is not ended by what the dead worker's orphan still does", () => {
    const right = rightHistory();
    const visits = [...right.visits, visit("1", "price", 1_600, { pid: 71, ppid: 70 })];
    expect(times({ ...right, visits })).toEqual([[4_500, 1_000]]);
  });

  it("is not measured where the next holder was lost before it began", () => {
    const right = rightHistory();
    const lost = { ...row("1", JOURNAL_KIND.reclaimed, 3, { epoch: "9" }), at: 5_500 };
    const journal = right.journal.map((one) => (one.kind === JOURNAL_KIND.reclaimed ? { ...one, at: 4_000 } : one));
    expect(times({ ...right, journal: [...journal, lost] })).toEqual([]);
  });

  it("is not measured where the next holder was stopped before it began, or the stage has a cap", () => {
    const right = rightHistory();
    expect(times({ ...right, pauses: [{ pid: 80, from: 3_000, to: 5_900 }] })).toEqual([]);
    expect(times({ ...right, items: right.items.map((item) => ({ ...item, pipeline: "press" })) })).toEqual([]);
  });

  it("has no restart to speak of when the worker was struck again before its two seconds were over", () => {
    const right = rightHistory();
    const successor = { epoch: "9", name: "first", pid: 75, startedAt: 4_900, endedAt: null };
    const lives = [...right.lives, successor];
    const killed = (at: number) => ({ pid: 75, at, isAtOnce: true, readyAt: null });
    expect(times({ ...right, lives })).toEqual([[4_500, 1_000]]);
    expect(times({ ...right, lives, kills: [...right.kills, killed(6_500)] })).toEqual([[4_500, 1_000]]);
    expect(times({ ...right, lives, kills: [...right.kills, killed(5_500)] })).toEqual([[4_500, null]]);
    expect(times({ ...right, lives, pauses: [{ pid: 75, from: 5_500, to: 9_000 }] })).toEqual([[4_500, null]]);
    // Up for two seconds, and nothing happened: that is late, whatever befell it later.
    const late = right.visits.map((one) => (one.at === 6_000 ? { ...one, at: 7_500 } : one));
    expect(times({ ...right, lives, visits: late, kills: [...right.kills, killed(7_100)] })).toEqual([[6_000, 2_500]]);
  });

  it("has no restart to speak of when the worker was started later", () => {
    const right = rightHistory();
    expect(times({ ...right, kills: right.kills.map((kill) => ({ ...kill, isAtOnce: false })) })).toEqual([
      [4_500, null],
    ]);
  });
});

describe("quantile", () => {
  it("knows the middle and the end, and is 0 of nothing", () => {
    expect([quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 1), quantile([], 0.5)]).toEqual([2, 3, 0]);
  });
});
