import { describe, expect, it } from "vitest";
import type { StandingJobRow } from "./board.sql.ts";
import { listedJob, seenJobs } from "./standing.ts";

const NOTHING = { fps: null, speed: null, etaMs: null, outBytes: null, frames: null };
const row = (change: Partial<StandingJobRow>): StandingJobRow => ({
  ...{ key: "k", state: "given", turn: 1, is_online: true, report: null, outcome: null, fault: null, ...change },
});
const report = (frames: number, percent: number | null = 40) => ({
  ...{ key: "k", turn: 1, reads: null, writes: null, result: null, failure: null },
  progress: { phase: "encoding" as const, marks: { frames }, percent, ...NOTHING },
});
const seen = (change: Partial<StandingJobRow>) => seenJobs(["k"], [row(change)])[0];

describe("a job on the board", () => {
  it("answers for every one that was asked for", () => {
    expect(seenJobs(["k", "gone"], [row({ state: "waiting" })])).toEqual([
      { ref: "k", state: "queued" },
      { ref: "gone", state: "missing" },
    ]);
  });

  it("stands in line while nobody is at it, also where its encoder is not heard of", () => {
    expect(seen({ state: "waiting" })).toEqual({ ref: "k", state: "queued" });
    expect(seen({ is_online: false, report: report(9) })).toEqual({ ref: "k", state: "queued" });
  });

  it("moves by its marks, and each turn has its own", () => {
    expect(seen({ report: report(9) })).toEqual({ ref: "k", state: "running", marks: { frames: 9 }, progress: 40 });
    expect(seen({ turn: 3, report: report(2, null) })).toEqual({
      ref: "k",
      state: "running",
      marks: { "frames.3": 2 },
    });
    expect(seen({})).toEqual({ ref: "k", state: "running", marks: {} });
  });

  it("ends as it was told", () => {
    const outcome = { kind: "same", reason: "it is" } as const;
    expect(seen({ state: "done", outcome })).toEqual({ ref: "k", state: "done", progress: 100, output: outcome });
    const failed = seen({ state: "failed", fault: { kind: "permanent", code: "INVALID_FORMAT", message: "no film" } });
    expect(failed).toMatchObject({ state: "failed", fault: { kind: "permanent", code: "INVALID_FORMAT" } });
  });

  it("is an orphan only while it goes on", () => {
    expect(
      (["waiting", "given", "done", "failed"] as const).map((state) => listedJob({ key: "k", state }).state),
    ).toEqual(["queued", "running", "done", "failed"]);
  });
});
