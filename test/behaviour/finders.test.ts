import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { unavailable } from "../../src/engine/pipeline/fault.ts";
import { type FindCall, type FinderDefinition, finder } from "../../src/engine/pipeline/finder.ts";
import { done, wait } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { openPglite } from "../../src/engine/testing/pglite.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";

const titles = definePipeline("titles", { version: 1, input: z.object({ n: z.number() }) }).stage("keep", {
  run: ({ input }) => done({ kept: input.n }),
});
const inputs = {
  name: "inputs",
  text: "select (input ->> 'n')::int as n, owner, priority from sluice.item order by 1",
};

let t: TestSluice;
// The first database of a schema takes long to make; no test has to wait for it.
beforeAll(async () => (await openPglite()).close(), 120_000);
afterEach(async () => await t.close());

/** A table of numbers from 1, looked through in order, from the last one seen. */
class Numbers {
  count = 0;
  readonly calls: FindCall<number>[] = [];
  fault: (() => unknown) | undefined;

  readonly find = async (call: FindCall<number>) => {
    this.calls.push(call);
    const thrown = this.fault?.();
    if (thrown !== undefined) throw thrown;
    const from = call.after ?? 0;
    const found = Array.from({ length: Math.min(call.limit, Math.max(0, this.count - from)) }, (_, index) => ({
      key: `number:${from + index + 1}`,
      input: { n: from + index + 1 },
    }));
    return { found, after: from + found.length };
  };
}

async function open(table: Numbers, more: Partial<FinderDefinition<{ n: number }, number>> = {}): Promise<TestSluice> {
  const numbers = finder("numbers", { every: "5m", pipeline: titles, limit: 10, find: table.find, ...more });
  t = await testSluice({ pipelines: [titles], finders: [numbers] });
  return t;
}

