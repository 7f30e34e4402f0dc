import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { unavailable } from "../../src/engine/pipeline/fault.ts";
import { done, skip } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { type ServiceOptions, service } from "../../src/engine/pipeline/service.ts";
import { listServices } from "../../src/engine/services/service.sql.ts";
import { openPglite } from "../../src/engine/testing/pglite.ts";
import { type TestSluice, type TestSluiceOptions, testSluice } from "../../src/engine/testing/test-sluice.ts";

const input = z.object({ n: z.number() });
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => ({ n: from + index }));

/** A service that does as it is told, and remembers who called. */
class Api {
  fault: (n: number) => Error | undefined = () => undefined;
  readonly calls: { readonly n: number; readonly at: number }[] = [];
  probes = 0;
  now: () => Date = () => new Date(0);

  async get(n: number): Promise<string> {
    this.calls.push({ n, at: this.now().getTime() });
    const fault = this.fault(n);
    if (fault !== undefined) throw fault;
    return `got ${n}`;
  }

  async ping(): Promise<void> {
    this.probes += 1;
    const fault = this.fault(-1);
    if (fault !== undefined) throw fault;
  }
}

let t: TestSluice | undefined;
// The first database of a schema takes long to make; no test has to wait for it.
beforeAll(async () => (await openPglite()).close(), 120_000);
afterEach(async () => {
  await t?.close();
  t = undefined;
});

async function open(options: TestSluiceOptions, api: Api): Promise<TestSluice> {
  t = await testSluice(options);
  api.now = () => (t as TestSluice).now();
  return t;
}

/** One stage that calls through the visit; declared to use the service, or not. */
function world(options: ServiceOptions<Api> = {}, declared = true) {
  const api = new Api();
  const the = service<Api>("api", options);
  const pipeline = definePipeline("p", { version: 1, input }).stage("call", {
    ...(declared ? { uses: the } : {}),
    run: async (visit) => done(await visit.call(the, (client) => client.get(visit.input.n))),
  });
  return { api, pipeline, the, start: (more = {}) => open({ pipelines: [pipeline], services: { api }, ...more }, api) };
}

/** A turn of the event loop, or some: whatever else can begin does. */
const turn = async () => await (t as TestSluice).db.query({ name: "turn", text: "select 1" }, []);

const stateOf = async (sluice: TestSluice) => (await listServices(sluice.db))[0];

describe("a limit", () => {
  const windows = (calls: readonly { at: number }[], ms: number) =>
    Math.max(...calls.map((one) => calls.filter((other) => other.at >= one.at && other.at < one.at + ms).length));

  it.each([{ declared: true }, { declared: false }])(
    "is kept in every window (declared: $declared)",
    async ({ declared }) => {
      const { api, pipeline, start } = world({ limit: "6/min" }, declared);
      const sluice = await start();
      const { result } = await sluice.submit(pipeline, numbers(20));
      await sluice.drain();
      expect(api.calls.length).toBe(6);
      await sluice.advance("5m");
      expect((await result()).items.every((one) => one.state === "done")).toBe(true);
      expect(api.calls.length).toBe(20);
      expect(windows(api.calls, 60_000)).toBe(6);
    },
  );
});

describe("a capacity", () => {
  it("is never exceeded, and leaves nobody out", async () => {
    let inside = 0;
    let most = 0;
    const the = service("api", { capacity: 3 });
    const pipeline = definePipeline("p", { version: 1, input }).stage("call", {
      uses: the,
      run: async (visit) => {
        inside += 1;
        most = Math.max(most, inside);
        await turn();
        inside -= 1;
        return visit.input.n % 7 === 0 ? skip("not needed") : done();
      },
    });
    const sluice = await open({ pipelines: [pipeline], services: { api: null }, concurrency: 20 }, new Api());
    const { result } = await sluice.submit(pipeline, numbers(30));
    await sluice.drain();
    expect((await result()).items.every((one) => one.state === "done")).toBe(true);
    expect(most).toBe(3);
  });
});

