// How work went over time, under a clock that the test moves.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, permanent, service, transient, unavailable, wait } from "../../src/engine/index.ts";
import { ownTrendWeek } from "../../src/engine/read/trends-own.sql.ts";
import { scripted } from "../../src/engine/testing/scripted.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { films } from "../support/downloads.ts";

const shop = service("shop", { breaker: { failures: 1, items: 1 } });
const songs = definePipeline("songs", { version: 1, input: z.object({ does: z.string() }) }).stage("fetch", {
  backoff: { base: "1m", cap: "1m" },
  run: async ({ input: { does }, checkpoint }) => {
    if (does === "gone" || does === "bad") throw permanent(does.toUpperCase(), does);
    if (does === "wait") return wait("weather", { signal: "sun" });
    if (does !== "half" || checkpoint.value !== undefined) return done();
    await checkpoint.save({ at: 1 });
    throw transient("AGAIN", "half done");
  },
});
const copies = definePipeline("copies", { version: 1, input: z.object({}) }).stage("copy", {
  parts: () => ["nas-1", "nas-2"],
  run: () => done(),
});
const orders = definePipeline("orders", { version: 1, input: z.object({}) }).stage("buy", {
  uses: shop,
  run: () => Promise.reject(unavailable("CLOSED", "closed")),
});
const many = definePipeline("many", { version: 1, input: z.object({ n: z.number() }) }).stage("fail", {
  run: ({ input }) => Promise.reject(permanent(`CODE_${input.n}`, "a code for each")),
});

let t: TestSluice;
const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
const hand = (owner: string, ...does: string[]) =>
  t.submit(
    songs,
    does.map((one) => ({ does: one })),
    { owner },
  );

beforeAll(async () => {
  t = await testSluice({ pipelines: [songs, copies, many] });
});
afterAll(() => t.close());

describe("trends", () => {
  it("of nothing are as many steps of nothing", async () => {
    const told = await t.sluice.trends({ range: "1h" });
    expect(told).toMatchObject({ stepMs: 600_000, pipelines: [], causes: [], otherCauses: 0, isMore: false });
    expect(told.done).toEqual(told.at.map(() => 0));
    expect(told.week).toMatchObject({ done: 0, failed: 0, failureRate: null, took: null, stalls: 0 });
  });

  it("count whole items, however they ended, where they ended", async () => {
    await hand("mia", "go", "go", "gone");
    await hand("mo", "gone", "bad", "go");
    await t.submit(songs, [{ does: "wait" }], { owner: "mia", deadline: "2m" });
    await t.submit(copies, [{}]);
    await t.advance("5m");
    const told = await t.sluice.trends({ range: "1h" });
    expect(told.pipelines).toEqual([
      { pipeline: "copies", done: expect.any(Array), failed: told.at.map(() => 0) },
      { pipeline: "songs", done: expect.any(Array), failed: expect.any(Array) },
    ]);
    expect(told.pipelines.map((one) => [total(one.done), total(one.failed)])).toEqual([
      [1, 0],
      [3, 4],
    ]);
    expect([total(told.done), total(told.failed)]).toEqual([4, 4]);
    // In the last steps, and the newest comes last.
    expect(total(told.done.slice(-2))).toBe(4);
    expect(told.at.map((at) => at.getTime())).toEqual(told.at.map((at) => at.getTime()).toSorted((a, b) => a - b));
    expect(told.causes).toEqual([
      { code: "GONE", count: 2 },
      { code: "BAD", count: 1 },
      { code: "DEADLINE", count: 1 },
    ]);
  });

  it.each(["24h", "7d", "30d"] as const)("are the same in the longer steps of %s", async (range) => {
    const told = await t.sluice.trends({ range });
    expect([total(told.done), total(told.failed), told.causes[0]?.count]).toEqual([4, 4, 2]);
    const [first, second] = told.at;
    expect((second?.getTime() ?? 0) - (first?.getTime() ?? 0)).toBe(told.stepMs);
  });

  it("of one pipeline leave out all others; of one that is not there they say which is meant", async () => {
    const told = await t.sluice.trends({ pipeline: "copies" });
    expect([total(told.done), total(told.failed), told.pipelines.length, told.causes]).toEqual([1, 0, 1, []]);
    await expect(t.sluice.trends({ pipeline: "copy" })).rejects.toThrow("known here: copies, many");
    await expect(t.sluice.trends({ range: "2h" as "1h" })).rejects.toThrow("range is one of 1h, 24h, 7d, 30d");
  });

  it("to an owner tell of what is theirs, and of nothing that nobody knows whose it was", async () => {
    const told = await t.sluice.trends({ range: "1h", owner: "mia" });
    expect(told.pipelines.map((one) => [one.pipeline, total(one.done), total(one.failed)])).toEqual([["songs", 2, 2]]);
    expect(told.causes.map((one) => one.code).toSorted()).toEqual(["DEADLINE", "GONE"]);
    expect(told.week).toMatchObject({ done: 2, failed: 2, failureRate: 0.5, stalls: null, breakerOpenings: null });
    expect(told.week.took?.meanMs).toBeGreaterThanOrEqual(0);
    expect((await t.sluice.trends({ owner: "vic" })).pipelines).toEqual([]);
    // Also where none of those that were looked at has ended.
    const { items } = await t.submit(songs, [{ does: "wait" }], { owner: "una" });
    expect(await ownTrendWeek(t.db, null, "una")).toMatchObject({ done: 0, failed: 0, looked: items.length });
  });
});

