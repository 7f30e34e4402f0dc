import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { permanent, transient, unavailable } from "../../src/engine/pipeline/fault.ts";
import { done } from "../../src/engine/pipeline/outcome.ts";
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

const down = () => unavailable("REFUSED", "connection refused");

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

const stateOf = async (sluice: TestSluice) => (await listServices(sluice.db))[0];

describe.each([{ declared: true }, { declared: false }])(
  "a service that goes down (declared: $declared)",
  ({ declared }) => {
    it("opens after five failures of different items, holds everything, and lets it go when its probe succeeds", async () => {
      const { api, pipeline, start } = world({ probe: (client) => client.ping() }, declared);
      const sluice = await start({ concurrency: 5 });
      api.fault = down;
      const { items, result } = await sluice.submit(pipeline, numbers(40));
      await sluice.advance("4m");
      expect((await stateOf(sluice))?.is_open).toBe(true);
      // Five at a time, so a second handful may have been under way when it opened; from then on nobody called.
      expect(api.calls.length).toBeLessThanOrEqual(10);
      expect(api.probes).toBe(0);
      const calls = api.calls.length;
      await sluice.advance("2m");
      expect([api.calls.length, api.probes]).toEqual([calls, 1]);
      api.fault = () => undefined;
      await sluice.advance("5m");
      expect((await stateOf(sluice))?.is_open).toBe(false);
      expect((await result()).items.map((one) => one.state)).toEqual(items.map(() => "done"));
      expect(await sluice.trace(items[39] as never)).not.toContain("attempt");
    });

    it("without a probe of its own lets exactly one item through", async () => {
      const { api, pipeline, start } = world({}, declared);
      const sluice = await start({ concurrency: 5 });
      api.fault = down;
      const { result } = await sluice.submit(pipeline, numbers(30));
      await sluice.advance("1m");
      const calls = api.calls.length;
      await sluice.advance("5m");
      expect(api.calls.length).toBe(calls + 1);
      await sluice.advance("5m");
      expect(api.calls.length).toBe(calls + 2);
      api.fault = () => undefined;
      await sluice.advance("6m");
      expect((await result()).items.every((one) => one.state === "done")).toBe(true);
      expect(new Set(api.calls.map((call) => call.n)).size).toBe(30);
    });
  },
);

describe("what opens a breaker", () => {
  it("is not one poison item, however often it fails", async () => {
    const { api, pipeline, start } = world();
    const sluice = await start();
    api.fault = (n) => (n === 0 ? transient("RESET", "connection reset") : undefined);
    const { result } = await sluice.submit(pipeline, numbers(1));
    await sluice.advance("3h");
    expect((await result()).items[0]?.state).toBe("failed");
    expect((await stateOf(sluice))?.is_open).toBe(false);
  });

  it("is refused credentials, at once", async () => {
    const { api, pipeline, start } = world();
    const sluice = await start({ concurrency: 1 });
    api.fault = () => unavailable("AUTH", "api answered 401");
    await sluice.submit(pipeline, numbers(10));
    await sluice.drain();
    expect(api.calls.length).toBe(1);
    expect(await stateOf(sluice)).toMatchObject({ is_open: true, code: "AUTH" });
  });

  it("is nothing that the service answered", async () => {
    const { api, pipeline, start } = world();
    const sluice = await start();
    api.fault = () => permanent("NOT_FOUND", "no such thing");
    await sluice.submit(pipeline, numbers(20));
    await sluice.drain();
    expect((await stateOf(sluice))?.is_open).toBe(false);
  });

  it("is also what a visit came to that used the service by itself", async () => {
    const the = service("api");
    const pipeline = definePipeline("p", { version: 1, input }).stage("call", {
      uses: the,
      run: () => {
        throw transient("RESET", "connection reset");
      },
    });
    const sluice = await open({ pipelines: [pipeline], services: { api: null }, concurrency: 5 }, new Api());
    await sluice.submit(pipeline, numbers(20));
    await sluice.drain();
    expect((await stateOf(sluice))?.is_open).toBe(true);
  });
});

describe("back-pressure", () => {
  it("makes everybody wait as told, and costs nobody anything", async () => {
    const { api, pipeline, start } = world();
    const sluice = await start({ concurrency: 1 });
    api.fault = () =>
      api.calls.length === 1 ? unavailable("RATE_LIMITED", "slow down", { retryAfter: "2m" }) : undefined;
    const { result } = await sluice.submit(pipeline, numbers(5));
    await sluice.advance("110s");
    expect(api.calls.length).toBe(1);
    await sluice.advance("60s");
    expect((await result()).items.every((one) => one.state === "done")).toBe(true);
    expect(await stateOf(sluice)).toMatchObject({ is_open: false, recent: [] });
  });

  it("five times in a row for one item while others are served is the item's own doing", async () => {
    const { api, pipeline, start } = world();
    const sluice = await start();
    api.fault = (n) => (n === 0 ? unavailable("NO_ENGINE", "no engine takes this", { retryAfter: "1m" }) : undefined);
    const { items } = await sluice.submit(pipeline, numbers(1));
    for (let round = 1; round <= 12; round += 1) {
      await sluice.submit(pipeline, numbers(1, round));
      await sluice.advance("70s");
    }
    const trace = await sluice.trace(items[0] as never);
    expect(trace.filter((line) => line.includes("NO_ENGINE")).length).toBeGreaterThan(1);
    await sluice.advance("2h");
    expect((await sluice.sluice.item(items[0] as never)).state).toBe("failed");
  });
});

it("a service that nobody was given a client for is not called, and what needs it waits", async () => {
  const the = service("elsewhere");
  const pipeline = definePipeline("p", { version: 1, input }).stage("call", { uses: the, run: () => done() });
  const sluice = await open({ pipelines: [pipeline] }, new Api());
  const { items } = await sluice.submit(pipeline, numbers(1));
  await sluice.drain();
  expect((await sluice.sluice.item(items[0] as never)).state).toBe("queued");
});

it("is listed, and looked at when somebody says so", async () => {
  const { api, pipeline, start } = world({ probe: (client) => client.ping(), limit: "100/s" });
  const sluice = await start({ concurrency: 1 });
  expect(await sluice.sluice.checkService("api")).toMatchObject({ ok: false });
  api.fault = () => unavailable("AUTH", "api answered 401");
  const { result, items } = await sluice.submit(pipeline, numbers(2));
  await sluice.advance("1m");
  const [state] = await sluice.sluice.services();
  expect(state).toMatchObject({ name: "api", state: "down", code: "AUTH", limit: { count: 100, perMs: 1_000 } });
  expect((await sluice.sluice.explain(items[0] as never)).sentence).toMatch(
    /^Waiting for api: it has refused our credentials/,
  );
  api.fault = () => undefined;
  expect(await sluice.sluice.checkService("api", "ann")).toEqual({ ok: true });
  await sluice.advance("5s");
  expect((await result()).ok).toBe(true);
  await expect(sluice.sluice.checkService("")).rejects.toMatchObject({ field: "service" });
});