async function entered(): Promise<number[]> {
  return (await t.db.query<{ n: number }>(inputs, [])).map((row) => row.n);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function state() {
  const [only] = await t.sluice.finders.list();
  if (only === undefined) throw new Error("there is no finder");
  return only;
}

describe("a finder", () => {
  it("submits what it finds, and what is found later when its time has come", async () => {
    const table = new Numbers();
    table.count = 3;
    await open(table);
    await t.drain();
    expect(await entered()).toEqual([1, 2, 3]);
    expect(await state()).toMatchObject({ found: 3, new: 3, known: 0, after: 3, error: null });
    table.count = 5;
    await t.advance("4m");
    expect(await entered()).toEqual([1, 2, 3]);
    await t.advance("1m");
    expect(await entered()).toEqual(upTo(5));
    expect(await state()).toMatchObject({ found: 2, new: 2, known: 0, after: 5 });
  });

  it("gives what it finds the deadline of its pipeline", async () => {
    const hasty = definePipeline("hasty", { version: 1, input: z.object({ n: z.number() }), deadline: "1h" }).stage(
      "keep",
      {
        run: () => wait("weather", { signal: "sun" }),
      },
    );
    const table = new Numbers();
    table.count = 2;
    const numbers = finder("numbers", { every: "5m", pipeline: hasty, find: table.find });
    t = await testSluice({ pipelines: [hasty], finders: [numbers] });
    await t.advance("59m");
    const states = { name: "states", text: "select state from sluice.item" };
    expect(await t.db.query(states, [])).toEqual([{ state: 0 }, { state: 0 }]);
    await t.advance("2m");
    expect(await t.db.query(states, [])).toEqual([{ state: 2 }, { state: 2 }]);
  });

  it("reads full pages one after another at once", async () => {
    const table = new Numbers();
    table.count = 35;
    await open(table);
    await t.drain();
    expect(await entered()).toEqual(upTo(35));
    expect(table.calls.map((call) => call.after)).toEqual([null, 10, 20, 30]);
    expect(await state()).toMatchObject({ found: 35, new: 35, known: 0, after: 35 });
  });

  it("finds everything known after it was rewound, and says who did that", async () => {
    const table = new Numbers();
    table.count = 12;
    await open(table);
    await t.drain();
    expect(await t.sluice.finders.rewind("numbers", 2, { by: "anna" })).toEqual({ ok: true });
    await t.drain();
    expect(await entered()).toEqual(upTo(12));
    expect(await state()).toMatchObject({ found: 10, new: 0, known: 10, after: 12 });
    const audit = { name: "audit", text: "select actor, action, detail from sluice.audit" };
    expect(await t.db.query(audit, [])).toEqual([
      { actor: "anna", action: "finder.rewind", detail: { finder: "numbers", after: 2 } },
    ]);
    expect(await t.sluice.finders.rewind("letters", 0)).toEqual({ ok: false, reason: 'there is no finder "letters"' });
  });

  it("without a watermark finds the same again and again, and submits it once", async () => {
    const found = [1, 2].map((n) => ({ key: `number:${n}`, input: { n }, owner: "bert", priority: 2 }));
    await open(new Numbers(), { find: () => ({ found: [...found, ...found.slice(0, 1)] }) });
    await t.advance("1h");
    expect(await t.db.query(inputs, [])).toEqual([1, 2].map((n) => ({ n, owner: "bert", priority: 2 })));
    expect(await state()).toMatchObject({ found: 3, new: 0, known: 3, after: null });
  });

  it("that keeps entities unique while they live submits them again when they are over", async () => {
    await open(new Numbers(), { unique: "live", find: () => ({ found: [{ key: "one", input: { n: 1 } }] }) });
    await t.advance("11m");
    expect(await entered()).toEqual([1, 1, 1]);
  });

  it("counts what others have submitted under the same key as known", async () => {
    const table = new Numbers();
    await open(table);
    await t.submit(titles, [{ n: 1 }], { key: "number:1", unique: "forever" });
    table.count = 2;
    await t.advance("5m");
    expect(await entered()).toEqual([1, 2]);
    expect(await state()).toMatchObject({ found: 2, new: 1, known: 1 });
  });

  it("a full page that is known and leads nowhere does not keep it busy", async () => {
    const table = new Numbers();
    let calls = 0;
    const found = Array.from({ length: 10 }, (_, n) => ({ key: `k${n}`, input: { n } }));
    await open(table, {
      find: () => {
        calls += 1;
        return { found, after: 7 };
      },
    });
    await t.drain();
    expect(calls).toBeLessThanOrEqual(3);
    expect(await entered()).toHaveLength(10);
  });
});

describe("a finder that fails", () => {
  it("is tried again later and later, says why, and goes on where it was", async () => {
    const table = new Numbers();
    table.count = 1;
    table.fault = () => new Error("no such table");
    await open(table, { every: "1m" });
    await t.drain();
    expect(await state()).toMatchObject({ error: { code: "UNKNOWN", message: "no such table", failures: 1 } });
    await t.advance("10m");
    const { error, nextRun } = await state();
    // After 1, 2 and 4 minutes and some jitter.
    expect(error?.failures).toBe(4);
    expect(nextRun.getTime() - t.now().getTime()).toBeGreaterThan(60_000);
    table.fault = undefined;
    expect(await t.sluice.finders.run("numbers", { by: "anna" })).toEqual({ ok: true });
    await t.drain();
    expect(await entered()).toEqual([1]);
    expect(await state()).toMatchObject({ error: null, found: 1 });
  });

  it("looks for nothing while it is paused, and goes on where it was", async () => {
    const table = new Numbers();
    await open(table, { every: "1m" });
    await t.drain();
    const looks = table.calls.length;
    expect(await t.sluice.finders.pause("numbers", { by: "anna" })).toEqual({ ok: true });
    expect(await t.sluice.finders.pause("numbers")).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/paused already/),
    });
    expect(await t.sluice.finders.run("numbers")).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/not paused/),
    });
    table.count = 2;
    await t.advance("10m");
    expect([table.calls.length, await entered()]).toEqual([looks, []]);
    expect(await state()).toMatchObject({ isPaused: true });
    expect(await t.sluice.finders.resume("numbers", { by: "anna" })).toEqual({ ok: true });
    await t.drain();
    expect(await entered()).toEqual([1, 2]);
    expect(await t.sluice.finders.resume("numbers")).toMatchObject({ ok: false });
    expect(await state()).toMatchObject({ isPaused: false });
  });

  it("waits as long as the other side asks", async () => {
    const table = new Numbers();
    table.fault = () => unavailable("BUSY", "come back later", { retryAfter: "20m" });
    await open(table, { every: "1m" });
    await t.drain();
    expect((await state()).nextRun.getTime() - t.now().getTime()).toBeGreaterThan(19 * 60_000);
  });

  it("is given up when it takes too long, and told so", async () => {
    let signal: AbortSignal | undefined;
    await open(new Numbers(), {
      timeout: "30s",
      find: (call) => {
        signal = call.signal;
        return new Promise(() => {});
      },
    });
    await t.advance("1m");
    expect(signal?.aborted).toBe(true);
    expect((await state()).error?.code).toBe("TIMEOUT");
  });

  it.each<[string, unknown, RegExp]>([
    ["answers nothing", undefined, /must answer \{ found/],
    ["answers too much", { found: Array.from({ length: 11 }, (_, n) => ({ key: `${n}`, input: { n } })) }, /found 11/],
    ["forgets a key", { found: [{ input: { n: 1 } }] }, /found\[0\] needs a key/],
    [
      "hands in what its pipeline does not take",
      { found: [{ key: "a", input: { n: "x" } }] },
      /found\[0\] \(a\): not an input/,
    ],
    ["answers a watermark that cannot be stored", { found: [], after: new Date(0) }, /after is a Date/],
    ["answers a watermark that is too large", { found: [], after: "x".repeat(70_000) }, /at most 65,536/],
  ])("that %s enters nothing and says what is wrong", async (_, answer, message) => {
    // What an untyped author may write.
    await open(new Numbers(), { find: () => answer as never });
    await t.drain();
    expect((await state()).error).toMatchObject({ code: "BUG", message: expect.stringMatching(message) });
    expect(await entered()).toEqual([]);
  });

  it("because the database refuses what it found says so, and enters nothing of the page", async () => {
    const table = new Numbers();
    await open(table);
    await t.drain();
    const refuse = "alter table sluice.item add check ((input ->> 'n')::int <> 2)";
    await t.db.query({ name: "refuse", text: refuse }, []);
    table.count = 3;
    await t.advance("5m");
    expect((await state()).error).toMatchObject({
      code: "UNKNOWN",
      message: expect.stringMatching(/check constraint/),
    });
    expect(await entered()).toEqual([]);
  });

  it("is told to stop when the process stops, which does not wait for it", async () => {
    let signal: AbortSignal | undefined;
    await open(new Numbers(), {
      find: (call) => {
        signal = call.signal;
        return new Promise(() => {});
      },
    });
    // Not drained: as long as it looks, something moves.
    for (let turn = 0; signal === undefined && turn < 1_000; turn += 1) await new Promise((done) => setImmediate(done));
    await t.sluice.close();
    expect(signal?.aborted).toBe(true);
    expect((await state()).error).toBeNull();
  });
});

describe("a dry run", () => {
  it("says what is new and what is known, and writes nothing", async () => {
    const table = new Numbers();
    await open(table);
    await t.drain();
    await t.submit(titles, [{ n: 1 }], { key: "number:1", unique: "forever" });
    table.count = 3;
    const before = await state();
    expect(await t.sluice.finders.run("numbers", { dryRun: true })).toEqual({
      new: ["number:2", "number:3"],
      known: ["number:1"],
      after: 3,
    });
    expect(await state()).toEqual(before);
    expect(await entered()).toEqual([1]);
    await expect(t.sluice.finders.run("letters", { dryRun: true })).rejects.toThrow(/no finder "letters"/);
  });
});

describe("finders given to a Sluice", () => {
  const find = () => ({ found: [] });
  it.each([
    ["a pipeline that was not given", () => [finder("f", { every: "5m", pipeline: { ...titles, version: 2 }, find })]],
    ["two of one name", () => [1, 2].map(() => finder("f", { every: "5m", pipeline: titles, find }))],
  ])("are refused with %s", async (_, finders) => {
    await open(new Numbers());
    await expect(testSluice({ pipelines: [titles], finders: finders() })).rejects.toThrow(
      /finders|given to openSluice/,
    );
  });
});
