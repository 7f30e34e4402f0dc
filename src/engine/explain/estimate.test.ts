import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimate, rangeWords, SAMPLES_LEAST, type StageHistory, type Way } from "./estimate.ts";
import { lengthOf, UNKNOWN_SIZE } from "./lengths.ts";

const MIN = 60_000;

function stage(name: string, times: readonly number[], size = UNKNOWN_SIZE): StageHistory {
  const counts = new Map<number, number>();
  for (const ms of times) counts.set(lengthOf(ms), (counts.get(lengthOf(ms)) ?? 0) + 1);
  return { name, bySize: new Map([[size, counts]]) };
}
const some = (ms: number, count = 10) => Array.from({ length: count }, () => ms);
const way = (stages: readonly StageHistory[], change: Partial<Way> = {}): Way => ({
  ...{ stages, size: UNKNOWN_SIZE, inStageMs: 0, pace: null },
  ...change,
});
const known = (given: Way) => {
  const range = estimate(given);
  if ("because" in range) throw new Error(`no estimate: ${range.because}`);
  return range;
};

describe("an estimate", () => {
  it("adds up the medians of what lies ahead", () => {
    const { likelyMs, lateMs } = known(way([stage("a", some(10 * MIN)), stage("b", some(20 * MIN))]));
    expect(likelyMs / MIN).toBeGreaterThan(27);
    expect(likelyMs / MIN).toBeLessThan(33);
    expect(lateMs).toBeGreaterThanOrEqual(likelyMs);
  });

  it("counts what is left of the stage it is in", () => {
    const mixed = stage("a", [...some(10 * MIN), ...some(60 * MIN)]);
    expect(known(way([mixed], { inStageMs: 20 * MIN })).likelyMs / MIN).toBeGreaterThan(35);
  });

  it.each([
    ["an empty history", way([stage("a", [])]), { because: "too-few-samples", stage: "a" }],
    ["one sample", way([stage("a", [MIN])]), { because: "too-few-samples", stage: "a" }],
    ["four samples", way([stage("a", some(MIN, SAMPLES_LEAST - 1))]), { because: "too-few-samples", stage: "a" }],
    [
      "a later stage that nobody went through",
      way([stage("a", some(MIN)), stage("b", [])]),
      { because: "too-few-samples", stage: "b" },
    ],
    [
      "an item that takes longer than any before",
      way([stage("a", some(MIN))], { inStageMs: 10 * MIN }),
      { because: "overdue", stage: "a" },
    ],
    ["no stages at all", way([]), { because: "unknown", stage: null }],
  ])("is none for %s", (_, given, expected) => {
    expect(estimate(given)).toEqual(expected);
  });

  it("is next to nothing where everything took no time", () => {
    expect(known(way([stage("a", some(0)), stage("b", some(0))])).lateMs).toBeLessThan(3);
  });

  it("goes by items of about the same size where there are enough", () => {
    const small = stage("a", some(MIN), 5);
    const large = stage("a", some(100 * MIN), 12);
    const both = { name: "a", bySize: new Map([...small.bySize, ...large.bySize]) };
    expect(known(way([both], { size: 11 })).likelyMs / MIN).toBeGreaterThan(80);
    expect(known(way([both], { size: 5 })).likelyMs / MIN).toBeLessThan(2);
    // Nobody of that size was there: all of them together have to do.
    expect(known(way([both], { size: 30 })).samples).toBe(20);
  });

  it("trusts the pace of work outside the more the further it is", () => {
    const usual = stage("a", some(100 * MIN));
    const early = known(way([usual], { inStageMs: MIN, pace: { progress: 5, forMs: MIN } }));
    const far = known(way([usual], { inStageMs: 90 * MIN, pace: { progress: 90, forMs: 9 * MIN } }));
    expect(early.likelyMs / MIN).toBeGreaterThan(60);
    expect(far.likelyMs / MIN).toBeLessThan(3);
  });

  it("makes do with its pace where there is no history, or nobody took so long", () => {
    const pace = { progress: 50, forMs: 60 * MIN };
    expect(known(way([stage("a", [])], { pace })).likelyMs / MIN).toBeCloseTo(60);
    expect(known(way([stage("a", some(MIN))], { inStageMs: 60 * MIN, pace })).lateMs / MIN).toBeCloseTo(90);
  });

  it("has a median below its 90th percentile, is finite, and never shrinks with a stage more", () => {
    const times = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 5, maxLength: 30 });
    const stages = fc.array(times, { minLength: 1, maxLength: 6 });
    const pace = fc.option(
      fc.record({
        progress: fc.double({ min: 0, max: 100, noNaN: true }),
        forMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
      }),
      { nil: null },
    );
    fc.assert(
      fc.property(stages, times, pace, (ahead, more, own) => {
        const named = ahead.map((one, index) => stage(`s${index}`, one));
        const shorter = known(way(named, { pace: own }));
        const longer = known(way([...named, stage("more", more)], { pace: own }));
        for (const { likelyMs, lateMs } of [shorter, longer]) {
          expect(Number.isFinite(lateMs)).toBe(true);
          expect(likelyMs).toBeGreaterThanOrEqual(0);
          expect(likelyMs).toBeLessThanOrEqual(lateMs);
        }
        expect(longer.likelyMs).toBeGreaterThanOrEqual(shorter.likelyMs);
        expect(longer.lateMs).toBeGreaterThanOrEqual(shorter.lateMs - 1e-6);
      }),
    );
  });

  it("is kept by about nine of ten, where stages do not depend on each other", () => {
    // Reproducible dice; each stage exponential around its own mean.
    let state = 42;
    const dice = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return (state + 1) / 2_147_483_650;
    };
    const draw = (mean: number) => -Math.log(dice()) * mean;
    const means = [5, 20, 60, 10].map((mean) => mean * MIN);
    const range = known(
      way(
        means.map((mean, index) =>
          stage(
            `s${index}`,
            Array.from({ length: 500 }, () => draw(mean)),
          ),
        ),
      ),
    );
    const runs = Array.from({ length: 2_000 }, () => means.reduce((sum, mean) => sum + draw(mean), 0));
    const kept = runs.filter((total) => total <= range.lateMs).length / runs.length;
    expect(kept).toBeGreaterThan(0.8);
    expect(kept).toBeLessThan(0.97);
  });
});

describe("a range in words", () => {
  it.each([
    [5_000, 30_000, "less than a minute"],
    [5_000, 90_000, "about 1–2 min"],
    [20 * MIN, 44 * MIN, "about 20–45 min"],
    [20 * MIN, 20 * MIN, "about 20 min"],
    [50 * MIN, 125 * MIN, "about 50 min to 2 h"],
    [3 * 60 * MIN, 5 * 60 * MIN, "about 3–5 h"],
    [26 * 60 * MIN, 90 * 60 * MIN, "about 1 d 2 h to 4 d"],
    [0, 0, "less than a minute"],
  ])("%d to %d is %s", (likelyMs, lateMs, words) => {
    expect(rangeWords({ likelyMs, lateMs })).toBe(words);
  });

  it("never says nonsense", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e12, noNaN: true }),
        fc.double({ min: 0, max: 1e12, noNaN: true }),
        (a, b) => {
          expect(rangeWords({ likelyMs: a, lateMs: a + b })).toMatch(/^(about \d|less than a minute$)/);
        },
      ),
    );
  });
});
