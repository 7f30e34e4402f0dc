import { beforeEach, describe, expect, it } from "vitest";
import { manualClock } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import type { Held } from "./held.ts";
import { isDue, RunningNotes, restAfter } from "./running-notes.ts";
import { VisitLog } from "./visit-log.ts";

describe("a running visit's notes are written", () => {
  const log = new VisitLog();
  log.add(0, "info", "one", undefined);

  it("when the visit is a second old, not before: most are over by then", () => {
    expect(isDue(log, 500, 1_499)).toBe(false);
    expect(isDue(log, 500, 1_500)).toBe(true);
  });

  it("not while it rests, and not where nothing is new", () => {
    const resting = new VisitLog();
    resting.add(0, "info", "one", undefined);
    resting.restsUntil = 9_000;
    expect(isDue(resting, 0, 8_999)).toBe(false);
    expect(isDue(resting, 0, 9_000)).toBe(true);
    resting.written = 1;
    expect(isDue(resting, 0, 9_000)).toBe(false);
  });

  it("the more at once, the more seldom: a full log every half minute", () => {
    expect([0, 100, 2_048].map(restAfter)).toEqual([1_000, 1_000, 1_000]);
    expect(restAfter(8 * 1024)).toBe(4_000);
    expect(restAfter(64 * 1024)).toBe(32_000);
  });
});

describe("what is sent", () => {
  let clock = manualClock();
  let sent: { items: string[]; firsts: number[]; bytes: number }[] = [];
  let failing = false;
  const warnings: string[] = [];
  const db: Queryable = {
    query: async (_, [items, , , , firsts, , lines]) => {
      if (failing) throw new Error("away");
      const bytes = (lines as string[]).reduce((sum, text) => sum + text.length, 0);
      sent.push({ items: items as string[], firsts: firsts as number[], bytes });
      return [];
    },
  };
  const warn = (event: string) => void warnings.push(event);
  const make = () => new RunningNotes({ db, clock, log: { info: warn, warn, error: warn }, epoch: () => "1" });
  const visit = (id: string) =>
    // Of what is held, only what is written with the lines matters here.
    ({ row: { id }, version: 1, place: { index: 0 }, attempts: 0, beganAt: clock.monotonic() }) as unknown as Held;
  const says = (notes: RunningNotes, held: Held, text = "hm") => {
    held.log ??= new VisitLog();
    held.log.add(0, "info", text, undefined);
    notes.noted(held);
  };

  beforeEach(() => {
    clock = manualClock();
    sent = [];
    warnings.length = 0;
    failing = false;
  });

  it("is one statement for all, and each line once", async () => {
    const notes = make();
    const visits = ["1", "2", "3"].map(visit);
    for (const held of visits) says(notes, held);
    await clock.advance(1_000);
    expect(sent.map(({ items, firsts }) => [items, firsts])).toEqual([
      [
        ["1", "2", "3"],
        [0, 0, 0],
      ],
    ]);
    says(notes, visits[1] as Held);
    await clock.advance(2_000);
    expect(sent.slice(1).map(({ items, firsts }) => [items, firsts])).toEqual([[["2"], [1]]]);
  });

  it("is nothing where nobody says anything, and there is no timer then", async () => {
    const notes = make();
    says(notes, visit("1"));
    await clock.advance(60_000);
    expect(sent).toHaveLength(1);
    expect(clock.sleepers()).toBe(0);
  });

  it("is nothing of a visit that was settled within the second", async () => {
    const notes = make();
    const held = visit("1");
    says(notes, held);
    await clock.advance(900);
    notes.forget(held);
    await clock.advance(60_000);
    expect(sent).toEqual([]);
    expect(held.log?.isBegun).toBe(false);
  });

  it("is bounded however much a visit says", async () => {
    const notes = make();
    const held = visit("1");
    for (let second = 0; second < 600; second += 1) {
      for (let line = 0; line < 70; line += 1) says(notes, held, "x".repeat(1_000));
      await clock.advance(1_000);
    }
    const bytes = sent.reduce((sum, one) => sum + one.bytes, 0);
    expect(bytes).toBeLessThan(600 * 2 * 1024 + 64 * 1024);
    expect(sent.length).toBeGreaterThan(15);
  });

  it("is bounded together, and nobody is left out", async () => {
    const notes = make();
    const visits = Array.from({ length: 40 }, (_, index) => visit(String(index)));
    for (const held of visits) for (let line = 0; line < 60; line += 1) says(notes, held, "x".repeat(1_000));
    await clock.advance(3_000);
    for (const { bytes } of sent) expect(bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(sent.flatMap(({ items }) => items)).toEqual(visits.map(({ row }) => row.id));
  });

  it("is tried again where it failed, after a while, and nobody hears of it but the log", async () => {
    const notes = make();
    const held = visit("1");
    failing = true;
    says(notes, held);
    await clock.advance(3_000);
    expect(warnings).toEqual(["notes.unwritten"]);
    expect(held.log?.isBegun).toBe(true);
    failing = false;
    await clock.advance(5_000);
    expect(sent.map(({ firsts }) => firsts)).toEqual([[0]]);
  });

  it("is all that is left when there is no later, whoever rests", async () => {
    const notes = make();
    const held = visit("1");
    for (let line = 0; line < 60; line += 1) says(notes, held, "x".repeat(1_000));
    await clock.advance(1_000);
    says(notes, held);
    await clock.advance(1_000);
    expect(sent).toHaveLength(1);
    await notes.writeNow([held, visit("2")]);
    expect(sent.slice(1).map(({ items, firsts }) => [items, firsts])).toEqual([[["1"], [60]]]);
  });
});
