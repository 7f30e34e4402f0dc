import { describe, expect, test } from "vitest";
import type { Job } from "../items/stall.ts";
import { changeOf, isDue, newlyOdd, paceAfter, type WatchedJob, wasSaved, wasTold } from "./watched-job.ts";

const before: Job = { state: "running", marks: { bytes: 1 }, progress: 10, activeAt: 0 };
const SAVED_AT = 100_000;

/** As it is when the look after its last save saw this. */
function seen(change: Partial<Job>, saved: Partial<Job> = {}): WatchedJob {
  const old = { ...before, ...saved };
  const job = { ...old, ...change };
  return { id: "1", version: 1, ref: "r", job, saved: old, savedAt: SAVED_AT, missed: 0, pace: 0, odd: new Map() };
}

/** The first whole second after the last save at which it is written. */
function dueAfter(one: WatchedJob): number | undefined {
  return Array.from({ length: 60 }, (_, second) => second).find((second) => isDue(one, SAVED_AT + second * 1_000));
}

describe("what a look saw of an outside job is written", () => {
  test.each<[string, number | undefined, Partial<Job>, Partial<Job>]>([
    ["at once where its state changed", 0, { state: "queued" }, {}],
    ["after two seconds where it moved by a point", 2, { progress: 11 }, {}],
    ["after two seconds where it moved by many", 2, { progress: 90 }, {}],
    ["after two seconds where it went back, for that is seen as well", 2, { progress: 3 }, {}],
    ["after two seconds where it tells of progress for the first time", 2, { progress: 0 }, { progress: null }],
    ["after fifteen where it moved by less than a point", 15, { progress: 10.99 }, {}],
    ["after fifteen where only its marks did", 15, { marks: { bytes: 2 } }, {}],
    ["after fifteen where it showed that it lives", 15, { activeAt: 5 }, {}],
    ["never where nothing changed", undefined, {}, {}],
  ])("%s", (_, seconds, change, saved) => {
    expect(dueAfter(seen(change, saved))).toBe(seconds);
  });

  test.each([
    ["that tells of nothing else", false, 100],
    ["whose bytes move with every look", true, 300],
  ])("a job of an hour %s: so often", (_, hasMarks, most) => {
    const one = seen({ progress: 0 }, { progress: 0 });
    let writes = 0;
    for (let second = 1; second <= 3_600; second += 1) {
      const now = SAVED_AT + second * 1_000;
      one.job = { ...one.job, progress: Math.floor(second / 36), ...(hasMarks ? { marks: { bytes: second } } : {}) };
      if (!isDue(one, now)) continue;
      wasSaved(one, now);
      writes += 1;
    }
    expect(writes).toBe(most);
  });

  test("nonsense it told is news until it was written, and only once", () => {
    const one = seen({});
    one.odd.set("progress NaN", false);
    const note = { id: "1", version: 1, message: "progress NaN" };
    expect([newlyOdd(one), newlyOdd(one)]).toEqual([[note], [note]]);
    wasTold(one);
    expect(newlyOdd(one)).toEqual([]);
  });

  test("it is news until it was written", () => {
    const one = seen({ progress: 20 });
    changeOf(one, SAVED_AT + 15_000);
    expect(isDue(one, SAVED_AT + 15_000)).toBe(true);
    wasSaved(one, SAVED_AT + 15_000);
    expect(isDue(one, SAVED_AT + 60_000)).toBe(false);
  });
});

describe("of a job that gets on", () => {
  const NOW = SAVED_AT + 15_000;
  const further = { marks: { bytes: 2 }, progress: 10.5, activeAt: NOW };
  const moving = (pace: number, change: Partial<Job> = further, saved: Partial<Job> = {}): WatchedJob => ({
    ...seen(change, saved),
    pace,
  });

  test("every part is written at first, for it may be the last that is seen of it", () => {
    expect(changeOf(moving(1), NOW)).toMatchObject({ progress: 10.5, marks: '{"bytes":2}', activeMsAgo: 0 });
  });

  test("once it moves steadily only points, and every fifteen seconds that it lives", () => {
    const lives = { progress: 10, marks: null, activeMsAgo: 0 };
    expect(changeOf(moving(2, further, { activeAt: SAVED_AT }), NOW)).toMatchObject(lives);
    const point = moving(2, { ...further, progress: 11 }, { activeAt: SAVED_AT + 1 });
    expect(changeOf(point, NOW)).toMatchObject({ progress: 11, marks: null, activeMsAgo: null });
    wasSaved(point, NOW);
    expect(changeOf(point, NOW + 15_000)).toMatchObject({ progress: 11, marks: null, activeMsAgo: 15_000 });
  });

  test.each<[string, Partial<Job>, Partial<Job>]>([
    ["its row does not know that anything ever moved", further, { marks: { bytes: 0 } }],
    ["its state changed", further, { state: "paused" }],
  ])("every part is written where %s", (_, change, saved) => {
    const one = { ...moving(2, change, saved), job: { ...before, ...change } };
    expect(changeOf(one, NOW)).toMatchObject({ progress: 10.5, marks: '{"bytes":2}' });
  });

  test.each([
    ["a look that falls between two moves changes nothing", [1, 1, 1, 0, 1, 1, 0], 2],
    ["after two without a move it stands still", [1, 1, 1, 1, 1, 0, 0], 1],
    ["a move now and then is none of many", [1, 0, 0, 1, 0, 0, 1], 1],
  ])("%s", (_, looks, pace) => {
    expect(looks.reduce((before, moved) => paceAfter(before, moved === 1), 0)).toBe(pace);
  });

  test("nothing is written of a look that falls between two moves", () => {
    const one = moving(3);
    wasSaved(one, NOW);
    one.pace = 2;
    expect(isDue(one, NOW + 60_000)).toBe(false);
  });

  test("what was left out is written once it stands still", () => {
    const one = moving(2);
    wasSaved(one, NOW);
    one.pace = 1;
    expect(dueAfter(one)).toBe(30);
    expect(changeOf(one, NOW + 15_000)).toMatchObject({ progress: 10.5, marks: '{"bytes":2}', activeMsAgo: null });
    wasSaved(one, NOW + 15_000);
    expect(isDue(one, NOW + 600_000)).toBe(false);
  });
});
