import { describe, expect, test } from "vitest";
import { z } from "zod";
import { again, ask, back, child, done, type Outcome, skip, spawn, wait } from "./outcome.ts";
import { definePipeline } from "./pipeline.ts";

const songs = definePipeline("songs", {
  version: 2,
  input: z.object({ title: z.string(), year: z.coerce.number().default(2_000) }),
});

describe("an outcome is plain data", () => {
  test.each<[string, Outcome, unknown]>([
    ["done()", done(), { type: "done", output: undefined, spawn: [] }],
    ["done(output)", done({ size: 3 }), { type: "done", output: { size: 3 }, spawn: [] }],
    ["skip(reason)", skip("already there"), { type: "skip", reason: "already there", output: undefined }],
    ["skip(reason, output)", skip("there", 7), { type: "skip", reason: "there", output: 7 }],
    ["again(after)", again("5s"), { type: "again", after: "5s" }],
    [
      "wait(reason, time)",
      wait("not_available", { again: "6h" }),
      { type: "wait", reason: "not_available", again: "6h" },
    ],
    ["wait(reason, signal)", wait("reply", { signal: "k" }), { type: "wait", reason: "reply", signal: "k" }],
    ["back(stage)", back("search"), { type: "back", stage: "search", note: null }],
    ["back(stage, note)", back("search", { not: "x" }), { type: "back", stage: "search", note: { not: "x" } }],
    ["ask(question)", ask("Which one?"), { type: "ask", question: "Which one?" }],
    [
      "ask(question, options)",
      ask("Go on?", { options: ["yes", "no"], fallback: { answer: "no", after: "1d" } }),
      { type: "ask", question: "Go on?", options: ["yes", "no"], fallback: { answer: "no", after: "1d" } },
    ],
    ["spawn([])", spawn([]), { type: "spawn", children: [] }],
  ])("%s", (_, outcome, expected) => {
    expect(outcome).toStrictEqual(expected);
  });

  test("done with items to add to the request", () => {
    const one = child(songs, { title: "Blue" });
    expect(done("x", { spawn: [one] })).toStrictEqual({ type: "done", output: "x", spawn: [one] });
  });

  test("a child names its pipeline, its input as asked, and its priority where one is given", () => {
    expect(child(songs, { title: "Blue" })).toStrictEqual({ pipeline: songs, input: { title: "Blue" } });
    expect(child(songs, { title: "Blue", year: "1971" }, { priority: 1 })).toStrictEqual({
      pipeline: songs,
      input: { title: "Blue", year: "1971" },
      priority: 1,
    });
  });
});

// The compiler reads these; running them would prove nothing more.
const typesOfOutcomes = () => [
  // @ts-expect-error a child's input is checked against its pipeline
  child(songs, { name: "Blue" }),
  // @ts-expect-error and must be there
  child(songs),
  // @ts-expect-error a wait says what ends it
  wait("not_available"),
  // @ts-expect-error a wait has no such end
  wait("not_available", { until: "6h" }),
  // @ts-expect-error a time is a number or text
  again(true),
  // @ts-expect-error a fallback says when it is taken
  ask("Go on?", { fallback: { answer: "no" } }),
  // @ts-expect-error a skip says why
  skip(),
  // @ts-expect-error back says whereto
  back(),
];

test("the compiler has read the lines above", () => {
  expect(typesOfOutcomes).toBeTypeOf("function");
});
