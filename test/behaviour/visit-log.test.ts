// What visits note, and the trace they carry: the real engine on a virtual clock.

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { child, definePipeline, done, placeAfter, spawn, transient } from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { type ItemId, parseId } from "../../src/kit/index.ts";

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const input = z.object({ lines: z.number() });

/** As releases before schema 16 wrote it. */
const EARLIER = {
  name: "test-earlier",
  text: `
insert into sluice.visit_log (item_id, version, at, stage, attempt, dropped, lines)
values ($1, 1, sluice.now(), 1, 1, 3, $2::text::jsonb)`,
};

describe("a visit's log", () => {
  const films = definePipeline("films", { version: 1, input })
    .stage("search", { run: () => done() })
    .stage("encode", {
      attempts: 2,
      backoff: { base: "1s", cap: "1s" },
      run: ({ input: { lines }, log, attempt }) => {
        for (let n = 1; n <= lines; n += 1) log.info("frame", { n });
        if (lines === 0) return done();
        log.warn("slow disk");
        if (attempt === 1) throw transient("EIO", "bad sector");
        return done();
      },
    });

  async function noted(...lines: number[]) {
    open = await testSluice({ pipelines: [films] });
    const { items } = await open.submit(
      films,
      lines.map((one) => ({ lines: one })),
    );
    await open.advance("10s");
    return await Promise.all(items.map((item) => (open as TestSluice).sluice.logs(item)));
  }

  it("is kept for each visit, with its stage and attempt, also of one that failed", async () => {
    const [notes, silent] = await noted(1, 0);
    const when = { at: expect.any(Date), ms: expect.any(Number) };
    const lines = [
      { n: 1, ...when, level: "info", text: "frame", facts: { n: 1 } },
      { n: 2, ...when, level: "warn", text: "slow disk" },
    ];
    expect(notes).toEqual([
      { visit: expect.any(Number), stage: "encode", attempt: 1, at: expect.any(Date), dropped: 0, lines },
      { visit: expect.any(Number), stage: "encode", attempt: 2, at: expect.any(Date), dropped: 0, lines },
    ]);
    expect(notes?.[1]?.visit).toBeGreaterThan(notes?.[0]?.visit ?? Number.NaN);
    expect(silent).toEqual([]);
  });

  it("keeps the newest 200 lines and counts the others", async () => {
    const [notes] = await noted(250);
    const [first] = notes ?? [];
    expect(first).toMatchObject({ dropped: 51 });
    expect(first?.lines).toHaveLength(200);
    expect(first?.lines.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, index) => 52 + index));
    expect(first?.lines.at(-1)?.text).toBe("slow disk");
  });

  it("is asked for with a limit that makes sense", async () => {
    open = await testSluice({ pipelines: [films] });
    const { items } = await open.submit(films, [{ lines: 1 }]);
    await open.advance("10s");
    const item = items[0] as ItemId;
    expect((await open.sluice.logs(item, { limit: 1 })).map((one) => one.attempt)).toEqual([2]);
    await expect(open.sluice.logs(item, { limit: 0 })).rejects.toMatchObject({ field: "limit" });
  });

  it("of an earlier release is told as well: it had neither numbers nor times", async () => {
    open = await testSluice({ pipelines: [films] });
    const { items } = await open.submit(films, [{ lines: 0 }]);
    await open.db.query(EARLIER, [parseId("item", items[0] as ItemId), '[{"ms": 5, "level": "info", "text": "old"}]']);
    expect(await open.sluice.logs(items[0] as ItemId)).toMatchObject([
      { visit: 1, dropped: 3, lines: [{ n: 4, at: open.now(), ms: 5, text: "old" }] },
    ]);
  });

  it("is told from a place on, which an earlier answer gave", async () => {
    open = await testSluice({ pipelines: [films] });
    const { items } = await open.submit(films, [{ lines: 1 }]);
    await open.advance("10s");
    const item = items[0] as ItemId;
    const { sluice } = open;
    const whole = await sluice.logs(item);
    const told = (visits: typeof whole) => visits.map(({ attempt, lines }) => [attempt, ...lines.map(({ n }) => n)]);
    expect(told(whole)).toEqual([
      [1, 1, 2],
      [2, 1, 2],
    ]);
    const [first] = whole;
    expect(told(await sluice.logs(item, { after: "0.0", limit: 1 }))).toEqual([[1, 1, 2]]);
    expect(told(await sluice.logs(item, { after: `${first?.visit}.1` }))).toEqual([
      [1, 2],
      [2, 1, 2],
    ]);
    expect(told(await sluice.logs(item, { after: `${first?.visit}.2`, limit: 1 }))).toEqual([[2, 1, 2]]);
    expect(await sluice.logs(item, { after: placeAfter(whole) })).toEqual([]);
    for (const after of ["", "1", "x.1", "1.-1", "3000000000.1"])
      await expect(sluice.logs(item, { after })).rejects.toMatchObject({ field: "after" });
  });
});

describe("a trace", () => {
  const seen: [string, string | undefined][] = [];
  const leaf = definePipeline("leaf", { version: 1, input }).stage("only", {
    run: ({ trace }) => {
      seen.push(["child", trace]);
      return done();
    },
  });
  const tree = definePipeline("tree", { version: 1, input })
    .stage("grow", {
      run: ({ trace, because }) => {
        seen.push(["item", trace]);
        return because.children === undefined ? (spawn([child(leaf, { lines: 1 })]) as never) : done();
      },
    })
    .stage("split", {
      parts: () => ["one"],
      run: ({ trace }) => {
        seen.push(["part", trace]);
        return done();
      },
    });

  it("is given to every visit of the item, of what it spawns, and of its parts", async () => {
    seen.length = 0;
    open = await testSluice({ pipelines: [tree, leaf] });
    await open.submit(tree, [{ lines: 0 }], { trace: TRACE });
    await open.advance("10s");
    expect(seen).toEqual([
      ["item", TRACE],
      ["child", TRACE],
      ["item", TRACE],
      ["part", TRACE],
    ]);
  });

  it("is nothing where none was given, and refused where it is none", async () => {
    seen.length = 0;
    open = await testSluice({ pipelines: [tree, leaf] });
    await open.submit(leaf, [{ lines: 0 }]);
    await open.drain();
    expect(seen).toEqual([["child", undefined]]);
    await expect(open.submit(leaf, [{ lines: 0 }], { trace: "00-0-0-0" })).rejects.toMatchObject({ field: "trace" });
  });
});
