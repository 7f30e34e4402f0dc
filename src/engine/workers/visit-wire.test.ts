import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ClaimedRow } from "../items/claim.sql.ts";
import { permanent, transient, unavailable } from "../pipeline/fault.ts";
import { again, ask, back, child, done, type Outcome, skip, spawn, wait } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { hold } from "./held.ts";
import { isWire, packResult, packVisit, unpackResult, unpackVisit } from "./visit-wire.ts";

const target = definePipeline("target", { version: 3, input: z.object({ n: z.number() }) }).stage("s", {
  run: () => done(),
});
const pipeline = definePipeline("p", { version: 1, input: z.object({}) })
  .stage("a", { run: () => done("x") })
  .stage("b", { run: () => done() });

/** As the channel does it. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const travel = (outcome: Outcome) => unpackResult(sent(packResult({ outcome }, "s")));

describe("a result on its way between processes", () => {
  it.each<Outcome>([
    done(),
    done({ deep: [1, null, "x"] }),
    skip("why", { a: 1 }),
    skip("why"),
    again("5m"),
    wait("reply", { signal: "k", again: 10 }),
    back("a", { note: 1 }),
    ask("?", { options: ["yes"], fallback: { answer: "yes", after: "1h" } }),
  ])("stays what it was: $type", (outcome) => {
    expect(travel(outcome)).toEqual({ outcome: sent(outcome) });
  });

  it("names the pipelines of children instead of bringing them", () => {
    const expected = [{ pipeline: { name: "target", version: 3 }, input: { n: 1 }, priority: 2 }];
    expect(travel(spawn([child(target, { n: 1 }, { priority: 2 })]))).toEqual({
      outcome: { type: "spawn", children: expected },
    });
    expect(travel(done(1, { spawn: [child(target, { n: 1 }, { priority: 2 })] }))).toEqual({
      outcome: { type: "done", output: 1, spawn: expected },
    });
  });

  it.each([
    permanent("A", "m"),
    transient("B", "m", { service: "s" }),
    unavailable("C", "m", { service: "s", retryAfter: "5m" }),
  ])("keeps all that is decided by in a fault: $code", (fault) => {
    const result = unpackResult(sent(packResult({ fault }, "s")));
    const { kind, code, message, service, retryAfterMs } = fault;
    expect(result).toMatchObject({ fault: { kind, code, message } });
    expect("fault" in result && [result.fault.service, result.fault.retryAfterMs]).toEqual([service, retryAfterMs]);
  });

  it.each([
    { name: "a date", value: done({ at: new Date(0) }), message: /output of s\.at/ },
    { name: "a bigint", value: done(1n), message: /output of s/ },
    { name: "an output beyond the limit", value: done("x".repeat(70_000)), message: /output of s is/ },
    { name: "a function for a note", value: back("a", () => 1), message: /outcome\.note/ },
    {
      name: "children that are no list",
      value: { type: "spawn", children: new Map() } as unknown as Outcome,
      message: /./,
    },
  ])("is a bug of the stage where it could not be stored: $name", ({ value, message }) => {
    expect(travel(value)).toMatchObject({ fault: { code: "BUG", message: expect.stringMatching(message) } });
  });

  it("may be nothing, or nonsense; whoever decides says so", () => {
    expect(travel(undefined as unknown as Outcome)).toEqual({ outcome: undefined });
    expect(travel(null as unknown as Outcome)).toEqual({ outcome: null });
    expect(travel("done" as unknown as Outcome)).toEqual({ outcome: "done" });
  });
});

describe("a visit on its way between processes", () => {
  const row = { id: "7", request_id: "8", version: 3, lane: 12, nonce: "9", input: { a: 1 } } as unknown as ClaimedRow;
  const [, stage] = pipeline.stages;
  if (stage === undefined) throw new Error("two stages");
  const held = hold(row, { lane: 12, service: "", pipeline, pipelineId: 4, index: 1, stage, siblings: [] }, 5);
  Object.assign(held, { attempts: 2, series: 3, because: { answer: "yes" }, checkpoint: { half: 1 } });
  held.outputs.set("a", "x");

  it("brings everything a stage may look at", () => {
    const there = unpackVisit(sent(packVisit(held, "abc", 25)), [target, pipeline], 1_000);
    expect(there).toMatchObject({ row, attempts: 2, series: 3, because: { answer: "yes" }, checkpoint: { half: 1 } });
    expect(there?.place.stage).toBe(stage);
    expect([...(there?.outputs.entries() ?? [])]).toEqual([["a", "x"]]);
    expect(there?.abort.signal.aborted).toBe(false);
    expect(there?.beganAt).toBe(980);
  });

  it("finds no stage in a pipeline of another version or shape", () => {
    expect(unpackVisit(packVisit(held, "abc", 25), [target], 0)).toBeUndefined();
    const { stages } = target;
    expect(unpackVisit(packVisit(held, "abc", 25), [{ ...pipeline, version: 2 }], 0)).toBeUndefined();
    expect(unpackVisit(packVisit(held, "abc", 25), [{ ...pipeline, stages, shape: target.shape }], 0)).toBeUndefined();
  });
});

it("tells its own words from those of a stage's author", () => {
  for (const word of ["ready", null, undefined, 7, {}, { type: "visit" }]) expect(isWire(word)).toBe(false);
  expect(isWire({ sluice: "hello" })).toBe(true);
});
