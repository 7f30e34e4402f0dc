import { expect, test } from "vitest";
import { z } from "zod";
import { manualClock } from "../../kit/index.ts";
import { type AnyPipeline, definePipeline, type InputSchema } from "../pipeline/pipeline.ts";
import type { Place } from "../workers/registry.ts";
import { checkSubmission } from "./submission.ts";

const placeOf = (input: InputSchema<unknown, unknown>): Place => {
  const pipeline = definePipeline("some", { version: 1, input }).stage("only", { run: () => undefined as never });
  // Of the place only the pipeline is looked at before something is written.
  return { pipeline: pipeline as unknown as AnyPipeline } as Place;
};

/** Answers as it is told to, like a schema that asks a service. */
const asking = (validate: (value: unknown) => Promise<{ value: unknown }>): InputSchema<unknown, unknown> => ({
  "~standard": { version: 1, vendor: "own", validate },
});

test("a schema that never answers is not waited for for ever", async () => {
  const clock = manualClock();
  const silent = placeOf(asking((value) => (value === "good" ? Promise.resolve({ value }) : new Promise(() => {}))));
  const refused = expect(checkSubmission(silent, ["good", "bad"], {}, clock)).rejects.toMatchObject({
    code: "SCHEMA_TIMEOUT",
    field: "items[1]",
  });
  await clock.settle();
  await clock.advance(29_999);
  expect(clock.sleepers()).toBe(1);
  await clock.advance(1);
  await refused;
});

test("the time is for all inputs together", async () => {
  const clock = manualClock();
  const slow = placeOf(asking((value) => clock.sleep(11_000).then(() => ({ value }))));
  const refused = expect(checkSubmission(slow, [1, 2, 3], {}, clock)).rejects.toMatchObject({ field: "items[2]" });
  await clock.advance(30_000);
  await refused;
});

test("a schema that answers in time leaves nobody asleep", async () => {
  const clock = manualClock();
  const quick = placeOf(asking(async (value) => ({ value })));
  expect(await checkSubmission(quick, [1, 2], {}, clock)).toMatchObject({ inputs: ["1", "2"] });
  await clock.settle();
  expect(clock.sleepers()).toBe(0);
});

test("inputs that are small enough each may be too large together", async () => {
  const plain = placeOf(z.unknown());
  const input = "x".repeat(65_000);
  await expect(checkSubmission(plain, Array(1_033).fill(input), {}, manualClock())).rejects.toMatchObject({
    code: "INVALID_INPUT",
    field: "items",
    message: expect.stringContaining("64 MB"),
  });
  expect((await checkSubmission(plain, Array(1_032).fill(input), {}, manualClock())).inputs).toHaveLength(1_032);
});