describe("the week", () => {
  it("tells checkpoints that were gone on from, and how long items took", async () => {
    await hand("mia", "half");
    await t.advance("5m");
    const { week } = await t.sluice.trends();
    expect(week).toMatchObject({ done: 5, failed: 4, failureRate: 4 / 9, stalls: 0, checkpointResumes: 1 });
    expect(week.took?.p50Ms).toBeLessThan(30_000);
    expect(week.took?.p90Ms).toBeGreaterThan(30_000);
    // Four of the five were done at once, the last after minutes.
    expect(week.took?.meanMs).toBeGreaterThan(week.took?.p50Ms ?? Number.NaN);
    expect((await t.sluice.trends({ pipeline: "copies" })).week).toMatchObject({ done: 1, checkpointResumes: 0 });
  });

  it("is over after a week, and a month is kept", async () => {
    await t.advance("8d");
    expect((await t.sluice.trends()).week).toMatchObject({ done: 0, failed: 0, checkpointResumes: 0, took: null });
    expect(total((await t.sluice.trends({ range: "30d" })).failed)).toBe(4);
    expect(total((await t.sluice.trends({ range: "7d" })).failed)).toBe(0);
  });

  it("tells what stalled and which breakers opened, to the pipelines that they are about", async () => {
    const download = films({ stall: { never: "10m", stopped: "30m" } });
    const services = { shop: {}, torrents: scripted().stallsAt(40, 1) };
    const other = await testSluice({ pipelines: [songs, orders, download], services });
    await other.submit(download, [{ title: "Alien" }]);
    await other.advance("35m");
    await other.submit(orders, [{}]);
    await other.advance("1m");
    const of = async (pipeline?: string) => (await other.sluice.trends({ pipeline })).week;
    expect(await of()).toMatchObject({ done: 1, stalls: 1, breakerOpenings: 1 });
    expect(await of("songs")).toMatchObject({ stalls: 0, breakerOpenings: 0 });
    expect(await of("films")).toMatchObject({ stalls: 1, breakerOpenings: 0 });
    expect(await of("orders")).toMatchObject({ stalls: 0, breakerOpenings: 1 });
    await other.close();
  });
});

describe("codes that are too many to be told apart", () => {
  it("are counted together", async () => {
    await t.submit(
      many,
      Array.from({ length: 25 }, (_, n) => ({ n })),
    );
    await t.advance("1m");
    const { causes, otherCauses } = await t.sluice.trends({ pipeline: "many" });
    expect(causes.length).toBeLessThanOrEqual(20);
    expect(causes.length + otherCauses).toBe(25);
    const stored = {
      name: "test-codes",
      text: "select from sluice.trend where minutes = 60 and kind = 'failed' and at > sluice.now() - interval '1 day'",
    };
    expect((await t.db.query(stored, [])).length).toBeLessThanOrEqual(21);
  });

  it("and all is forgotten in the end", async () => {
    await t.advance("40d");
    expect(
      await t.db.query({ name: "test-trends", text: "select from sluice.trend where kind = 'failed'" }, []),
    ).toEqual([]);
  });
});
