import { describe, expect, test } from "vitest";
import { insistentLoop } from "./insistent-loop.ts";
import { manualClock } from "./testing/manual-clock.ts";

describe("insistentLoop", () => {
  test("tries a failed step again soon, ever later up to a limit, and at its pace once it went well", async () => {
    const clock = manualClock();
    const ranAt: number[] = [];
    const errors: unknown[] = [];
    const ticking = insistentLoop(
      clock,
      1_000,
      () => {
        ranAt.push(clock.monotonic());
        if (ranAt.length < 6) throw new Error("away");
      },
      (error) => void errors.push(error),
    );
    await ticking.start();
    await clock.advance(3_000);
    expect(ranAt).toEqual([0, 50, 150, 350, 600, 850, 1_850, 2_850]);
    expect(errors).toHaveLength(5);
    await ticking.stop();
    expect(clock.sleepers()).toBe(0);
  });

  test("never waits longer than its own pause, and leaves nothing behind when stopped after a failure", async () => {
    const clock = manualClock();
    let runs = 0;
    const ticking = insistentLoop(
      clock,
      20,
      () => {
        runs += 1;
        throw new Error("away");
      },
      () => undefined,
    );
    await ticking.start();
    await clock.advance(100);
    expect(runs).toBe(6);
    await ticking.stop();
    expect(clock.sleepers()).toBe(0);
  });
});
