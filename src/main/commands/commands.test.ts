// What commands decide and show, without anybody to ask.

import { describe, expect, it } from "vitest";
import type { SandboxThing, VisitNotes } from "../../server/contract/wire.ts";
import { noteText, type Output } from "../output.ts";
import { runProgram, withTerms } from "../program.ts";
import { plain } from "../render/paint.ts";
import { wouldText } from "./act.ts";
import { doctorText } from "./doctor.ts";
import { parseScope, tell } from "./hold.ts";
import { jsonLines, noteLines } from "./logs.ts";
import { withKind } from "./ls.ts";
import { thereIs } from "./sandbox.ts";
import { serviceWords } from "./services.ts";
import { beginningLines, overviewLines } from "./status.ts";
import { inputsOf } from "./submit.ts";
import { canLines, commandsFor } from "./why.ts";

const now = new Date("2030-01-01T12:00:00Z");

describe("what is typed", () => {
  it("names a pipeline, a version, a stage", () => {
    expect(parseScope("media")).toEqual({ pipeline: "media" });
    expect(parseScope("media@2")).toEqual({ pipeline: "media", version: 2 });
    expect(parseScope("media@2/encode")).toEqual({ pipeline: "media", version: 2, stage: "encode" });
    expect(parseScope("media/encode")).toEqual({ pipeline: "media", stage: "encode" });
    expect(() => parseScope("/encode")).toThrow("names no pipeline");
  });

  it.each([
    ["", "kind:item"],
    ["state:failed", "state:failed kind:item"],
    ["alien", "alien kind:item"],
    ["kind:part", "kind:part"],
    ["kind:item,part state:failed", "kind:item,part state:failed"],
    ["part:nas-2", "part:nas-2"],
    ["id:42", "id:42"],
    ["itm_0000000000042", "itm_0000000000042"],
    ["staet:failed", "staet:failed"],
  ])("%s lists whole items unless it says otherwise", (asked, filter) => expect(withKind(asked)).toBe(filter));

  it("beside the things of a sandbox is told what there is", () => {
    const fault = (name: string) => ({ name, does: "", expect: "", brokenSince: null });
    const thing = (name: string, ...faults: string[]) =>
      ({ name, faults: faults.map(fault) }) as unknown as SandboxThing;
    const things = [thing("converter", "stop", "slow"), thing("worker", "kill")];
    expect(thereIs(things, "convertor")).toBe("what can be broken: converter, worker; sluice sandbox tells how");
    expect(thereIs(things, "converter")).toBe("converter can have: stop, slow");
  });

  it("beside the deeds of a thing is told which was meant", async () => {
    await expect(runProgram(["sandbox", "brake"], "1")).rejects.toThrow(
      'there is no sluice sandbox brake; did you mean "break"?',
    );
  });

  it("is one input, a list, or a line for each", () => {
    expect(inputsOf('{"a":1}')).toEqual([{ a: 1 }]);
    expect(inputsOf("[1,2]")).toEqual([1, 2]);
    expect(inputsOf('{"a":1}\n{"a":2}\n')).toEqual([{ a: 1 }, { a: 2 }]);
    expect(() => inputsOf("{title: x}")).toThrow("no JSON");
  });
});

