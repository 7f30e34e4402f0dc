import { describe, expect, it } from "vitest";
import type { Valve } from "../../../../src/server/contract/wire.ts";
import { openingOf, openingWord, placeOf, switchesOf } from "./closed.ts";

const valve = (given: Partial<Valve>): Valve => ({
  ...{ kind: "hold", pipeline: "films", version: null, stage: null, state: "off", note: null },
  since: "2026-11-16T12:00:00.000Z",
  ...given,
});

describe("what is closed", () => {
  it.each([
    ["everything", valve({ pipeline: null }), {}],
    ["a pipeline", valve({}), { pipeline: "films" }],
    ["a stage", valve({ stage: "encode" }), { pipeline: "films", stage: "encode" }],
    [
      "a stage of a version",
      valve({ version: 2, stage: "encode" }),
      { pipeline: "films", version: 2, stage: "encode" },
    ],
  ])("as a hold of %s is resumed as that", (_, one, body) =>
    expect(openingOf(one)).toEqual({ path: "/api/v1/resume", body }),
  );

  it("as a version's work in flight is released", () => {
    const one = valve({ kind: "version-hold", version: 2 });
    expect(openingOf(one)).toEqual({ path: "/api/v1/pipelines/films/versions/2/release", body: {} });
    expect(openingWord(one)).toBe("Release");
  });

  it("as a switch of one version is switched on for that version", () => {
    const body = { pipeline: "films", version: 2, stage: "encode", on: true };
    const one = valve({ kind: "switch", version: 2, stage: "encode" });
    expect(openingOf(one)).toEqual({ path: "/api/v1/switches", method: "PUT", body });
  });

  it("says where", () => {
    expect(placeOf(valve({ pipeline: null }))).toBe("Everything");
    expect(placeOf(valve({ version: 2, stage: "encode" }))).toBe("films · Version 2 · encode");
  });
});

describe("a stage's switch", () => {
  const closed = [
    valve({ kind: "switch", stage: "encode" }),
    valve({ kind: "switch", stage: "encode", version: 2 }),
    valve({ kind: "switch", stage: "encode", version: 1 }),
    valve({ kind: "switch", stage: "publish" }),
    valve({ stage: "encode" }),
  ];

  it("is turned on by opening all that turned it off for its version, and nothing else", () => {
    expect(switchesOf(closed, "films", 2, "encode")).toEqual([closed[0], closed[1]]);
  });
});
