import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { child, done, spawn, wait } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import { openPglite } from "../../src/engine/testing/pglite.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";

const input = z.object({ of: z.string() });
const of = (name: string, count: number) => Array.from({ length: count }, () => ({ of: name }));

let t: TestSluice | undefined;
// The first database of a schema takes long to make; no test has to wait for it.
beforeAll(async () => (await openPglite()).close(), 120_000);
afterEach(async () => {
  await t?.close();
  t = undefined;
});

/** One stage that notes whose item it was, and holds it until it is let go. */
function world(options: { fair?: boolean; perKey?: number; concurrency?: number } = {}) {
  const begun: string[] = [];
  const inside: string[] = [];
  let most: Record<string, number> = {};
  const pipeline = definePipeline("p", { version: 1, input, fair: options.fair ?? true }).stage("work", {
    ...(options.perKey === undefined ? {} : { perKey: options.perKey }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    run: async (visit) => {
      const name = visit.input.of;
      begun.push(name);
      inside.push(name);
      most = { ...most, [name]: Math.max(most[name] ?? 0, inside.filter((one) => one === name).length) };
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      inside.splice(inside.indexOf(name), 1);
      return done();
    },
  });
  return {
    begun,
    most: () => most,
    pipeline,
    async open(concurrency: number) {
      t = await testSluice({ pipelines: [pipeline], concurrency });
      await t.pause({});
      return t;
    },
  };
}

describe("a pipeline that is fair", () => {
  it("gives everybody a turn, however much somebody else has queued before", async () => {
    const w = world();
    const t = await w.open(1);
    await t.submit(w.pipeline, of("large", 40), { fairness: "large" });
    await t.submit(w.pipeline, of("small", 3), { fairness: "small" });
    await t.submit(w.pipeline, of("tiny", 1), { owner: "tiny" });
    await t.resume({});
    await t.drain();
    expect(w.begun).toHaveLength(44);
    // One each in turn, until the small ones have nothing left.
    const last = Math.max(w.begun.lastIndexOf("small"), w.begun.lastIndexOf("tiny"));
    expect(last).toBeLessThanOrEqual(6);
  });

  it("takes equal parts where many are taken at once, and leaves no place empty", async () => {
    const w = world();
    const t = await w.open(12);
    await t.submit(w.pipeline, of("large", 30), { fairness: "large" });
    await t.submit(w.pipeline, of("even", 30), { fairness: "even" });
    await t.submit(w.pipeline, of("small", 2), { fairness: "small" });
    await t.resume({});
    await t.drain();
    const first = Object.groupBy(w.begun.slice(0, 12), (name) => name);
    expect(first.small).toHaveLength(2);
    expect(first.even?.length).toBeGreaterThanOrEqual(4);
    expect(first.large?.length).toBeGreaterThanOrEqual(4);
    expect(w.begun).toHaveLength(62);
  });

  it("goes round among more keys than one claim looks at", async () => {
    const w = world();
    const t = await w.open(3);
    const names = Array.from({ length: 150 }, (_, index) => `tenant-${index}`);
    for (const fairness of names) await t.submit(w.pipeline, of(fairness, 3), { fairness });
    await t.resume({});
    await t.drain();
    expect(w.begun).toHaveLength(450);
    // Everybody was served before anybody was served for the third time.
    const counts = new Map<string, number>();
    for (const name of w.begun) {
      const count = (counts.get(name) ?? 0) + 1;
      if (count === 3) break;
      counts.set(name, count);
    }
    expect(counts.size).toBe(150);
  });

  it("serves priorities first, and turns within each", async () => {
    const w = world();
    const t = await w.open(1);
    await t.submit(w.pipeline, of("late", 5), { fairness: "late", priority: 4 });
    await t.submit(w.pipeline, of("soon", 5), { fairness: "soon", priority: 2 });
    await t.resume({});
    await t.drain();
    expect(w.begun).toEqual([...Array(5).fill("soon"), ...Array(5).fill("late")]);
  });

  it("lets those without a key share one turn", async () => {
    const w = world();
    const t = await w.open(1);
    await t.submit(w.pipeline, of("large", 20), { fairness: "large" });
    await t.submit(w.pipeline, of("none", 4));
    await t.resume({});
    await t.drain();
    expect(w.begun.lastIndexOf("none")).toBeLessThanOrEqual(9);
  });

  it("looks past keys that have nothing due", async () => {
    const w = world();
    const t = await w.open(2);
    for (let n = 0; n < 80; n += 1) await t.submit(w.pipeline, of("later", 1), { fairness: `later-${n}`, delay: "1d" });
    await t.submit(w.pipeline, of("now", 5), { fairness: "now" });
    await t.resume({});
    await t.drain();
    expect(w.begun).toEqual(Array(5).fill("now"));
  });

  it("gives what an item spawns the item's own turn", async () => {
    const small = definePipeline("small", { version: 1, input, fair: true }).stage("only", { run: () => done() });
    const large = definePipeline("large", { version: 1, input }).stage("only", {
      run: async (visit) => {
        if (visit.because.children !== undefined) return done();
        return spawn([child(small, { of: "child" })]);
      },
    });
    t = await testSluice({ pipelines: [small, large] });
    await t.submit(large, of("a", 1), { fairness: "tenant", owner: "ann" });
    await t.submit(large, of("b", 1), { owner: "bob" });
    await t.submit(large, of("c", 1));
    await t.drain();
    const text = `select i.fairness from sluice.item i join sluice.pipeline p on p.id = i.pipeline_id
      where p.name = 'small' order by i.fairness`;
    expect(await t.db.query({ name: "children", text }, [])).toEqual([
      { fairness: "" },
      { fairness: "bob" },
      { fairness: "tenant" },
    ]);
  });

  it("is by age where it is not asked for", async () => {
    const w = world({ fair: false });
    const t = await w.open(1);
    await t.submit(w.pipeline, of("large", 10), { fairness: "large" });
    await t.submit(w.pipeline, of("small", 1), { fairness: "small" });
    await t.resume({});
    await t.drain();
    expect(w.begun.indexOf("small")).toBe(10);
  });
});

describe("a limit per key", () => {
  it("holds over all priorities, and keeps nobody else waiting", async () => {
    const w = world({ perKey: 2 });
    const t = await w.open(10);
    await t.submit(w.pipeline, of("large", 20), { fairness: "large" });
    await t.submit(w.pipeline, of("large", 5), { fairness: "large", priority: 1 });
    await t.submit(w.pipeline, of("small", 3), { fairness: "small" });
    await t.resume({});
    await t.drain();
    expect(w.begun).toHaveLength(28);
    expect(w.most()).toEqual({ large: 2, small: 2 });
    expect(w.begun.slice(0, 4).sort()).toEqual(["large", "large", "small", "small"]);
  });

  it("goes together with a limit of the stage", async () => {
    const w = world({ perKey: 2, concurrency: 3 });
    const t = await w.open(10);
    for (const name of ["a", "b"]) await t.submit(w.pipeline, of(name, 6), { fairness: name });
    await t.resume({});
    await t.drain();
    expect(w.begun).toHaveLength(12);
    expect(w.begun.slice(0, 3).sort()).not.toEqual(["a", "a", "a"]);
    expect(Math.max(...Object.values(w.most()))).toBe(2);
  });

  it("finds those who may enter behind any number who may not", async () => {
    const begun: string[] = [];
    const pipeline = definePipeline("p", { version: 1, input, fair: true }).stage("work", {
      perKey: 1,
      run: async (visit) => {
        begun.push(visit.input.of);
        return visit.because.signal === undefined ? wait("go", { signal: `go ${visit.input.of}` }) : done();
      },
    });
    t = await testSluice({ pipelines: [pipeline], concurrency: 200 });
    await t.pause({});
    for (let n = 0; n < 100; n += 1) await t.submit(pipeline, of(`k${n}`, 2), { fairness: `k${n}` });
    await t.resume({});
    await t.drain();
    expect(new Set(begun).size).toBe(100);
  });

  it("holds for what is done by a service, too", async () => {
    const api = service("api", { capacity: 4 });
    const inside: string[] = [];
    let most = 0;
    const pipeline = definePipeline("p", { version: 1, input, fair: true }).stage("call", {
      uses: api,
      perKey: 1,
      run: async (visit) => {
        inside.push(visit.input.of);
        most = Math.max(most, inside.filter((one) => one === visit.input.of).length);
        for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
        inside.splice(inside.indexOf(visit.input.of), 1);
        return done();
      },
    });
    t = await testSluice({ pipelines: [pipeline], services: { api: {} }, concurrency: 10 });
    const handles = await Promise.all(
      ["a", "b"].map((name) => t?.submit(pipeline, of(name, 6), { fairness: name, priority: name === "a" ? 1 : 3 })),
    );
    await t.drain();
    expect(most).toBe(1);
    expect(handles).toHaveLength(2);
  });

  it.each(["same", "copy"] as const)("holds for what comes from a version without turns (%s)", async (as) => {
    const begun: string[] = [];
    const first = definePipeline("p", { version: 1, input }).stage("work", { run: () => done() });
    const second = definePipeline("p", { version: 2, input, fair: true }).stage("work", {
      perKey: 1,
      run: async (visit) => {
        begun.push(visit.input.of);
        return done();
      },
    });
    t = await testSluice({ pipelines: [first, second] });
    const { items } = await t.submit(first, of("waits", 2), { owner: "ann" });
    await t.drain();
    for (const item of items)
      expect(await t.sluice.replay(item, { from: "work", onto: 2, as })).toMatchObject({ ok: true });
    await t.drain();
    expect(begun).toEqual(["waits", "waits"]);
  });

  it("needs a pipeline that is fair, and a whole number", () => {
    const run = () => done();
    expect(() => definePipeline("p", { version: 1, input }).stage("s", { perKey: 1, run })).toThrow(/fair: true/);
    expect(() => definePipeline("p", { version: 1, input, fair: true }).stage("s", { perKey: 0, run })).toThrow(
      /perKey/,
    );
    expect(() => definePipeline("p", { version: 1, input, fair: "yes" as never })).toThrow(/fair/);
  });
});

describe("what has waited long", () => {
  it("gets a place now and then, whatever is more urgent", async () => {
    let urgent = 0;
    let old: number | undefined;
    const pipeline = definePipeline("p", { version: 1, input }).stage("work", {
      run: async (visit) => {
        if (visit.input.of === "old") old = urgent;
        else urgent += 1;
        return done();
      },
    });
    t = await testSluice({ pipelines: [pipeline], concurrency: 1 });
    await t.pause({});
    await t.submit(pipeline, of("old", 1), { priority: 5 });
    await t.advance("11m");
    await t.submit(pipeline, of("urgent", 100), { priority: 1 });
    await t.resume({});
    await t.drain();
    expect(urgent).toBe(100);
    expect(old).toBeLessThanOrEqual(16);
  });

  it("gets it where lanes with counted places would take every one", async () => {
    let counted = 0;
    let old: number | undefined;
    const wide = definePipeline("wide", { version: 1, input }).stage("work", {
      concurrency: 100,
      run: async () => {
        counted += 1;
        return done();
      },
    });
    const plain = definePipeline("plain", { version: 1, input }).stage("work", {
      run: async () => {
        old = counted;
        return done();
      },
    });
    t = await testSluice({ pipelines: [wide, plain], concurrency: 1 });
    await t.pause({});
    await t.submit(wide, of("wide", 50));
    await t.submit(plain, of("plain", 1), { priority: 5 });
    await t.advance("11m");
    await t.resume({});
    await t.drain();
    expect(counted).toBe(50);
    expect(old).toBeLessThanOrEqual(32);
  });

  it.each([
    ["by itself", undefined],
    ["by a service", service("api")],
  ])("gets it where keys are limited, %s", async (_, uses) => {
    const begun: string[] = [];
    const pipeline = definePipeline("p", { version: 1, input, fair: true }).stage("work", {
      perKey: 1,
      ...(uses === undefined ? {} : { uses }),
      run: async (visit) => {
        begun.push(visit.input.of);
        return done();
      },
    });
    t = await testSluice({ pipelines: [pipeline], services: { api: {} }, concurrency: 1 });
    await t.pause({});
    await t.submit(pipeline, of("old", 1), { fairness: "old", priority: 5 });
    await t.advance("11m");
    await t.submit(pipeline, of("urgent", 30), { fairness: "urgent", priority: 1 });
    await t.resume({});
    await t.drain();
    expect(begun).toHaveLength(31);
    expect(begun.indexOf("old")).toBeLessThanOrEqual(16);
  });

  it("waits its turn before", async () => {
    const w = world({ fair: false });
    const t = await w.open(1);
    await t.submit(w.pipeline, of("less", 1), { priority: 5 });
    await t.advance("9m");
    await t.submit(w.pipeline, of("urgent", 40), { priority: 1 });
    await t.resume({});
    await t.drain();
    expect(w.begun.indexOf("less")).toBe(40);
  });
});
