import { describe, expect, test } from "vitest";
import { InputError } from "../../kit/index.ts";
import { done } from "./outcome.ts";
import { checkStage, type StageDefinition } from "./stage.ts";

const run = () => done();
const check = (definition: unknown) =>
  checkStage("media.search", "search", definition as StageDefinition<unknown, unknown, void>); // untyped callers too

describe("a stage", () => {
  test("needs nothing but its code; the rest has defaults", () => {
    expect(check({ run })).toStrictEqual({
      name: "search",
      run,
      many: undefined,
      thread: undefined,
      outside: undefined,
      parts: undefined,
      perKey: undefined,
      uses: undefined,
      family: undefined,
      words: undefined,
      enter: [],
      leave: [],
      commit: undefined,
      concurrency: undefined,
      timeoutMs: 300_000,
      attemptsMax: 5,
      backoff: { baseMs: 60_000, capMs: 1_800_000, jitterMs: 0, jitterShare: 0.1 },
      weight: 1,
    });
  });

  test("keeps what its author set", () => {
    const gate = () => undefined;
    const commit = async () => undefined;
    const set = {
      run,
      words: ["PENDING", "SEARCHING"],
      enter: [gate],
      leave: [gate, gate],
      commit,
      concurrency: 4,
      timeout: "90s",
      attempts: 3,
      backoff: { base: "5s", cap: "1m", jitter: "5s" },
      weight: 0.5,
    };
    expect(check(set)).toStrictEqual({
      name: "search",
      run,
      many: undefined,
      thread: undefined,
      outside: undefined,
      parts: undefined,
      perKey: undefined,
      uses: undefined,
      family: undefined,
      words: ["PENDING", "SEARCHING"],
      enter: [gate],
      leave: [gate, gate],
      commit,
      concurrency: 4,
      timeoutMs: 90_000,
      attemptsMax: 3,
      backoff: { baseMs: 5_000, capMs: 60_000, jitterMs: 5_000, jitterShare: 0 },
      weight: 0.5,
    });
  });

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "run"],
    ["no code", {}, "run"],
    ["code that is none", { run: "search" }, "run"],
    ["no attempts", { run, attempts: 0 }, "attempts"],
    ["half an attempt", { run, attempts: 1.5 }, "attempts"],
    ["attempts that are no number", { run, attempts: "3" }, "attempts"],
    ["attempts without end", { run, attempts: Number.POSITIVE_INFINITY }, "attempts"],
    ["more than 1000 attempts", { run, attempts: 1_001 }, "attempts"],
    ["no concurrency", { run, concurrency: 0 }, "concurrency"],
    ["a concurrency beyond 10,000", { run, concurrency: 10_001 }, "concurrency"],
    ["a timeout of nothing", { run, timeout: 0 }, "timeout"],
    ["a timeout without a unit", { run, timeout: "90" }, "timeout"],
    ["no weight", { run, weight: 0 }, "weight"],
    ["a weight that is NaN", { run, weight: Number.NaN }, "weight"],
    ["a weight beyond 1000", { run, weight: 1_001 }, "weight"],
    ["a backoff without a base", { run, backoff: { cap: "1m" } }, "backoff.base"],
    ["a backoff whose cap is below its base", { run, backoff: { base: "1m", cap: "1s" } }, "backoff.cap"],
  ])("with %s is refused, naming the field", (_, definition, field) => {
    expect(() => check(definition)).toThrow(InputError);
    expect(() => check(definition)).toThrow(expect.objectContaining({ field: `media.search.${field}` }));
  });
});
