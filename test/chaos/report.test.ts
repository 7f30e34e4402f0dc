import { describe, expect, it } from "vitest";
import { recoveries } from "./recovery.ts";
import { lastLine, type Outcome, verdict } from "./report.ts";
import { rightHistory } from "./right-history.ts";
import { NEMESIS_TYPES } from "./schedule.ts";

function outcome(change: Partial<Outcome> = {}): Outcome {
  const evidence = rightHistory();
  const fired = new Map(NEMESIS_TYPES.map((type, index) => [type, index + 1]));
  return {
    seconds: 20,
    seed: 1,
    fired,
    eaten: 1,
    startsMs: [],
    judgesTimes: true,
    evidence,
    findings: [],
    recoveries: recoveries(evidence),
    ...change,
  };
}

describe("the last line", () => {
  it("has exactly this form", () => {
    expect(lastLine(outcome())).toBe(
      "20 s, 1 SIGKILL, 2 SIGSTOP, 4 database crashes, 6 items, 0 lost, 0 recorded twice, 0 effects twice, 0 blameless failures, recovery p50 4.5 s max 4.5 s",
    );
  });
});

describe("the verdict", () => {
  const slow = recoveries(rightHistory()).map((one) => ({ ...one, ms: 12_100, sinceReadyMs: 2_100 }));

  it("is silent when all is well", () => {
    expect(verdict(outcome())).toEqual([]);
  });

  it.each([
    ["a finding", { findings: [{ kind: "other", what: "wrong" }] }],
    ["a nemesis that never came", { fired: new Map() }],
    ["a proxy that swallowed nothing", { eaten: 0 }],
    ["a job service that did nothing", { evidence: { ...rightHistory(), jobs: [] } }],
    ["no job that was cancelled", { evidence: { ...rightHistory(), jobs: rightHistory().jobs.slice(0, 1) } }],
    [
      "nothing that was explained",
      { evidence: { ...rightHistory(), explained: { ...rightHistory().explained, items: 0 } } },
    ],
    ["no killed worker that held anything", { recoveries: [] }],
    [
      "items that never ended",
      { evidence: { ...rightHistory(), items: rightHistory().items.map((one) => ({ ...one, state: 0 })) } },
    ],
    ["a slow recovery", { recoveries: slow }],
  ] satisfies [string, Partial<Outcome>][])("complains about %s", (_, change) => {
    expect(verdict(outcome(change))).not.toEqual([]);
  });

  it("only tells times where it was not asked to judge them", () => {
    expect(verdict(outcome({ recoveries: slow, judgesTimes: false }))).toEqual([]);
  });
});
