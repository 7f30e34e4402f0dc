import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FakeGateway, fakeGateway, type GatewayTrouble } from "./fake-gateway.ts";
import { fakeGatewayJobs } from "./fake-gateway-jobs.ts";
import { gatewayContract } from "./gateway.contract.ts";

let folder: string;
let fake: FakeGateway;
const order = (key = "a") => ({
  ...{ key, file: join(folder, "in.pdf"), name: "in.pdf", mapping: "layout" },
  output: join(folder, `${key}.part`),
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fake-gateway-"));
  await writeFile(join(folder, "in.pdf"), "%PDF-1.7 and so on");
  fake = fakeGateway();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.each(gatewayContract)("keeps the contract: $name", async ({ run }) => {
  await run({
    ...{ client: fake.client, pdf: Buffer.from("%PDF-1.7 and so on"), mapping: "layout" },
    path: (name) => join(folder, name),
    down: async (isDown) => fake.down(isDown),
    converted: (key) => fake.world.truth().converted.get(key) ?? 0,
  });
});

it.each<[GatewayTrouble, string, string, string]>([
  ["refused", "unavailable", "GW_UNAVAILABLE", "failure"],
  ["timeout", "transient", "GW_TIMEOUT", "failure"],
  [{ status: 503 }, "unavailable", "GW_UNAVAILABLE", "failure"],
  [{ status: 503, retryAfter: 7 }, "unavailable", "GW_BUSY", "none"],
  [{ status: 502 }, "transient", "GW_FAILED", "failure"],
  [{ status: 400 }, "permanent", "VALIDATION_ERROR", "success"],
  ["reset", "transient", "GW_RESET", "failure"],
  ["web-page", "transient", "GW_WEB_PAGE", "failure"],
])("trouble %j is %s %s, and leaves no file", async (trouble, kind, code, breaker) => {
  fake.trouble("convert", trouble);
  await expect(fake.client.convert(order())).rejects.toMatchObject({ kind, code, breaker });
  expect(existsSync(order().output)).toBe(false);
  expect(await fake.client.convert(order())).toMatchObject({ pages: 1 });
});

it("knows what was converted although nobody heard of it", async () => {
  fake.trouble("convert", "timeout-but-done", "truncated");
  await expect(fake.client.convert(order())).rejects.toThrow();
  await expect(fake.client.convert(order())).rejects.toThrow();
  await fake.client.convert(order());
  expect(fake.world.truth()).toMatchObject({ converted: new Map([["a", 3]]), duplicates: ["a"] });
});

it("takes its time where it is told to, and can be given up meanwhile", async () => {
  const goOn = fake.world.hold();
  const stop = new AbortController();
  const reason = new Error("enough");
  const given = fake.client.convert(order("a"), { signal: stop.signal });
  const other = fake.client.convert(order("b"));
  await expect.poll(() => fake.world.truth().mostAtOnce).toBe(2);
  stop.abort(reason);
  goOn();
  await expect(given).rejects.toBe(reason);
  const { bytes } = await other;
  expect(await readFile(order("b").output)).toHaveLength(bytes);
  expect(existsSync(order("a").output)).toBe(false);
});

it("as a taker of jobs: started, looked at, fetched, forgotten", async () => {
  const { client, tick, world, forget } = fakeGatewayJobs();
  world.refuse("bad", "PARSE_ERROR");
  const [good, bad] = [await client.start(order("good")), await client.start(order("bad"))];
  expect(await client.adopt("good")).toBe(good);
  expect((await client.look([good])).map(({ state }) => state)).toEqual(["queued"]);
  await tick(2);
  const [done, failed] = await client.look([good, bad]);
  expect([done?.state, failed?.state, failed?.fault?.code]).toEqual(["done", "failed", "PARSE_ERROR"]);
  expect((await client.fetch(good, order("good").output)).bytes).toBeGreaterThan(0);
  forget();
  expect((await client.look([good]))[0]?.state).toBe("missing");
  await expect(client.fetch(good, order("good").output)).rejects.toMatchObject({ code: "JOB_GONE" });
});
