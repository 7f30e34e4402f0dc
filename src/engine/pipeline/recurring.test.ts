import { describe, expect, it } from "vitest";
import { z } from "zod";
import { InputError } from "../../kit/index.ts";
import { finder } from "./finder.ts";
import { done } from "./outcome.ts";
import { definePipeline } from "./pipeline.ts";
import { schedule } from "./schedule.ts";

const pipeline = definePipeline("p", { version: 1, input: z.object({ n: z.number() }) }).stage("one", {
  run: () => done(),
});
const find = () => ({ found: [] });

/** As an untyped caller would. */
const loosely = (make: unknown) => make as (name: unknown, definition: unknown) => unknown;

function blamed(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) return error.field;
    throw error;
  }
  return undefined;
}

describe("a finder that cannot be is refused, and the field named", () => {
  it.each<[string, unknown, unknown]>([
    ["name", "New Titles", { every: "5m", pipeline, find }],
    ["f.find", "f", undefined],
    ["f.find", "f", { every: "5m", pipeline }],
    ["f.every", "f", { pipeline, find }],
    ["f.every", "f", { every: "0.5s", pipeline, find }],
    ["f.pipeline", "f", { every: "5m", find }],
    ["f.unique", "f", { every: "5m", pipeline, find, unique: "never" }],
    ["f.limit", "f", { every: "5m", pipeline, find, limit: 0 }],
    ["f.limit", "f", { every: "5m", pipeline, find, limit: 1_001 }],
    ["f.timeout", "f", { every: "5m", pipeline, find, timeout: 0 }],
    ["f.timeout", "f", { every: "5m", pipeline, find, timeout: "2h" }],
  ])("%s", (field, name, definition) => expect(blamed(() => loosely(finder)(name, definition))).toBe(field));
});

describe("a schedule that cannot be is refused, and the field named", () => {
  const input = { n: 1 };
  const cron = "0 3 * * *";
  it.each<[string, unknown, unknown]>([
    ["name", "", { cron, pipeline, input }],
    ["s.input", "s", { cron, pipeline }],
    ["s.cron", "s", { pipeline, input }],
    ["s.zone", "s", { cron, pipeline, input, zone: "Berlin" }],
    ["s.missed", "s", { cron, pipeline, input, missed: "twice" }],
    ["s.pipeline", "s", { cron, input }],
    ["s.key", "s", { cron, pipeline, input, key: "" }],
    ["s.timeout", "s", { cron, pipeline, input, timeout: "1d" }],
  ])("%s", (field, name, definition) => expect(blamed(() => loosely(schedule)(name, definition))).toBe(field));
});
