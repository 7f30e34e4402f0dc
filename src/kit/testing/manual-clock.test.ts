import { describe, expect, test } from "vitest";
import { manualClock } from "./manual-clock.ts";

describe("the manual clock", () => {
  test("wakes sleepers in order of their deadlines, each at its own time", async () => {
    const clock = manualClock(1_000);
    const woke: [string, number][] = [];
    const sleeper = async (name: string, ms: number) => {
      await clock.sleep(ms);
      woke.push([name, clock.monotonic()]);
    };
    const all = [sleeper("late", 30), sleeper("early", 10), sleeper("never", Number.POSITIVE_INFINITY)];
    expect(clock.sleepers()).toBe(3);
    await clock.advance(50);
    await Promise.all(all.slice(0, 2));
    expect(woke).toEqual([
      ["early", 1_010],
      ["late", 1_030],
    ]);
    expect(clock.monotonic()).toBe(1_050);
    expect(clock.sleepers()).toBe(1);
  });

  test("who falls asleep again during an advance is woken again", async () => {
    const clock = manualClock();
    const times: number[] = [];
    const counting = (async () => {
      while (times.length < 3) {
        await clock.sleep(10);
        times.push(clock.monotonic());
      }
    })();
    await clock.advance(100);
    await counting;
    expect(times).toEqual([10, 20, 30]);
  });

  test("a signal wakes early without time passing", async () => {
    const clock = manualClock();
    const stop = new AbortController();
    const slept = clock.sleep(10, stop.signal);
    stop.abort();
    await slept;
    await clock.sleep(10, stop.signal);
    expect(clock.monotonic()).toBe(0);
    expect(clock.sleepers()).toBe(0);
  });
});
