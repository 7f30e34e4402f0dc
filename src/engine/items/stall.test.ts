import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Seen, StallRules } from "../pipeline/outside.ts";
import { type Job, observe, stallsAt } from "./stall.ts";

const rules: StallRules = { neverMs: 10_000, stoppedMs: 30_000, confirm: undefined, reaction: "restart" };
const up = { isDown: false, resumedAt: 0 };
const fresh: Job = { state: "running", marks: {}, progress: null, activeAt: 1_000 };
const seen = (change: Partial<Seen>) => ({ ref: "r", state: "running", ...change }) as Seen & { state: "running" };

describe("activity", () => {
  it.each([
    ["bytes rise", { bytes: 5 }, { marks: { bytes: 6 } }, true],
    ["bytes stand still", { bytes: 5 }, { marks: { bytes: 5 } }, false],
    ["bytes fall", { bytes: 5 }, { marks: { bytes: 4 } }, false],
    ["one of several rises", { bytes: 5, frames: 7 }, { marks: { bytes: 5, frames: 8 } }, true],
    ["only the percentage rises, and there are marks", { bytes: 5 }, { marks: { bytes: 5 }, progress: 90 }, false],
    ["only the percentage is told, and it rises", { progress: 5 }, { progress: 6 }, true],
    ["the first look tells zero", {}, { marks: { bytes: 0 } }, false],
    ["the first look tells something", {}, { marks: { bytes: 1 } }, true],
    ["nothing is told", { bytes: 5 }, {}, false],
  ] as const)("%s", (_, marks, told, isActive) => {
    const observed = observe({ ...fresh, marks }, seen(told), 2_000);
    expect(observed.isActive).toBe(isActive);
    expect(observed.job.activeAt).toBe(isActive ? 2_000 : 1_000);
  });

  it("is never seen in a mark that swings below its height, and always in one that rises", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 60 }), (values) => {
        let job = fresh;
        let height = 0;
        for (const [index, bytes] of values.entries()) {
          const observed = observe(job, seen({ marks: { bytes } }), 2_000 + index);
          expect(observed.isActive).toBe(bytes > height);
          height = Math.max(height, bytes);
          job = observed.job;
        }
      }),
    );
  });
});

describe("nonsense is tolerated and recorded", () => {
  it.each([
    [Number.NaN, 40, "progress is NaN"],
    [-3, 0, "progress is below 0"],
    [103, 100, "progress is above 100"],
    [Number.POSITIVE_INFINITY, 100, "progress is above 100"],
    [39, 39, "progress went backwards"],
  ])("progress %s", (progress, shown, said) => {
    const { job, odd } = observe({ ...fresh, progress: 40 }, seen({ progress, marks: { bytes: 1 } }), 2_000);
    expect(job.progress).toBe(shown);
    expect(odd[0]).toBe(said);
  });

  it("in marks too", () => {
    const { job, odd } = observe(fresh, seen({ marks: { bytes: Number.NaN, frames: -1, seconds: 2 } }), 2_000);
    expect(job.marks).toEqual({ seconds: 2 });
    expect(odd).toEqual(["bytes is NaN", "frames is -1"]);
  });
});

describe("the stall's countdown", () => {
  it("has one limit before anything moved and another after", () => {
    expect(stallsAt(fresh, rules, up)).toBe(11_000);
    expect(stallsAt({ ...fresh, marks: { bytes: 0 } }, rules, up)).toBe(11_000);
    expect(stallsAt({ ...fresh, marks: { bytes: 1 } }, rules, up)).toBe(31_000);
  });

  it("stands still while the service is down and begins anew when it is back", () => {
    expect(stallsAt(fresh, rules, { isDown: true, resumedAt: 0 })).toBeNull();
    expect(stallsAt(fresh, rules, { isDown: false, resumedAt: 50_000 })).toBe(60_000);
  });

  it("stands still while its owner holds it back and begins anew when it goes on", () => {
    const paused = observe(fresh, seen({ state: "paused" as never }), 5_000).job;
    expect(stallsAt(paused, rules, up)).toBeNull();
    const queued = observe(paused, seen({ state: "queued" as never }), 7_000).job;
    expect(stallsAt(queued, rules, up)).toBeNull();
    const resumed = observe(queued, seen({}), 9_000).job;
    expect(stallsAt(resumed, rules, up)).toBe(19_000);
  });
});
