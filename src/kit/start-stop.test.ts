import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BugError } from "./errors.ts";
import { loop } from "./start-stop.ts";
import { manualClock } from "./testing/manual-clock.ts";

const neverFails = (error: unknown) => {
  throw error;
};

describe("loop", () => {
  test("runs at once, then once per pause, until stopped", async () => {
    const clock = manualClock();
    const ranAt: number[] = [];
    const ticking = loop(clock, 100, () => void ranAt.push(clock.monotonic()), neverFails);
    await ticking.start();
    await ticking.start();
    await clock.advance(350);
    expect(ranAt).toEqual([0, 100, 200, 300]);
    await ticking.stop();
    await ticking.stop();
    await clock.advance(1_000);
    expect(ranAt).toHaveLength(4);
    expect(clock.sleepers()).toBe(0);
  });

  test("wake cuts the pause short", async () => {
    const clock = manualClock();
    let runs = 0;
    const ticking = loop(clock, 100, () => void runs++, neverFails);
    await ticking.start();
    await clock.settle();
    ticking.wake();
    ticking.wake();
    await clock.settle();
    expect(runs).toBe(2);
    await ticking.stop();
  });

  test("a wake during a step is not lost: the step runs again without a pause", async () => {
    const clock = manualClock();
    let runs = 0;
    const ticking = loop(
      clock,
      100,
      () => {
        if (++runs < 3) ticking.wake();
      },
      neverFails,
    );
    await ticking.start();
    await clock.settle();
    expect(runs).toBe(3);
    await ticking.stop();
  });

  test("an error is reported and the loop goes on after the pause, even if the failed step woke it", async () => {
    const clock = manualClock();
    const errors: unknown[] = [];
    let runs = 0;
    const ticking = loop(
      clock,
      100,
      () => {
        runs++;
        ticking.wake();
        throw new Error(`run ${runs}`);
      },
      (error) => void errors.push(String(error)),
    );
    await ticking.start();
    await clock.settle();
    expect(runs).toBe(1);
    await clock.advance(100);
    expect(errors).toEqual(["Error: run 1", "Error: run 2"]);
    await ticking.stop();
  });

  test("stop waits for the step in hand, whose signal tells it to hurry", async () => {
    const clock = manualClock();
    const log: string[] = [];
    const slow = loop(
      clock,
      100,
      async (stopping) => {
        await clock.sleep(10_000, stopping);
        log.push("stopping seen");
        await clock.sleep(5);
        log.push("step done");
      },
      neverFails,
    );
    await slow.start();
    await clock.settle();
    const stopped = slow.stop().then(() => log.push("stopped"));
    await clock.settle();
    expect(log).toEqual(["stopping seen"]);
    await clock.advance(5);
    await stopped;
    expect(log).toEqual(["stopping seen", "step done", "stopped"]);
  });

  test("stopped before it started it never runs", async () => {
    const clock = manualClock();
    let runs = 0;
    const ticking = loop(clock, 100, () => void runs++, neverFails);
    await ticking.stop();
    await ticking.start();
    ticking.wake();
    await clock.advance(500);
    expect(runs).toBe(0);
  });

  test("a stop called within the very first step resolves only after it", async () => {
    const clock = manualClock();
    const log: string[] = [];
    let stopped: Promise<unknown> | undefined;
    const once = loop(
      clock,
      100,
      async () => {
        stopped ??= once.stop().then(() => log.push("stopped"));
        await clock.sleep(10);
        log.push("step done");
      },
      neverFails,
    );
    await once.start();
    await clock.advance(10);
    await stopped;
    expect(log).toEqual(["step done", "stopped"]);
  });

  test.each([0, -1, Number.NaN])("a pause of %s ms would spin and is a bug", (everyMs) => {
    expect(() => loop(manualClock(), everyMs, () => {}, neverFails)).toThrow(BugError);
  });

  test("whatever is called in whatever order: steps never overlap and none runs after stop has resolved", async () => {
    const action = fc.oneof(
      fc.constantFrom("start" as const, "stop" as const, "wake" as const, "settle" as const),
      fc.integer({ min: 1, max: 250 }),
    );
    const steps = fc.array(fc.record({ takes: fc.nat(150), fails: fc.boolean(), wakes: fc.boolean() }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 20 }), steps, async (actions, plan) => {
        const clock = manualClock();
        let inHand = 0;
        let runs = 0;
        let failures = 0;
        let stopResolved = false;
        const subject = loop(
          clock,
          100,
          async () => {
            const { takes, fails, wakes } = plan[runs++] ?? { takes: 10, fails: false, wakes: false };
            expect(stopResolved).toBe(false);
            expect(++inHand).toBe(1);
            if (wakes) subject.wake();
            if (takes > 0) await clock.sleep(takes);
            inHand--;
            if (fails) throw new Error("planned");
          },
          (error) => {
            expect(error).toMatchObject({ message: "planned" });
            failures++;
          },
        );
        const stops: Promise<void>[] = [];
        const stop = () => {
          stops.push(
            subject.stop().then(() => {
              expect(inHand).toBe(0);
              stopResolved = true;
            }),
          );
        };
        for (const each of actions) {
          if (typeof each === "number") await clock.advance(each);
          else if (each === "stop") stop();
          else if (each === "settle") await clock.settle();
          else if (each === "start") await subject.start();
          else subject.wake();
        }
        stop();
        await clock.advance(1_000);
        await Promise.all(stops);
        const runsAtStop = runs;
        await subject.start();
        subject.wake();
        await clock.advance(1_000);
        expect(runs).toBe(runsAtStop);
        expect(failures).toBe(plan.slice(0, runs).filter((step) => step.fails).length);
        expect(clock.sleepers()).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});
