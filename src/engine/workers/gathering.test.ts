import { describe, expect, test } from "vitest";
import { manualClock } from "../../kit/testing/manual-clock.ts";
import { transient } from "../pipeline/fault.ts";
import { done } from "../pipeline/outcome.ts";
import type { ManyWork } from "../pipeline/run-many.ts";
import type { Visit } from "../pipeline/visit.ts";
import { Gathering } from "./gathering.ts";

function gathered(most = 3) {
  const clock = manualClock();
  const calls: string[][] = [];
  const gathering = new Gathering(clock);
  const work: ManyWork = {
    most,
    withinMs: 50,
    run: (visits) => {
      const keys = (visits as readonly Visit[]).map((visit) => visit.key);
      calls.push(keys);
      return keys.map((key) => done(key));
    },
  };
  const join = (key: string, abort = new AbortController()) =>
    // Only these two are looked at.
    gathering.join(work, { key, signal: abort.signal } as Visit).catch((error: unknown) => error);
  return { clock, calls, gathering, join };
}

describe("visits of a handler that takes many", () => {
  test("wait for each other until the first one's patience is over", async () => {
    const { clock, calls, join } = gathered();
    const first = join("a");
    await clock.advance(49);
    const second = join("b");
    expect(calls).toEqual([]);
    await clock.advance(1);
    expect(await Promise.all([first, second])).toEqual([done("a"), done("b")]);
    expect(calls).toEqual([["a", "b"]]);
  });

  test("go at once when there are enough, and the next one waits anew", async () => {
    const { clock, calls, join } = gathered(2);
    await Promise.all([join("a"), join("b")]);
    const third = join("c");
    await clock.advance(49);
    expect(calls).toEqual([["a", "b"]]);
    await clock.advance(1);
    await third;
    expect(calls).toEqual([["a", "b"], ["c"]]);
  });

  test("are left out when they may no longer act, and end with the reason", async () => {
    const { clock, calls, join } = gathered();
    const abort = new AbortController();
    const first = join("a", abort);
    const second = join("b");
    const taken = transient("TAKEN", "it is somebody else's");
    abort.abort(taken);
    await clock.advance(50);
    expect(await first).toBe(taken);
    expect(await second).toEqual(done("b"));
    expect(calls).toEqual([["b"]]);
  });

  test("cost no call when none is left", async () => {
    const { clock, calls, join } = gathered();
    const abort = new AbortController();
    const only = join("a", abort);
    abort.abort(transient("TAKEN", "gone"));
    await clock.advance(50);
    expect(await only).toMatchObject({ code: "TAKEN" });
    expect(calls).toEqual([]);
  });

  test("wait for nobody once it is known that nobody else comes", async () => {
    const { calls, gathering, join } = gathered();
    const first = join("a");
    gathering.hurry();
    await first;
    await Promise.all([join("b"), join("c")]);
    expect(calls).toEqual([["a"], ["b"], ["c"]]);
  });
});
