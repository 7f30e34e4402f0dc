import { describe, expect, test } from "vitest";
import { z } from "zod";
import { formatId } from "../../kit/index.ts";
import { backoffRule } from "../pipeline/backoff.ts";
import { type Fault, transient } from "../pipeline/fault.ts";
import { again, ask, back, child, done, type Outcome, skip, spawn, wait } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { decide } from "./decide.ts";
import { UNDECODABLE } from "./on-outcome.ts";
import type { Rules, Standing } from "./standing.ts";
import type { Transition } from "./transition.ts";

const backoff = backoffRule({ base: "1m", cap: "30m" }, "backoff");
const rules: Rules = {
  stages: ["search", "download", "deliver"].map((name) => ({ name, attemptsMax: 3, backoff })),
};
const inDownload: Standing = { stage: 1, attempts: 0, series: 1, backs: 0, waits: 0, reason: null };
const song = child(definePipeline("songs", { version: 1, input: z.object({ title: z.string() }) }), { title: "Blue" });

const decided = (outcome: unknown, standing: Partial<Standing> = {}): Transition =>
  decide(rules, { ...inDownload, ...standing }, { outcome: outcome as Outcome }, 0); // stages without types return anything
const failing = (fault: Fault, standing: Partial<Standing>): Transition =>
  decide(rules, { ...inDownload, ...standing }, { fault }, 0);

describe("what a stage may not return is its bug, and fails the item at once", () => {
  const hostile = new Proxy(
    { type: "done" },
    {
      get: () => {
        throw new TypeError("no");
      },
    },
  );
  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["text", "done"],
    ["a function", done],
    ["an object of no known type", { type: "finished" }],
    ["an object that cannot be read", hostile],
    ["done without its list of items", { type: "done", output: 1 }],
    ["done with a list that is none", { type: "done", output: 1, spawn: "abc" }],
    ["skip without a reason", { type: "skip" }],
    ["skip with an empty reason", skip("  ")],
    ["skip with nothing but NUL", skip("\0")],
    ["again without a time", { type: "again" }],
    ["again with a negative time", again(-1)],
    ["again with NaN", again(Number.NaN)],
    ["again without a unit", again("5")],
    ["again in eleven years", again("4000d")],
    ["wait without an end", wait("x", {})],
    ["wait with a reason in words", wait("Not yet", { again: 1 })],
    ["wait with a reason that is a list", { type: "wait", reason: ["x"], again: 1 }],
    ["wait with NUL in its reason", wait("a\0", { again: 1 })],
    ["wait for a negative time", wait("x", { again: "-5s" })],
    ["wait for a signal and an item", wait("x", { signal: "a", item: formatId("item", 1n) })],
    ["wait for an empty signal", wait("x", { signal: "" })],
    ["wait for a signal with NUL", wait("x", { signal: "a\0b" })],
    ["wait for a signal with half a character", wait("x", { signal: "a\ud800" })],
    ["wait for a signal too long to store", wait("x", { signal: "a".repeat(2_001) })],
    ["wait for an item that is a request", wait("x", { item: formatId("request", 1n) })],
    ["wait for null", { type: "wait", reason: "x", again: null }],
    ["back to the same stage", back("download")],
    ["back to a later stage", back("deliver")],
    ["back to an unknown stage", back("encode")],
    ["back to a number", { type: "back", stage: 0 }],
    ["ask nothing", ask("")],
    ["ask with no options to choose from", ask("Which?", { options: [] })],
    ["ask with options that are no texts", { type: "ask", question: "Which?", options: [1] }],
    ["ask with options that are no list", { type: "ask", question: "Which?", options: "ab" }],
    ["ask with a default at no time", { type: "ask", question: "Which?", fallback: { answer: 1 } }],
    ["ask with a default of null", { type: "ask", question: "Which?", fallback: null }],
    ["spawn nothing", spawn([])],
    ["spawn without a list", { type: "spawn" }],
    ["spawn what looks like a list", { type: "spawn", children: { length: 1, 0: song } }],
    ["spawn a hole", { type: "spawn", children: Array(1) }],
    ["spawn what is no child", { type: "spawn", children: [{ input: 1 }] }],
    ["spawn at no such priority", spawn([{ ...song, priority: 9 }])],
  ])("%s", (_, outcome) => {
    expect(decided(outcome, { attempts: 1 })).toMatchObject({
      kind: "fault",
      to: { end: "failed" },
      code: "BUG",
      attempt: 2,
      beside: null,
      message: expect.stringMatching(/./),
    });
  });

  test.each(["question", "children", "backoff", "again", "scheduled", "undecodable", "queued", "no_worker", "parts"])(
    'wait("%s"), a word of the engine\'s own',
    (word) => {
      const { code, message } = decided(wait(word, { again: 1 }));
      expect(code).toBe("BUG");
      expect(message).toContain(`"${word}"`);
    },
  );

  test("a full disk may be waited for by name, and the engine may say what it cannot read", () => {
    expect(decided(wait("disk_low", { again: 1 }))).toMatchObject({ kind: "wait", reason: "disk_low" });
    expect(decided(UNDECODABLE)).toMatchObject({ kind: "wait", reason: "undecodable", delayMs: 3_600_000 });
  });

  test("so does standing in a stage that the pipeline does not have", () => {
    expect(decided(done(), { stage: 3 })).toMatchObject({ to: { end: "failed" }, code: "BUG" });
    expect(failing(transient("X", "x"), { stage: -1 })).toMatchObject({ to: { end: "failed" }, code: "BUG" });
  });
});
