import { expect, it } from "vitest";
import { figuresOf } from "./figures.ts";

const week = {
  ...{ done: 97, failed: 3, failureRate: 0.03, took: { meanMs: 5_400_000, p50Ms: 3_600_000, p90Ms: 9_000_000 } },
  ...{ stalls: 4, breakerOpenings: 0, checkpointResumes: 1_204 },
};
const valuesOf = (of: Parameters<typeof figuresOf>[0]) => figuresOf(of).map(({ value }) => value);

it("five figures are told, those that are nought among them", () => {
  expect(figuresOf(week).map(({ label }) => label)).toEqual([
    ...["Time to completion", "Failure rate", "Stalls caught", "Services that went down", "Checkpoint resumes"],
  ]);
  expect(valuesOf(week)).toEqual(["1 h 30 min", "3 %", "4", "0", "1,204"]);
  expect(figuresOf(week)[1]?.about).toBe("3 failed, 97 done");
});

it("before anything ended, no time and no rate is made up", () => {
  const fresh = { ...week, done: 0, failed: 0, failureRate: null, took: null, stalls: 0, checkpointResumes: 0 };
  expect(valuesOf(fresh)).toEqual(["–", "–", "0", "0", "0"]);
});

it("to a member only what is known to be theirs is told", () => {
  const own = { ...week, stalls: null, breakerOpenings: null, checkpointResumes: null };
  expect(valuesOf(own)).toEqual(["1 h 30 min", "3 %"]);
});
