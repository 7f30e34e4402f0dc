// What commands decide and show, without anybody to ask.

import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { ItemLine, VisitNotes } from "../../server/contract/wire.ts";
import { helpText } from "../help.ts";
import { withTerms } from "../program.ts";
import { plain } from "../render/paint.ts";
import { wouldText } from "./act.ts";
import { doctorText } from "./doctor.ts";
import { parseScope } from "./hold.ts";
import { noteLines } from "./logs.ts";
import { beginningLines, overviewLines } from "./status.ts";
import { inputsOf } from "./submit.ts";
import { Bell, onScreen, screen } from "./watch.ts";
import { commandsFor } from "./why.ts";

const now = new Date("2030-01-01T12:00:00Z");

describe("what is typed", () => {
  it("names a pipeline, a version, a stage", () => {
    expect(parseScope("media")).toEqual({ pipeline: "media" });
    expect(parseScope("media@2")).toEqual({ pipeline: "media", version: 2 });
    expect(parseScope("media@2/encode")).toEqual({ pipeline: "media", version: 2, stage: "encode" });
    expect(parseScope("media/encode")).toEqual({ pipeline: "media", stage: "encode" });
    expect(() => parseScope("/encode")).toThrow("names no pipeline");
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

  it("a term that begins with a minus is no flag", () => {
    expect(withTerms(["ls", "-owner:ann", "--json", "state:failed"])).toEqual([
      ...["ls", "--json", "state:failed", "--", "-owner:ann"],
    ]);
    expect(withTerms(["logs", "1", "-f"])).toEqual(["logs", "1", "-f"]);
    expect(withTerms(["ls", "--", "-owner:ann"])).toEqual(["ls", "--", "-owner:ann"]);
  });

  it("of what can be done is what can be typed", () => {
    const item = { id: "itm_1", pipeline: "media", stage: "encode" };
    const wait = { sentence: "", since: null, until: null };
    expect(commandsFor(item, { ...wait, code: "stage_off", actions: ["open", "run-once", "cancel"] })).toEqual([
      "sluice switch media/encode on",
      "sluice run-once itm_1",
      "sluice cancel itm_1",
    ]);
    expect(commandsFor(item, { ...wait, code: "paused", actions: ["open"] }, ["media/encode"])).toEqual([
      "sluice resume media/encode",
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
          ...{ behind: 12, capacity: null, limit: null, error: null },
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
      "! plex is down, 12 behind it, looked at in 30 s",
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

  it("by a visit has its stage and try, and moves no cursor", () => {
    const notes: VisitNotes = {
      stage: "encode",
      attempt: 2,
      at: "2030-01-01T12:00:00.000Z",
      dropped: 3,
      lines: [{ ms: 0, level: "warn", text: "a\u001b[2Jb", facts: { n: 1 } }],
    };
    expect(noteLines(notes, plain)).toEqual([
      "12:00:00 encode#2 3 older lines were dropped",
      '12:00:00 encode#2 warn a [2Jb {"n":1}',
    ]);
  });
});

it("a bell that is rung is heard at once, and leaves nothing behind", async () => {
  const over = new AbortController();
  const bell = new Bell();
  const heard = bell.wait(3_600_000, over.signal);
  bell.ring();
  await heard;
  bell.ring();
  await bell.wait(3_600_000, over.signal);
  expect(getEventListeners(over.signal, "abort")).toHaveLength(0);
  const stopped = bell.wait(3_600_000, over.signal);
  over.abort();
  await stopped;
  expect(getEventListeners(over.signal, "abort")).toHaveLength(0);
});

describe("a screen", () => {
  const item: ItemLine = {
    ...{ id: "itm_0000000000001", request: "req_1", pipeline: "media", version: 1, stage: "encode", state: "running" },
    ...{
      status: "PROCESSING",
      reason: null,
      since: "2030-01-01T11:59:00Z",
      until: null,
      wait: null,
      attempts: 0,
      maxAttempts: 5,
    },
    ...{
      progress: 42,
      priority: 3,
      title: null,
      lastError: null,
      nextRetryAt: null,
      currentStep: "encode",
      key: "tmdb:603",
      part: null,
      owner: null,
      createdAt: "2030-01-01T11:00:00Z",
      completedAt: null,
    },
  };

  it("says how much there is, and shows it as far as it is wide", () => {
    const page = { entries: [item], next: "x" };
    const wide = screen(page, "state:running", now, { isTerminal: true, width: 120, paint: plain });
    expect(wide).toMatch(/1\+ items, 1 running {2}state:running/);
    expect(wide).toContain("███▍░░░░  42 %");
    const narrow = screen(page, "", now, { isTerminal: true, width: 80, paint: plain });
    expect(narrow).toContain("42 %");
    expect(narrow).not.toContain("█");
  });

  it("is left with its cursor and colours as they were, also by whoever fails", async () => {
    let written = "";
    const terminal = { write: (text: string) => (written += text) };
    const failing = onScreen(terminal, async (write) => {
      write("a\nb");
      throw new Error("gone");
    });
    await expect(failing).rejects.toThrow("gone");
    const lines = ["\u001b[?25l\u001b[2J\u001b[Ha\u001b[K", "b\u001b[K", "\u001b[J\u001b[0m\u001b[?25h"];
    expect(written).toBe(lines.join("\n"));
  });

  it("says so where there is nothing", () => {
    expect(screen({ entries: [], next: null }, "", now, { isTerminal: true, width: 80, paint: plain })).toContain(
      "nothing right now",
    );
  });

  it("of help fits eighty columns, and names every command", () => {
    const lines = helpText().split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    for (const name of ["up", "why", "take-back", "switch", "completion"])
      expect(helpText()).toMatch(new RegExp(`^ {2}${name}\\b`, "m"));
  });
});
