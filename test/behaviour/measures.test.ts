// What workers measure and nobody else knows, and what is read of many items at once.

import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, parseId, permanent, service, transient } from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";

const shop = service<{ ask(): Promise<number> }>("shop");
const input = z.object({ how: z.string() });

const buys = definePipeline("buys", { version: 3, input })
  .stage("order", {
    uses: shop,
    run: async (visit) => {
      await visit.call(shop, (client) => client.ask());
      if (visit.input.how === "bad") throw permanent("BAD", "of no use");
      return done();
    },
  })
  .stage("pack", {
    backoff: { base: "1s", cap: "1s" },
    run: async (visit) => {
      if (visit.input.how !== "slow" || visit.checkpoint.value !== undefined) return done();
      await visit.checkpoint.save({ half: true });
      throw transient("AGAIN", "half done");
    },
  });

let t: TestSluice;

beforeAll(async () => {
  t = await testSluice({ pipelines: [buys], services: { shop: { ask: async () => 1 } } });
  await t.submit(buys, [{ how: "well" }, { how: "slow" }]);
  await t.submit(buys, [{ how: "bad" }]);
  await t.submit(buys, [{ how: "well" }, { how: "bad" }]);
  await t.submit(buys, [{ how: "well" }], { delay: "1h" });
  await t.advance("10s");
});
afterAll(() => t.close());

it("calls are counted by service and by the pipeline they were for", async () => {
  const [one, ...others] = await t.sluice.callLengths();
  expect(others).toEqual([]);
  expect(one).toMatchObject({ service: "shop", pipeline: "buys", version: 3, times: 5 });
  expect(one?.steps.reduce((sum, step) => sum + step.times, 0)).toBe(5);
  expect(await t.sluice.serviceUsers()).toContainEqual({ service: "shop", pipeline: "buys", version: 3 });
});

it("what is counted later is added", async () => {
  await t.submit(buys, [{ how: "well" }]);
  await t.advance("10s");
  expect((await t.sluice.callLengths())[0]?.times).toBe(6);
});

it("a visit that finds what an earlier one saved is a resume; its first one is none", async () => {
  expect(await t.sluice.resumes()).toEqual([{ pipeline: "buys", version: 3, stage: "pack", times: 1 }]);
});

it("requests are counted by status", async () => {
  const of = new Map((await t.sluice.requestFigures()).map((one) => [one.status, one.requests]));
  expect(Object.fromEntries(of)).toEqual({ COMPLETED: 2, FAILED: 1, PARTIAL: 1, PENDING: 1 });
});

it("origins are told of those that exist", async () => {
  const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const { items } = await t.submit(buys, [{ how: "well" }], { trace });
  const [id] = items;
  if (id === undefined) throw new Error("nothing was handed in");
  const gone = "itm_0000000099999" as typeof id;
  expect(parseId("item", gone)).not.toBe("");
  const found = await t.sluice.origins([id, gone]);
  expect([...found]).toEqual([[id, { createdAt: t.now(), trace, isPart: false }]]);
});
