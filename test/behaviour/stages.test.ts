import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { done } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";

const media = definePipeline("media", { version: 1, input: z.object({}) })
  .stage("search", { run: async () => done() })
  .stage("encode", { run: async () => done() })
  .stage("deliver", { run: async () => done() });

let t: TestSluice | undefined;
afterEach(async () => {
  await t?.close();
  t = undefined;
});

describe("a worker of some stages", () => {
  it("does these, and lets the item queue for whoever does the next", async () => {
    t = await testSluice({ pipelines: [media], stages: ["search"] });
    const { items } = await t.submit(media, [{}]);
    await t.drain();
    const [item] = items;
    expect(item === undefined ? [] : await t.trace(item)).toEqual(["search accepted", "search done"]);
  });

  it("is no worker for the others: that is what they are told", async () => {
    t = await testSluice({ pipelines: [media], stages: ["search"] });
    const { items } = await t.submit(media, [{}]);
    await t.drain();
    expect(await t.sluice.explain(items[0] as never)).toMatchObject({ reason: "no_worker" });
    expect(await t.sluice.versions.orphans()).toEqual([{ pipeline: "media", version: 1, stage: "encode", items: 1 }]);
  });

  it("goes on by itself where it serves the next one too", async () => {
    t = await testSluice({ pipelines: [media], stages: ["search", "encode", "deliver"] });
    const { items } = await t.submit(media, [{}]);
    await t.drain();
    expect(await t.sluice.item(items[0] as never)).toMatchObject({ state: "done" });
  });

  it("refuses a stage that no pipeline has", async () => {
    await expect(testSluice({ pipelines: [media], stages: ["encoed"] })).rejects.toThrow(
      "no pipeline has a stage encoed; there is search, encode, deliver",
    );
  });
});
