import { describe, expect, it } from "vitest";
import type { StageFacts } from "../explain/state.ts";
import type { GateRow } from "./gates.sql.ts";
import { gateVerdicts } from "./gates.ts";

const gates = (...names: string[]) => names.map((name) => ({ name }));
const stage = (change: Partial<StageFacts> = {}): StageFacts => ({
  ...{ name: "fetch", words: undefined, weight: 1, attemptsMax: 5 },
  ...change,
});
const row = (version: number, kind: number, message: string | null = null, code: string | null = null): GateRow => ({
  ...{ stage: 0, version, at: new Date(version), kind, code, message },
});
const [BACK, DONE, FAULT, STARTED, WAIT, SKIP] = [5, 1, 8, 18, 4, 2];
const told = (stages: readonly StageFacts[], ...rows: GateRow[]) =>
  gateVerdicts(stages, rows.toReversed()).map(({ gate, verdict, message, refusals }) => [
    gate,
    verdict,
    message,
    refusals,
  ]);
const both = [stage({ enter: gates("hasRoom"), leave: gates("isWhole", "isPlayable") })];

describe("the verdicts of gates", () => {
  it("are none where there is no gate, or no code that knows of any", () => {
    expect(gateVerdicts([stage()], [row(1, DONE)])).toEqual([]);
    expect(gateVerdicts(undefined, [row(1, DONE)])).toEqual([]);
  });

  it("are open before the item has come to them", () => {
    expect(told(both)).toEqual([
      ["hasRoom", null, null, 0],
      ["isWhole", null, null, 0],
      ["isPlayable", null, null, 0],
    ]);
  });

  it("are the refusal with its words, of the gate that refused", () => {
    expect(told(both, row(1, FAULT, "gate hasRoom: 3 GB are free"))).toEqual([
      ["hasRoom", "refused", "3 GB are free", 1],
      ["isWhole", null, null, 0],
      ["isPlayable", null, null, 0],
    ]);
  });

  it("let in what was started, and what was refused on leaving", () => {
    expect(told(both, row(1, FAULT, "gate hasRoom: no"), row(2, STARTED))[0]).toEqual(["hasRoom", "passed", null, 1]);
    expect(told(both, row(1, BACK, "gate isWhole: sent it back"))).toEqual([
      ["hasRoom", "passed", null, 0],
      ["isWhole", "sent-back", "sent it back", 1],
      ["isPlayable", null, null, 0],
    ]);
  });

  it("let in what failed, was sent back, waits or had nothing to do by the stage's own doing", () => {
    for (const own of [row(2, FAULT, "no answer"), row(2, BACK, "not good enough"), row(2, WAIT), row(2, SKIP)])
      expect(told(both, row(1, FAULT, "gate hasRoom: no"), own)).toEqual([
        ["hasRoom", "passed", null, 1],
        ["isWhole", null, null, 0],
        ["isPlayable", null, null, 0],
      ]);
  });

  it("are not known of a visit that took too long, or that a gate without a name may have refused", () => {
    expect(told(both, row(1, FAULT, "took longer than 1 h", "TIMEOUT"))[0]).toEqual(["hasRoom", null, null, 0]);
    const unnamed = [stage({ enter: gates("hasRoom", "") })];
    expect(told(unnamed, row(1, FAULT, "no answer"))[0]).toEqual(["hasRoom", null, null, 0]);
  });

  it("of one name on both sides count a refusal once, on entering", () => {
    const twice = [stage({ enter: gates("isWhole"), leave: gates("isWhole") })];
    expect(told(twice, row(1, FAULT, "gate isWhole: no"))).toEqual([
      ["isWhole", "refused", "no", 1],
      ["isWhole", null, null, 0],
    ]);
  });

  it("let out what is done, and count what they refused before", () => {
    const rows = [row(1, FAULT, "gate isWhole: no"), row(2, FAULT, "gate isWhole: no"), row(3, DONE)];
    expect(told(both, ...rows)).toEqual([
      ["hasRoom", "passed", null, 0],
      ["isWhole", "passed", null, 2],
      ["isPlayable", "passed", null, 0],
    ]);
  });

  it("of a function without a name are known only where it let the item pass", () => {
    expect(told([stage({ enter: gates("") })], row(1, FAULT, "gate : no"))).toEqual([[null, null, null, 0]]);
    expect(told([stage({ enter: gates("") })], row(1, DONE))).toEqual([[null, "passed", null, 0]]);
  });

  it("of another stage are not its own", () => {
    expect(told(both, { ...row(1, DONE), stage: 1 })[0]?.[1]).toBeNull();
  });
});
