// A service that stages merely call, and do not declare: known to the database from the life before, and to the code not before it
// is called.

import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, openSluice, service, unavailable } from "../../src/engine/index.ts";
import { startServer, type TestServer } from "../support/server.ts";

interface Shop {
  buy(): Promise<void>;
}

const shop = service<Shop>("shop");
const orders = definePipeline("orders", { version: 1, input: z.object({}) }).stage("buy", {
  run: async ({ call }) => {
    await call(shop, (client) => client.buy());
    return done();
  },
});

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

it("that was down when everybody stopped is no obstacle to the next start, and what waited for it goes on", async () => {
  let isShut = true;
  const client: Shop = {
    async buy() {
      if (isShut) throw unavailable("AUTH", "shut");
    },
  };
  const open = () => openSluice({ pipelines: [orders], services: { shop: client }, database: server.url() });
  const first = await open();
  const { items } = await first.submit(orders, [{}]);
  const item = items[0] ?? expect.fail("one was handed in");
  await expect.poll(async () => (await first.services())[0]?.state).toBe("down");
  await expect.poll(async () => (await first.item(item))?.reason).toBe("service_down");
  await first.close();
  isShut = false;
  const second = await open();
  try {
    expect(await second.checkService("shop")).toEqual({ ok: true });
    await expect.poll(async () => (await second.item(item))?.state).toBe("done");
  } finally {
    await second.close();
  }
});
