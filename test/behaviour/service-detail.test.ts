// One service, as whoever looks after it sees it.

import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, permanent, service, unavailable } from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";

const client = { fault: undefined as Error | undefined };
const shop = service<typeof client>("shop", { breaker: { failures: 1, items: 1 } });
const bank = service<typeof client>("bank");
const input = z.object({ n: z.number() });
const orders = definePipeline("orders", { version: 1, input })
  .stage("buy", {
    uses: shop,
    run: async (visit) => {
      await visit.call(shop, async ({ fault }) => {
        if (fault !== undefined) throw fault;
      });
      if (visit.input.n === 7) throw permanent("SOLD_OUT", "the last one is gone");
      return done();
    },
  })
  .stage("pack", { run: () => Promise.reject(permanent("TORN", "not the shop's fault")) });
const bills = definePipeline("bills", { version: 1, input }).stage("pay", {
  uses: bank,
  run: () => Promise.reject(permanent("NO_MONEY", "not the shop's fault")),
});

let t: TestSluice;
beforeAll(async () => {
  t = await testSluice({ pipelines: [orders, bills], services: { shop: client, bank: client } });
});
afterAll(() => t.close());

it("that was never called has nothing to tell but its users", async () => {
  expect(await t.sluice.service("shop")).toMatchObject({
    ...{ name: "shop", state: "well", errors: [], turns: [], calls: null },
    affects: [{ pipeline: "orders", version: 1, stage: "buy", waiting: 0, running: 0 }],
  });
});

it("tells what items met in its stages, and nothing of others", async () => {
  const { items } = await t.submit(orders, [{ n: 1 }, { n: 7 }]);
  await t.submit(bills, [{ n: 7 }]);
  await t.advance("10s");
  const { errors, calls } = await t.sluice.service("shop");
  expect(errors).toEqual([
    {
      ...{ at: expect.any(Date), item: items[1], pipeline: "orders", stage: "buy" },
      ...{ code: "SOLD_OUT", message: "the last one is gone" },
    },
  ]);
  expect(calls).toMatchObject({ samples: 2, p50Ms: expect.any(Number), p90Ms: expect.any(Number) });
});

it("tells when its breaker opened and closed, why, and how long it was open", async () => {
  client.fault = unavailable("REFUSED", "connection refused");
  await t.submit(orders, [{ n: 2 }]);
  await t.advance("1m");
  const down = await t.sluice.service("shop");
  expect(down).toMatchObject({ state: "down", affects: [{ stage: "buy", waiting: 1 }] });
  expect(down.turns).toEqual([
    { at: expect.any(Date), turned: "opened", code: "REFUSED", message: "connection refused", openMs: null },
  ]);
  client.fault = undefined;
  await t.advance("10m");
  const { turns } = await t.sluice.service("shop");
  expect(turns.map((one) => [one.turned, one.code])).toEqual([
    ["closed", null],
    ["opened", "REFUSED"],
  ]);
  expect(turns[0]?.openMs).toBe((turns[0]?.at.getTime() ?? 0) - (turns[1]?.at.getTime() ?? 0));
  expect((await t.sluice.service("bank")).turns).toEqual([]);
});

it("that is not there is said to be, with the one that was meant", async () => {
  await expect(t.sluice.service("shoop")).rejects.toThrow('there is no service shoop; did you mean "shop"?');
});
