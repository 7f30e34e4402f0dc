// When will it be done? Under a clock that the test moves.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ItemId, type RequestId, service } from "../../src/engine/index.ts";
import { ask, done, wait } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { type Scripted, scripted, type TestSluice, testSluice } from "../../src/engine/testing/index.ts";

const MIN = 60_000;
const first = (items: readonly ItemId[]): ItemId => {
  const [item] = items;
  if (item === undefined) throw new Error("nothing was submitted");
  return item;
};

describe("the estimate of an item", () => {
  let t: TestSluice;
  // Each visit of a stage waits by the clock, as long as its input says: nothing but time is needed to be done.
  const film = definePipeline("film", {
    version: 1,
    input: z.object({ search: z.number(), encode: z.number(), asks: z.boolean().default(false) }),
    size: ({ encode }) => encode,
  })
    .stage("search", {
      run: async ({ input, checkpoint }) => {
        if (input.asks) return ask("Which?");
        if (checkpoint.value === "waited") return done();
        await checkpoint.save("waited");
        return wait("searching", { again: `${input.search}m` });
      },
    })
    .stage("encode", {
      run: async ({ input, checkpoint }) => {
        if (checkpoint.value === "waited") return done();
        await checkpoint.save("waited");
        return wait("encoding", { again: `${input.encode}m` });
      },
    });
  const submit = async (input: { search: number; encode: number; asks?: boolean }, delay?: string) =>
    await t.submit(film, [input], delay === undefined ? {} : { delay });
  beforeAll(async () => {
    t = await testSluice({ pipelines: [film] });
  });
  afterAll(() => t.close());

  it("is none before anybody went through, nor with too few", async () => {
    await t.pause({ pipeline: "film", stage: "encode" });
    const { items } = await submit({ search: 10, encode: 60 }, "1m");
    expect(await t.sluice.estimate(first(items))).toMatchObject({
      isKnown: false,
      because: "too-few-samples",
      stage: "search",
      sentence: "No estimate: fewer than 5 have been through search in the last 30 days.",
    });
    await t.resume({ pipeline: "film", stage: "encode" });
    await t.advance("2h");
  });

  it("is a range around what the others took, and closes in", async () => {
    for (let index = 0; index < 6; index += 1) await submit({ search: 10, encode: 60 });
    await t.advance("2h");
    const { items, request } = await submit({ search: 10, encode: 60 }, "30m");
    const start = await t.sluice.estimate(first(items));
    expect(start.isKnown && [start.likelyMs / MIN, start.lateMs / MIN]).toEqual([
      expect.closeTo(100, -1.3),
      expect.closeTo(105, -1.3),
    ]);
    expect(start.sentence).toMatch(/^Done in about 1 h \d+ min( to 1 h \d+ min)?\.$/);
    expect(await t.sluice.estimate(request as RequestId)).toMatchObject({ isKnown: true, sentence: start.sentence });
    // Now it waits with a word of its stage's: only the stage knows for how long.
    await t.advance("31m");
    expect(await t.sluice.estimate(first(items))).toMatchObject({ because: "waiting" });
    await t.advance("2h");
    expect(await t.sluice.estimate(first(items))).toMatchObject({ because: "ended", sentence: "It has ended." });
    expect(await t.sluice.estimate(request)).toMatchObject({ because: "ended" });
  });

  it("goes by items of about its size", async () => {
    for (let index = 0; index < 6; index += 1) await submit({ search: 10, encode: 600 });
    await t.advance("12h");
    const long = await t.sluice.estimate(first((await submit({ search: 10, encode: 500 }, "1m")).items));
    const short = await t.sluice.estimate(first((await submit({ search: 10, encode: 60 }, "1m")).items));
    expect(long.isKnown && long.likelyMs / MIN).toBeGreaterThan(500);
    expect(short.isKnown && short.likelyMs / MIN).toBeLessThan(90);
    await t.advance("12h");
  });

  it("is none while a valve is closed, or a person is asked; the request says by whose fault", async () => {
    await t.pause({ pipeline: "film" });
    const { items } = await submit({ search: 10, encode: 60 });
    await t.drain();
    expect(await t.sluice.estimate(first(items))).toMatchObject({ because: "blocked" });
    await t.resume({ pipeline: "film" });
    const asking = await t.submit(film, [{ search: 1, encode: 1, asks: true }]);
    await t.drain();
    expect(await t.sluice.estimate(asking.request)).toMatchObject({
      because: "needs-you",
      item: first(asking.items),
      sentence: "No estimate: it needs your answer first.",
    });
  });

  it("refuses what is not there", async () => {
    await expect(t.sluice.estimate("itm_0000000000000" as ItemId)).rejects.toThrow("there is no item");
    await expect(t.sluice.estimate("req_0000000000000" as RequestId)).rejects.toThrow("there is no request");
    await expect(t.sluice.estimate("nonsense" as ItemId)).rejects.toMatchObject({ field: "item" });
  });
});

describe("the estimate of work outside", () => {
  it("goes by its own pace, and is none when it stands still or nobody answers", async () => {
    const encoder = service<Scripted>("encoder", {});
    const jobs = scripted().stallsAt(60);
    const encode = definePipeline("encode", { version: 1, input: z.object({}) }).stage("encode", {
      outside: encoder,
      start: ({ key, input }, client) => client.start(key, input),
      adopt: ({ key }, client) => client.adopt(key),
      look: (refs, client) => client.look(refs),
      cancel: (ref, client) => client.cancel(ref),
      every: "5m",
      stall: { stopped: "2h" },
    });
    const t = await testSluice({ pipelines: [encode], services: { encoder: jobs } });
    const { items } = await t.submit(encode, [{}]);
    await t.advance("11m");
    const early = await t.sluice.estimate(first(items));
    expect(early).toMatchObject({ isKnown: true });
    expect(early.isKnown && early.likelyMs / MIN).toBeLessThan(60);
    await t.advance("80m");
    expect(await t.sluice.estimate(first(items))).toMatchObject({ because: "stalled" });
    jobs.goesDown();
    await t.advance("30m");
    expect(await t.sluice.estimate(first(items))).toMatchObject({ isKnown: false });
    await t.close();
  });
});
