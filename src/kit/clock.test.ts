import { getEventListeners } from "node:events";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "./clock.ts";
import { BugError } from "./errors.ts";

const DAY = 86_400_000;

describe("the system clock, under faked timers", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("sleeps for longer than one timer can hold", async () => {
    let awake = false;
    const slept = systemClock.sleep(60 * DAY).then(() => {
      awake = true;
    });
    await vi.advanceTimersByTimeAsync(60 * DAY - 1);
    expect(awake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(awake).toBe(true);
    await slept;
  });

  test("an aborted sleep resolves early, leaving no timer and no listener", async () => {
    const stop = new AbortController();
    const slept = systemClock.sleep(DAY, stop.signal);
    expect(vi.getTimerCount()).toBe(1);
    stop.abort();
    await expect(slept).resolves.toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
  });

  test("a sleep that ran its course leaves no listener on a long-lived signal", async () => {
    const stop = new AbortController();
    const slept = systemClock.sleep(10, stop.signal);
    await vi.advanceTimersByTimeAsync(10);
    await slept;
    expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
  });

  test("a signal that was aborted before lets nobody fall asleep", async () => {
    await systemClock.sleep(Number.POSITIVE_INFINITY, AbortSignal.abort());
    expect(vi.getTimerCount()).toBe(0);
  });

  test("nothing can be slept for NaN", async () => {
    await expect(systemClock.sleep(Number.NaN)).rejects.toThrow(BugError);
  });

  test("for any length: not awake before it, awake at it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: -5, max: 3 * DAY, noNaN: true }), async (ms) => {
        const from = systemClock.monotonic();
        let wokeAfter = Number.NaN;
        const slept = systemClock.sleep(ms).then(() => {
          wokeAfter = systemClock.monotonic() - from;
        });
        await vi.advanceTimersByTimeAsync(Math.max(0, Math.ceil(ms)) + 2);
        await slept;
        // 1e-3: the fake clock adds doubles of some 1e9 ms.
        expect(wokeAfter).toBeGreaterThanOrEqual(ms - 1e-3);
        expect(wokeAfter).toBeLessThanOrEqual(Math.max(0, ms) + 2);
      }),
      { numRuns: 50 },
    );
  });
});

describe("the system clock, for real", () => {
  test("never goes back, and a sleep lasts at least its length", async () => {
    for (const ms of [0, 1, 2.5, 7]) {
      const before = systemClock.monotonic();
      await systemClock.sleep(ms);
      expect(systemClock.monotonic() - before).toBeGreaterThanOrEqual(ms);
    }
  });
});
