import { describe, expect, it } from "vitest";
import { judge } from "./bars.ts";
import type { ContenderName } from "./contenders/catalogue.ts";
import { bestPeer, type Measured, median, medianRatio, tableOf } from "./figures.ts";
import { chosenAmong } from "./workload.ts";
import { workloads } from "./workloads/index.ts";

const one = (contender: ContenderName, round: number, rate: number, label: string = contender): Measured => ({
  label,
  contender,
  items: 100,
  round,
  sample: { rate },
});

describe("figures of several rounds", () => {
  it("become their median", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it("are compared within a round, and only where both took part", () => {
    const all = [
      ...[one("raw journal", 0, 100), one("raw journal", 1, 10), one("raw journal", 2, 50)],
      ...[one("pg-boss", 0, 50), one("pg-boss", 1, 5)],
    ];
    expect(medianRatio(all, "pg-boss", "raw journal", "rate")).toBe(0.5);
    expect(medianRatio(all, "pg-boss", "nobody", "rate")).toBeNaN();
  });

  it("name the best peer, which is never the limit or ourselves", () => {
    const all = [one("raw journal", 0, 100), one("sluice", 0, 90), one("pg-boss", 0, 20), one("dbos", 0, 1)];
    expect(bestPeer(all, "rate", true)).toBe("pg-boss");
    expect(bestPeer(all, "rate", false)).toBe("dbos");
    expect(bestPeer(all, "p50", false)).toBeUndefined();
  });

  it("are shown with the lowest, the highest and the ratio", () => {
    const { chain } = workloads;
    if (chain === undefined) throw new Error("no chain");
    const all = [0, 1, 2].flatMap((round) => [one("raw journal", round, 1_000 + round), one("dbos", round, 10)]);
    const [head = [], , dbos = []] = tableOf(chain, all);
    expect(head.slice(0, 4)).toEqual(["", "rounds × items", "items/s", "×"]);
    expect(dbos.slice(0, 4)).toEqual(["dbos", "3 × 100", "10 (10–10)", "0.010"]);
    expect(dbos[4]).toBe("–");
  });
});

describe("who takes part", () => {
  it("can be said by a piece of the label", () => {
    const labels = (...names: string[]) =>
      chosenAmong(workloads.backlog?.entrants(false) ?? [], names).map(({ label }) => label);
    expect(labels("pg-boss")).toEqual(["pg-boss, 10 k queued", "pg-boss, 1 M queued"]);
    expect(labels("snapshot", "1 M held")).toEqual(["sluice, 1 M held", "sluice, an old snapshot"]);
    expect(labels("nobody")).toEqual([]);
  });
});

describe("bars", () => {
  const label = "statements, 1 item per request";

  it("are judged by the ratio, and say what was wanted", () => {
    const verdicts = judge("chain", [one("raw journal", 0, 100), one("statements", 0, 59, label)]);
    expect(verdicts.map(({ isMet, sentence }) => ({ isMet, sentence }))).toEqual([
      { isMet: false, sentence: `${label}: speed 0.59 × raw journal, wanted at least 0.6` },
    ]);
    expect(verdicts[0]?.bar.isBinding).toBe(true);
  });

  it("are left out where nothing was measured", () => {
    expect(judge("chain", [])).toEqual([]);
  });

  it("belong to workloads and labels that exist", async () => {
    const { bars } = await import("./bars.ts");
    for (const bar of bars) {
      const labels = workloads[bar.workload]?.entrants(false).map((entrant) => entrant.label);
      expect(labels, bar.workload).toContain(bar.label);
    }
  });
});