it("after recovery no more are in hand than the ramp allows", async () => {
  let inside = 0;
  const seen: number[] = [];
  let isDown = true;
  const the = service("api", { probe: async () => undefined });
  const pipeline = definePipeline("p", { version: 1, input }).stage("call", {
    uses: the,
    run: async () => {
      if (isDown) throw unavailable("REFUSED", "connection refused");
      inside += 1;
      seen.push(inside);
      await turn();
      inside -= 1;
      return done();
    },
  });
  const sluice = await open({ pipelines: [pipeline], services: { api: null }, concurrency: 50 }, new Api());
  const { result } = await sluice.submit(pipeline, numbers(200));
  await sluice.advance("1m");
  expect((await stateOf(sluice))?.is_open).toBe(true);
  isDown = false;
  await sluice.advance("10m");
  expect((await result()).items.every((one) => one.state === "done")).toBe(true);
  // The n-th to begin came when fewer than n had succeeded, so it was one of at most as many as the ramp had reached.
  const ramp = seen.map((_, index) => 2 ** Math.floor(Math.log2(index + 1)));
  expect(seen.every((count, index) => count <= (ramp[index] ?? 0))).toBe(true);
  expect(Math.max(...seen)).toBeGreaterThan(1);
});

it("an item that needs two services which have both just come back asks each of them once", async () => {
  const [first, second] = [new Api(), new Api()];
  const breaker = { failures: 1, items: 1, cooldown: "1s" } as const;
  const the = [service<Api>("first", { breaker }), service<Api>("second", { breaker })] as const;
  const pipeline = definePipeline("p", { version: 1, input }).stage("call", {
    async run({ call, input: { n } }) {
      if (n !== 2) await call(the[0], (api) => api.get(n));
      if (n !== 1) await call(the[1], (api) => api.get(n));
      return done();
    },
  });
  const sluice = await open({ pipelines: [pipeline], services: { first, second } }, new Api());
  for (const api of [first, second]) api.fault = () => unavailable("REFUSED", "connection refused");
  // Each of these needs one of them.
  await sluice.submit(pipeline, numbers(2, 1));
  await sluice.advance("5s");
  for (const api of [first, second]) api.fault = () => undefined;
  await sluice.advance("1m");
  const { result } = await sluice.submit(pipeline, numbers(1, 3));
  await sluice.advance("1m");
  expect((await result()).items.map(({ state }) => state)).toEqual(["done"]);
  const asked = [first, second].map((api) => api.calls.filter(({ n }) => n === 3).length);
  expect(asked).toEqual([1, 1]);
});

it("a service that goes down again while it comes back costs nobody an attempt, and is not asked over and over", async () => {
  const api = new Api();
  const the = service<Api>("api", { breaker: { cooldown: "1s" } });
  const pipeline = definePipeline("p", { version: 1, input }).stage("call", {
    attempts: 3,
    async run({ call, input: { n } }) {
      await call(the, (client) => client.get(n));
      return done();
    },
  });
  const sluice = await open({ pipelines: [pipeline], services: { api } }, new Api());
  const down = () => unavailable("REFUSED", "connection refused");
  api.fault = down;
  await sluice.submit(pipeline, numbers(8));
  await sluice.advance("10s");
  api.fault = () => undefined;
  await sluice.advance("10m");
  expect(await stateOf(sluice)).toMatchObject({ is_open: false, ramp: expect.any(Number) });
  // Too few ask for its breaker to open.
  api.fault = down;
  const { items, result } = await sluice.submit(pipeline, numbers(1, 100));
  await sluice.advance("1m");
  const [item] = items;
  expect((await sluice.sluice.item(item as never)).attempts.used).toBe(0);
  expect(api.calls.filter(({ n }) => n === 100).length).toBeLessThan(20);
  api.fault = () => undefined;
  await sluice.advance("10s");
  expect((await result()).items.map(({ state }) => state)).toEqual(["done"]);
});