describe("what is told", () => {
  it("of a dry run is what would be done", () => {
    expect(wouldText({ would: { items: 1, stage: "encode", keeps: ["search"], redoes: ["encode", "deliver"] } })).toBe(
      "would change it, in encode, keeps search, does encode, deliver again",
    );
    expect(wouldText({ would: null })).toBe("it would be done");
  });

  it("has nothing in it that a terminal would obey", () => {
    const told: string[] = [];
    const out = { isJson: false, text: (text: string) => told.push(text) } as unknown as Output;
    tell(out, { ok: true, would: "Would hold \u001b[2Jmedia." }, "");
    told.push(noteText("sluice: \u001b]0;x\u0007\n  → \u202enext"));
    told.push(...canLines(["sluice services check \u001b[2Jshop"], { isTerminal: false, width: 80 }));
    expect(told).toEqual([
      "Would hold  [2Jmedia.",
      "sluice:  ]0;x \n  →  next",
      "You can:  sluice services check  [2Jshop",
    ]);
  });

  it("of a service that comes back is that it does", () => {
    expect(serviceWords({ state: "ramping", ramp: 8 })).toBe("coming back: 8 at a time, growing");
    expect(serviceWords({ state: "down", ramp: null })).toBe("down");
  });

  it("a term that begins with a minus is no flag", () => {
    expect(withTerms(["ls", "-owner:ann", "--json", "state:failed"])).toEqual([
      ...["ls", "--json", "state:failed", "--", "-owner:ann"],
    ]);
    expect(withTerms(["logs", "1", "-f"])).toEqual(["logs", "1", "-f"]);
    expect(withTerms(["ls", "--", "-owner:ann"])).toEqual(["ls", "--", "-owner:ann"]);
  });

  it("of what can be done is what can be typed", () => {
    const item = { id: "itm_1", pipeline: "media", stage: "encode" };
    const wait = { sentence: "", since: null, until: null, service: null };
    expect(commandsFor(item, { ...wait, code: "stage_off", actions: ["open", "run-once", "cancel"] })).toEqual([
      "sluice switch media/encode on",
      "sluice run-once itm_1",
      "sluice cancel itm_1",
    ]);
    expect(commandsFor(item, { ...wait, code: "paused", actions: ["open"] }, ["media/encode"])).toEqual([
      "sluice resume media/encode",
    ]);
    const down = { ...wait, code: "service_down", actions: ["check", "cancel"], service: "server:nas-2" };
    expect(commandsFor(item, down)).toEqual(["sluice services check server:nas-2", "sluice cancel itm_1"]);
    expect(canLines(["sluice a", "sluice b"], { isTerminal: true, width: 80 })).toEqual([
      "You can:  sluice a  │  sluice b",
    ]);
    expect(canLines(["sluice a", "sluice b"], { isTerminal: true, width: 20 })).toEqual([
      "You can:  sluice a",
      "          sluice b",
    ]);
  });

  it("of everything is what is not well, with what to do", () => {
    const well = { version: "1", pipelines: [], needsYou: 0, stuck: 0, services: [], closed: [] };
    expect(overviewLines({ ...well, workers: { alive: 2, late: 0, dead: 1 } }, now, plain)).toEqual([
      "workers: 2 alive, 1 dead",
    ]);
    const standing = {
      ...{ pipeline: "media", queued: 0, running: 0, waiting: 0, needsYou: 0, isMore: false, done: 0, failed: 0 },
      took: null,
    };
    const ill = {
      ...well,
      pipelines: [standing],
      needsYou: 1,
      workers: { alive: 0, late: 0, dead: 0 },
      services: [
        {
          ...{ name: "plex", state: "down" as const, since: "2030-01-01T12:00:00Z", until: "2030-01-01T12:00:30Z" },
          ...{ behind: 12, capacity: null, ramp: null, limit: null, error: null },
        },
      ],
      closed: [
        {
          ...{ kind: "switch" as const, pipeline: "media", version: null, stage: "deliver", note: "disk" },
          ...{ state: "off" as const, since: "2030-01-01T12:00:00Z" },
        },
      ],
    };
    expect(overviewLines(ill, now, plain)).toEqual([
      "! no worker lives; start one: sluice up <module>",
      "! plex is down; 12 behind it, looked at in 30 s",
      "! media/deliver is switched off: disk",
      "! 1 item waits for an answer: sluice ls state:needs-you",
    ]);
  });

  it("where there is nothing yet is what is there and what to do, and no alarm", () => {
    const none = { pipelines: [], needsYou: 0, stuck: 0, services: [], closed: [] };
    expect(overviewLines({ ...none, workers: { alive: 0, late: 0, dead: 0 } }, now, plain)).toEqual([]);
    const lines = beginningLines({ version: "0.5.0", database: { version: "18.1", bytes: 1 } }, plain);
    expect(lines[0]).toBe("Sluice 0.5.0 on PostgreSQL 18.1: there are no pipelines yet.");
    expect(lines.join("\n")).toContain("sluice up pipelines.ts");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("by the doctor is each check, what is wrong and what to do", () => {
    const check = {
      name: "lease-of-nobody" as const,
      isOk: true,
      found: [],
      wrong: "Items are in nobody's hands.",
      remedy: "Start a worker.",
      since: null,
    };
    expect(doctorText({ isOk: true, checks: [check] })).toBe("ok      lease-of-nobody\nNothing is wrong.");
    expect(doctorText({ isOk: false, checks: [{ ...check, isOk: false, found: ["item 7", "item 8"] }] })).toBe(
      [
        "BROKEN  lease-of-nobody: Items are in nobody's hands.",
        "        item 7; item 8",
        "        → Start a worker.",
        "1 of 1 checks found something.",
      ].join("\n"),
    );
  });

  describe("by a visit", () => {
    const notes: VisitNotes = {
      visit: 7,
      stage: "encode",
      attempt: 2,
      at: "2030-01-01T12:00:09.000Z",
      dropped: 3,
      lines: [
        { n: 4, at: "2030-01-01T12:00:00.000Z", ms: 0, level: "warn", text: "a\u001b[2Jb", facts: { n: 1 } },
        { n: 5, at: "2030-01-01T12:00:08.000Z", ms: 8_000, level: "info", text: "slow" },
      ],
    };

    it("has its stage and try and each line its time, and moves no cursor", () => {
      expect(noteLines(notes, plain)).toEqual([
        "12:00:00 encode#2 3 older lines were dropped",
        '12:00:00 encode#2 warn a [2Jb {"n":1}',
        "12:00:08 encode#2 slow",
      ]);
    });

    it("tells of lines that nobody has seen, not of those that were told", () => {
      expect(noteLines(notes, plain, 1)[0]).toBe("12:00:00 encode#2 2 older lines were dropped");
      expect(noteLines(notes, plain, 3)).toHaveLength(2);
    });

    it("is a line of JSON for each of its lines, for programs", () => {
      expect(jsonLines(notes).map((line) => JSON.parse(line))).toEqual(
        notes.lines.map((line) => ({ visit: 7, stage: "encode", attempt: 2, ...line })),
      );
    });
  });
});
