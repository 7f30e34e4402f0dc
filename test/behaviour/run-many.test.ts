// Handlers that take many visits in one call: the real engine on a virtual clock.

import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { again, definePipeline, done, type Outcome, permanent, transient, type Visit } from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { InputError } from "../../src/kit/index.ts";

type One = Visit<{ n: number }>;
type Answers = readonly (Outcome<{ twice: number }> | Error)[];

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ n: index + 1 }));
const twice = (visit: One) => done({ twice: visit.input.n * 2 });

async function opened(run: (visits: readonly One[]) => Answers | Promise<Answers>) {
  const calls: number[][] = [];
  const pipeline = definePipeline("sums", { version: 1, input: z.object({ n: z.number() }) }).stage("sum", {
    attempts: 2,
    backoff: { base: "10s", cap: "10s" },
    timeout: "1m",
    runMany: {
      most: 4,
      within: "50ms",
      run: (visits) => {
        calls.push(visits.map((visit) => visit.input.n));
        return run(visits);
      },
    },
  });
  const t = await testSluice({ pipelines: [pipeline], concurrency: 20 });
  open = t;
  return { t, pipeline, calls };
}

describe("runMany", () => {
  it("is called once for visits that come together, never for more than it takes", async () => {
    const { t, pipeline, calls } = await opened((visits) => visits.map(twice));
    const { items } = await t.submit(pipeline, numbers(10));
    await t.drain();
    expect(calls.map((call) => call.length)).toEqual([4, 4, 2]);
    expect(calls.flat().sort((a, b) => a - b)).toEqual(numbers(10).map((one) => one.n));
    const outputs = await Promise.all(items.map(async (id) => (await t.sluice.item(id)).outputs.sum));
    expect(outputs).toEqual(numbers(10).map(({ n }) => ({ twice: n * 2 })));
  });

  it("gives each item the outcome or the fault that stands in its place", async () => {
    const { t, pipeline } = await opened((visits) =>
      visits.map((visit) => {
        if (visit.input.n === 2) return permanent("ODD", "no such number");
        return visit.input.n === 3 && visit.attempt === 1 ? transient("BUSY", "later") : twice(visit);
      }),
    );
    const { items } = await t.submit(pipeline, numbers(3));
    await t.advance("1m");
    const [first, second, third] = await Promise.all(items.map((id) => t.trace(id)));
    expect(first).toEqual(["sum accepted", "sum done"]);
    expect(second).toEqual(["sum accepted", "sum fault ODD → failed"]);
    expect(third).toEqual(["sum accepted", "sum fault BUSY", "sum done"]);
  });

  it("an answer that is missing is a bug of that item alone; another number of answers is one of all", async () => {
    const { t, pipeline } = await opened((visits) => {
      const answers = visits.map((visit) => (visit.input.n === 2 ? undefined : twice(visit))) as unknown as Answers;
      return visits.length === 3 ? answers : [];
    });
    const holed = await t.submit(pipeline, numbers(3));
    await t.drain();
    expect(await Promise.all(holed.items.map(async (id) => (await t.trace(id))[1]))).toEqual([
      "sum done",
      "sum fault BUG → failed",
      "sum done",
    ]);
    const short = await t.submit(pipeline, numbers(2));
    await t.drain();
    expect(await Promise.all(short.items.map(async (id) => (await t.trace(id))[1]))).toEqual([
      "sum fault BUG → failed",
      "sum fault BUG → failed",
    ]);
  });

  it("that throws has failed for each of them, and each spends an attempt", async () => {
    let calls = 0;
    const { t, pipeline } = await opened((visits) => {
      calls += 1;
      if (calls === 1) throw transient("DOWN", "nobody there");
      return visits.map(twice);
    });
    const { items } = await t.submit(pipeline, numbers(2));
    await t.advance("1m");
    for (const id of items) expect(await t.trace(id)).toEqual(["sum accepted", "sum fault DOWN", "sum done"]);
  });

  it("keeps time limits, checkpoints and progress apart", async () => {
    const { t, pipeline } = await opened(
      (visits) =>
        new Promise<Answers>((resolve) => {
          const stuck = visits.find((visit) => visit.attempt === 1 && visit.input.n === 1);
          void Promise.all(visits.map((visit) => visit.checkpoint.save({ was: visit.input.n }))).then(() => {
            for (const visit of visits) visit.progress(visit.input.n * 10);
            if (stuck === undefined)
              resolve(visits.map((visit) => done({ twice: (visit.checkpoint.value as { was: number }).was })));
          });
        }),
    );
    const { items } = await t.submit(pipeline, numbers(2));
    await t.advance("5m");
    for (const [index, id] of items.entries()) {
      expect(await t.trace(id)).toEqual(["sum accepted", "sum fault TIMEOUT", "sum done"]);
      expect((await t.sluice.item(id)).outputs.sum).toEqual({ twice: index + 1 });
    }
  });

  it("may ask to be called again for some of them", async () => {
    const { t, pipeline, calls } = await opened((visits) =>
      visits.map((visit) => (calls.length === 1 && visit.input.n > 1 ? (again("5s") as never) : twice(visit))),
    );
    const { items } = await t.submit(pipeline, numbers(3));
    await t.advance("1m");
    expect(calls).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
    for (const id of items) expect((await t.sluice.item(id)).state).toBe("done");
  });
});

describe("a stage with runMany", () => {
  const input = z.object({ n: z.number() });
  const define = (definition: unknown) => () =>
    definePipeline("p", { version: 1, input }).stage("s", definition as { run: () => Outcome<void> });

  it("hands on what its outcomes say", () => {
    const pipeline = definePipeline("p", { version: 1, input })
      .stage("a", { runMany: { run: (visits) => visits.map((visit) => done({ text: `${visit.input.n}` })) } })
      .stage("b", {
        run: (visit) => {
          expectTypeOf(visit.out.a).toEqualTypeOf<{ text: string }>();
          return done();
        },
      });
    expect(pipeline.stages.map((stage) => stage.many?.most)).toEqual([100, undefined]);
  });

  it.each([
    ["run and runMany", { run: () => done(), runMany: { run: () => [] } }, "p.s.run"],
    ["a thread that is no module", { thread: "./x.ts" }, "p.s.thread"],
    ["no function", { runMany: {} }, "p.s.runMany.run"],
    ["most 0", { runMany: { most: 0, run: () => [] } }, "p.s.runMany.most"],
    [
      "within as long as the timeout",
      { timeout: "1s", runMany: { within: "1s", run: () => [] } },
      "p.s.runMany.within",
    ],
  ])("is refused with %s", (_what, definition, field) => {
    expect(define(definition)).toThrow(InputError);
    expect(define(definition)).toThrow(expect.objectContaining({ field }));
  });
});
