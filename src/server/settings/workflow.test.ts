import { describe, expect, it } from "vitest";
import { changesTo, etagOf, namedStages, workflowOf } from "./workflow.ts";

const stages = namedStages([
  { pipeline: "films", stage: "find" },
  { pipeline: "films", stage: "publish" },
  { pipeline: "films", stage: "publish" },
  { pipeline: "music", stage: "publish" },
  { pipeline: "cleanup", stage: "undo" },
]);

describe("the switches as one object", () => {
  it("call a stage by its name, and by its pipeline's too where others have the same", () => {
    expect(stages.map((one) => one.name)).toEqual(["find", "films.publish", "music.publish"]);
  });

  it("are on unless the switch of all versions is off", () => {
    const off = { pipeline: "films", stage: "publish" } as const;
    expect(workflowOf(stages, [{ ...off, version: null, state: "off" }])).toMatchObject({ "films.publish": false });
    expect(workflowOf(stages, [{ ...off, version: null, state: "closing" }])).toMatchObject({ "films.publish": false });
    expect(workflowOf(stages, [{ ...off, version: 1, state: "off" }])).toMatchObject({ "films.publish": true });
    expect(workflowOf(stages, [])).toEqual({ find: true, "films.publish": true, "music.publish": true });
  });

  it("change only what is different, by either name", () => {
    const now = workflowOf(stages, []);
    expect(changesTo(stages, now, { find: true, "music.publish": false })).toMatchObject([
      { stage: "publish", on: false },
    ]);
    expect(changesTo(stages, now, { "films.find": false })).toMatchObject([
      { pipeline: "films", stage: "find", on: false },
    ]);
    expect(changesTo(stages, now, {})).toEqual([]);
  });

  it("refuse a name that nobody has, and say which one was meant", () => {
    expect(() => changesTo(stages, {}, { zz: true, find: true })).toThrow(/there is no stage "zz"; known here: find/);
    expect(() => changesTo(stages, {}, { finds: true })).toThrow(/did you mean "find"\?/);
    expect(() => changesTo(stages, {}, { publish: true })).toThrow(/there is no stage "publish"/);
  });

  it("have a mark that changes with them", () => {
    expect(etagOf({ a: true })).toBe(etagOf({ a: true }));
    expect(etagOf({ a: true })).not.toBe(etagOf({ a: false }));
  });
});
