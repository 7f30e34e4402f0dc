// What the demo decides and shows, without a world.

import { describe, expect, it } from "vitest";
import { lost } from "./lost.ts";
import { demoOptions, HELP } from "./options.ts";
import { barLine, changedLines, placeOf, type Shown } from "./screen.ts";
import { type Happened, tally } from "./tally.ts";
import { film, filmKey } from "./titles.ts";

describe("what is typed", () => {
  it("is nothing, or what the help says", () => {
    expect(demoOptions([])).toEqual({
      ...{ isHelp: false, isOnce: false, port: undefined, folder: undefined, items: undefined, world: undefined },
    });
    expect(demoOptions(["--once", "--items", "3", "--port", "0", "--folder", "x", "--world", "films"])).toEqual({
      ...{ isHelp: false, isOnce: true, port: 0, folder: "x", items: 3, world: "films" },
    });
    for (const flag of ["--once", "--items", "--port", "--folder", "--world", "--help"]) expect(HELP).toContain(flag);
  });

  it.each([
    [["--twice"], "--twice"],
    [["--port", "http"], '--port is a whole number from 0 to 65535, got "http"'],
    [["--items", "0"], "--items is a whole number from 1 to 20"],
    [["--world", "moon"], '--world is media or films, got "moon"'],
  ])("%j is refused in words", (argv, words) => {
    expect(() => demoOptions(argv)).toThrow(words);
  });
});

describe("films", () => {
  it("come round again, and now and then one is asked about where that is wanted", () => {
    const first = Array.from({ length: 24 }, (_, count) => film(count, { asks: true }));
    expect(new Set(first.map(filmKey)).size).toBe(24);
    expect(film(24, { asks: true }).title).toBe(first[0]?.title);
    expect(first.filter(({ asks }) => asks)).toHaveLength(2);
    expect(first.some((_, count) => film(count, { asks: false }).asks)).toBe(false);
  });
});

describe("what happened", () => {
  const at = (seconds: number) => new Date(seconds * 1_000);
  const entry = (outcome: Happened["outcome"], seconds: number, more: Partial<Happened> = {}): Happened => ({
    ...{ outcome, ended: at(seconds), from: "convert", to: "convert", attempt: null, tookMs: 1, code: null },
    ...more,
  });
  const history: Happened[] = [
    entry("accepted", 0, { from: null, to: "fetch", tookMs: null }),
    entry("done", 4, { from: "fetch", attempt: 1 }),
    entry("fault", 5, { code: "NOT_REACHED" }),
    entry("fault", 6, { code: "STALLED", attempt: 1 }),
    entry("fault", 7, { code: "STALLED", attempt: 2 }),
    entry("done", 12, { to: null, attempt: 3 }),
  ];

  it("is counted for each stage: visits, waits, retries, and how long it took", () => {
    expect(tally([history], ["fetch", "convert"])).toEqual([
      { stage: "fetch", visits: 1, waits: 0, retries: 0, tookMs: [4_000], reasons: [] },
      {
        ...{ stage: "convert", visits: 4, waits: 1, retries: 2, tookMs: [8_000] },
        reasons: ["2 × STALLED", "1 × NOT_REACHED"],
      },
    ]);
  });

  it("takes no time where it did not end", () => {
    expect(tally([history.slice(0, 4)], ["convert"])[0]?.tookMs).toEqual([]);
  });
});

describe("what is lost", () => {
  const shelves = (...files: string[]) => new Map([["library", files]]);
  const done = [{ id: "itm_1", state: "done" }];

  it("is nothing when each target has one more file for each film, whatever it took away", () => {
    expect(lost(1, shelves("old", "older"), shelves("old", "new"), done)).toEqual([]);
  });

  it("is told in words: what is missing, what is there twice, what failed", () => {
    expect(lost(1, shelves("old"), shelves("old"), done)).toEqual(["library got 0 files for 1 films"]);
    expect(lost(1, shelves(), shelves("a", "b"), done)).toEqual(["library got 2 files for 1 films"]);
    expect(lost(1, shelves(), shelves("a"), [{ id: "itm_1", state: "failed" }])).toEqual(["itm_1 ended as failed"]);
  });
});

describe("a run on the screen", () => {
  const item: Shown = { title: "Faust (1926)", stage: "convert", state: "running", progress: 50 };

  it("is a bar with where it is", () => {
    expect(barLine(item)).toMatch(/^ {2}Faust \(1926\) +█{10}░{10} +50 % {2}running in convert$/);
    expect(barLine({ ...item, state: "done", progress: 100 })).toMatch(/100 % {2}done$/);
    expect(barLine({ ...item, title: "x".repeat(60), state: "waiting" }).length).toBeLessThan(80);
  });

  it("is without a terminal a line for each change, and none for none", () => {
    expect(changedLines([item], new Map())).toEqual([expect.stringMatching(/Faust \(1926\) +running in convert/)]);
    expect(changedLines([{ ...item, progress: 60 }], new Map([[item.title, placeOf(item)]]))).toEqual([]);
  });
});
