import { describe, expect, it } from "vitest";
import type { History } from "../../../../src/server/contract/wire.ts";
import { placeOf, timelineOf } from "./timeline.ts";

type Entry = History["entries"][number];

const at = (second: number) => new Date(Date.UTC(2026, 10, 16, 12, 0, second)).toISOString();
const ms = (second: number) => Date.parse(at(second));

function entry(given: Partial<Entry> & { readonly second: number; readonly took?: number }): Entry {
  const { second, took, ...rest } = given;
  return {
    ...{ type: "item.done", outcome: "done", from: "search", to: "download", end: null, attempt: 1, series: 1 },
    ...{ reason: null, code: null, message: null, worker: "north", output: null },
    began: took === undefined ? null : at(second - took),
    ended: at(second),
    tookMs: took === undefined ? null : took * 1_000,
    ...rest,
  };
}

const accepted = entry({
  second: 0,
  type: "item.accepted",
  outcome: "accepted",
  from: null,
  to: "search",
  attempt: null,
});
const ended = { state: "done", stage: "download", since: at(20), series: 1, isOutside: false } as const;
const shape = (kind: string, from: number, to: number) => ({ kind, from: ms(from), to: ms(to) });

describe("an item's timeline", () => {
  it("has a queue before the work, for each stay in a stage", () => {
    const { stays } = timelineOf(
      [
        accepted,
        entry({ second: 5, took: 2 }),
        entry({ second: 20, took: 10, from: "download", to: null, end: "done" }),
      ],
      ended,
      ms(60),
    );
    expect(stays.map(({ stage }) => stage)).toEqual(["search", "download"]);
    expect(stays[0]?.spans).toMatchObject([shape("queue", 0, 3), shape("work", 3, 5)]);
    expect(stays[1]?.spans).toMatchObject([shape("queue", 5, 10), shape("work", 10, 20)]);
  });

  it("ends where the item ended, not now", () => {
    const { to } = timelineOf([accepted, entry({ second: 5, took: 2, end: "done" })], ended, ms(60));
    expect(to).toBe(ms(5));
  });

  it("tells a wait from standing in line", () => {
    const fault = entry({ second: 4, took: 1, outcome: "fault", to: "search", reason: "backoff", code: "TIMEOUT" });
    const { stays } = timelineOf([accepted, fault, entry({ second: 12, took: 2 })], ended, ms(60));
    expect(stays[0]?.spans).toMatchObject([
      shape("queue", 0, 3),
      { ...shape("work", 3, 4), outcome: "fault", code: "TIMEOUT" },
      shape("wait", 4, 10),
      shape("work", 10, 12),
    ]);
  });

  it("draws what goes on up to now", () => {
    const running = { state: "running", stage: "search", since: at(4), series: 1, isOutside: false } as const;
    const { stays, to } = timelineOf([accepted], running, ms(30));
    expect(stays[0]?.spans).toMatchObject([shape("queue", 0, 4), { ...shape("work", 4, 30), isOpen: true }]);
    expect(to).toBe(ms(30));
  });

  it("draws work elsewhere from when it was begun there, however often it was looked at", () => {
    const started = entry({ second: 5, took: 1, outcome: "started", to: "search", reason: "outside" });
    const seen = entry({ second: 9, outcome: "seen", to: "search" });
    const outside = { state: "running", stage: "search", since: at(9), series: 1, isOutside: true } as const;
    const { stays } = timelineOf([accepted, started, seen], outside, ms(30));
    expect(stays[0]?.spans.at(-1)).toMatchObject({ ...shape("outside", 5, 30), isOpen: true });
  });

  it("begins a stay anew for a new series of attempts", () => {
    const failed = entry({ second: 5, took: 2, outcome: "fault", to: null, end: "failed", code: "GONE" });
    const again = entry({ second: 30, took: 2, series: 2 });
    const { stays } = timelineOf([accepted, failed, again], ended, ms(60));
    expect(stays.map(({ series }) => series)).toEqual([1, 2]);
  });

  it("ends a wait with what ended it, an answer or a signal, before it stands in line", () => {
    const ask = entry({ second: 4, took: 1, outcome: "ask", to: "search", reason: "question" });
    const answered = entry({ second: 20, type: "item.answered", outcome: "answered", to: "search" });
    const { stays } = timelineOf([accepted, ask, answered, entry({ second: 32, took: 2 })], ended, ms(60));
    expect(stays[0]?.spans).toMatchObject([
      shape("queue", 0, 3),
      shape("work", 3, 4),
      shape("wait", 4, 20),
      shape("queue", 20, 30),
      shape("work", 30, 32),
    ]);
  });

  it("does not draw the time between an end and a retry", () => {
    const failed = entry({ second: 5, took: 2, outcome: "fault", to: null, end: "failed", code: "GONE" });
    const retried = entry({
      second: 40,
      type: "item.retried",
      outcome: "retried",
      from: "search",
      to: "search",
      series: 2,
    });
    const { stays } = timelineOf([accepted, failed, retried, entry({ second: 50, took: 4, series: 2 })], ended, ms(60));
    expect(stays[0]?.spans.at(-1)).toMatchObject(shape("work", 3, 5));
    expect(stays[1]?.spans).toMatchObject([shape("queue", 40, 46), shape("work", 46, 50)]);
  });

  it("draws a wait that was cancelled up to when it was", () => {
    const waits = entry({ second: 4, took: 1, outcome: "wait", to: "search", reason: "time" });
    const cancelled = entry({ second: 25, outcome: "cancelled", to: null, end: "cancelled" });
    const { stays, to } = timelineOf([accepted, waits, cancelled], { ...ended, state: "cancelled" }, ms(60));
    expect(stays[0]?.spans.at(-1)).toMatchObject(shape("wait", 4, 25));
    expect(to).toBe(ms(25));
  });

  it("begins with the work of its first entry, where what was before is not at hand", () => {
    const { from, stays } = timelineOf([entry({ second: 30, took: 10 })], ended, ms(60));
    expect(from).toBe(ms(20));
    expect(stays[0]?.spans).toMatchObject([shape("work", 20, 30)]);
  });

  it.each(["queued", "waiting", "running", "done"] as const)(
    "has all of an item that is %s between its ends, also by a clock that is behind",
    (state) => {
      const entries = [accepted, entry({ second: 5, took: 2 }), entry({ second: 20, took: 10, from: "download" })];
      const { from, to, stays } = timelineOf(entries, { ...ended, state }, ms(-3_600));
      expect([from, to]).toEqual([ms(0), ms(20)]);
      for (const span of stays.flatMap(({ spans }) => spans)) {
        expect(span.from).toBeGreaterThanOrEqual(from);
        expect(span.to).toBeGreaterThanOrEqual(span.from);
        expect(span.to).toBeLessThanOrEqual(to);
      }
    },
  );

  it("has nothing to show of an item without a history", () => {
    expect(timelineOf([], ended, ms(60)).stays).toEqual([]);
  });
});

describe("a bar of it", () => {
  const whole = { from: 0, to: 1_000 };

  it("lies where its time does", () => {
    expect(placeOf({ from: 250, to: 750 }, whole)).toEqual({ left: "min(25%, 100% - 3px)", width: "max(3px, 50%)" });
  });

  it("can be seen however short it is, and stays within the line where it is the last", () => {
    expect(placeOf({ from: 1_000, to: 1_000 }, whole)).toEqual({
      left: "min(100%, 100% - 3px)",
      width: "max(3px, 0%)",
    });
  });
});
