// Lists of items and requests: what is found, in which order, and where the next page goes on.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, definePipeline, done, type ItemFilter, permanent, wait } from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";

type Way = "done" | "fail" | "wait" | "ask";

const films = definePipeline("films", { version: 2, input: z.object({ way: z.enum(["done", "fail", "wait", "ask"]) }) })
  .stage("find", { words: ["PENDING", "SEARCHING"], run: () => done({ found: true }) })
  .stage("fetch", {
    words: ["FOUND", "FETCHING"],
    attempts: 3,
    run: ({ input }) => {
      if (input.way === "fail") throw permanent("GONE", "it is gone");
      if (input.way === "wait") return wait("not_available", { again: "6h" });
      return input.way === "ask" ? ask("Which one?", { options: ["a", "b"] }) : done();
    },
  });
const songs = definePipeline("songs", { version: 1, input: z.object({}) }).stage("sing", { run: () => done() });

let t: TestSluice;
const ids: Record<string, string> = {};

async function hand(name: string, way: Way, options: { owner?: string; key?: string } = {}): Promise<void> {
  const { items, request } = await t.submit(films, [{ way }], options);
  ids[name] = items[0] ?? "";
  ids[`${name} request`] = request;
}

beforeAll(async () => {
  t = await testSluice({ pipelines: [films, songs] });
  await hand("done", "done", { owner: "ann" });
  await hand("failed", "fail", { owner: "ann", key: "tmdb:1" });
  await hand("waiting", "wait", { owner: "bob" });
  await hand("asking", "ask");
  const song = await t.submit(songs, [{}], { delay: "1h" });
  ids.song = song.items[0] ?? "";
  await t.drain();
});
afterAll(() => t.close());

const names = (entries: readonly { readonly id: string }[]) =>
  entries.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id));

describe("a list of items", () => {
  it("is newest first, and says of each what a line needs", async () => {
    const { entries, next } = await t.sluice.items();
    expect(names(entries)).toEqual(["song", "asking", "waiting", "failed", "done"]);
    expect(next).toBeNull();
    const [song, asking, waiting, failed, finished] = entries;
    expect(song).toMatchObject({
      pipeline: "songs",
      state: "waiting",
      reason: "scheduled",
      stage: "sing",
      progress: 0,
    });
    expect(asking).toMatchObject({ state: "needs-you", status: "FOUND", progress: 50 });
    expect(waiting).toMatchObject({ state: "waiting", reason: "not_available", until: expect.any(Date), owner: "bob" });
    expect(failed).toMatchObject({ state: "failed", status: "FAILED", code: "GONE", stage: "fetch", key: "tmdb:1" });
    expect(finished).toMatchObject({ state: "done", status: "COMPLETED", progress: 100, finishedAt: expect.any(Date) });
    for (const line of entries) {
      const { state, status, stage, progress, attempts } = await t.sluice.item(line.id);
      expect({ ...line }).toMatchObject({ state, status, stage, progress, attempts });
    }
  });

  it.each<[string, ItemFilter, string[]]>([
    ["a pipeline", { pipeline: "films" }, ["asking", "waiting", "failed", "done"]],
    ["a version that is there", { pipeline: "films", version: 2 }, ["asking", "waiting", "failed", "done"]],
    ["a version that is not", { pipeline: "films", version: 1 }, []],
    ["a stage", { stage: "fetch" }, ["asking", "waiting", "failed"]],
    ["a stage that items are done with", { stage: "find" }, []],
    ["one of several states", { state: ["needs-you", "failed"] }, ["asking", "failed"]],
    ["what is not done", { not: { state: "done" } }, ["song", "asking", "waiting", "failed"]],
    ["what is neither done nor theirs", { not: { state: "done", owner: ["ann", "bob"] } }, ["song", "asking"]],
    ["no state at all", { state: "done", not: { state: "done" } }, []],
    ["a failure", { code: "GONE" }, ["failed"]],
    ["what did not fail so", { pipeline: "films", not: { code: "GONE" } }, ["asking", "waiting", "done"]],
    ["who holds it", { worker: "test" }, []],
    ["what is running", { state: "running" }, []],
    ["a service", { service: "nobody" }, []],
    ["a part", { part: "nas" }, []],
    ["what is no part", { not: { part: "nas" }, state: "done" }, ["done"]],
    ["a priority", { priority: [1, 2] }, []],
    ["the usual one", { priority: 3, pipeline: "songs" }, ["song"]],
    ["attempts used", { attemptsLeast: 1, attemptsMost: 1, state: ["failed"] }, ["failed"]],
    ["more attempts than anything has used", { attemptsLeast: 2 }, []],
    ["the beginning of a key", { word: "tmdb" }, ["failed"]],
    ["the beginning of a key, of somebody's", { word: "tmdb", owner: "bob" }, []],
    ["the beginning of every id", { id: "itm_00000" }, ["song", "asking", "waiting", "failed", "done"]],
    ["an id without its zeros", { id: ["3", "itm_4"] }, ["asking", "waiting"]],
    ["the same as a word", { word: "3" }, ["waiting"]],
    ["the beginning of the largest ids there can be", { id: "7z", word: "7zz" }, []],
    ["the largest of all", { id: "itm_7zzzzzzzzzzzz", word: "7zzzzzzzzzzzz" }, []],
    ["what is young", { newerThan: "1m" }, ["song", "asking", "waiting", "failed", "done"]],
    ["what is old", { olderThan: "1m" }, []],
    ["a state of the living", { state: "needs-you" }, ["asking"]],
    ["an end", { state: "failed" }, ["failed"]],
    ["a reason", { reason: "scheduled" }, ["song"]],
    ["an owner", { owner: "ann" }, ["failed", "done"]],
    ["an owner and a state", { owner: "ann", state: "done" }, ["done"]],
    ["a key", { key: "tmdb:1" }, ["failed"]],
    ["nobody's key", { key: "tmdb:2" }, []],
    ["once what is named twice: a key", { key: ["tmdb:1", "tmdb:1"] }, ["failed"]],
    ["an owner", { owner: ["bob", "bob"] }, ["waiting"]],
    ["a request, however it is spelled", { request: ["req_0000000000001", "REQ_000000000000I"] as never }, ["done"]],
    ["an id", { id: ["3", "3", "itm_0000000000003"] }, ["waiting"]],
    ["a pipeline", { pipeline: ["songs", "songs"] }, ["song"]],
  ])("finds %s", async (_, filter, found) => {
    const { entries } = await t.sluice.items(filter);
    expect(names(entries)).toEqual(found);
  });

  it("finds the items of a request", async () => {
    const { entries } = await t.sluice.items({ request: ids["waiting request"] as never });
    expect(names(entries)).toEqual(["waiting"]);
  });

  it("finds what failed, was retried and then cancelled once", async () => {
    const own = await testSluice({ pipelines: [films] });
    const [item = ""] = (await own.submit(films, [{ way: "fail" }])).items;
    await own.drain();
    await own.sluice.retry(item as never);
    await own.sluice.cancel(item as never);
    const { entries } = await own.sluice.items({ state: ["failed", "cancelled"] });
    expect(entries.map(({ id }) => id)).toEqual([item]);
    await own.close();
  });

  it("finds what a worker has in hand, while it has it", async () => {
    const found: (readonly { readonly id: string }[])[] = [];
    const watched = definePipeline("watched", { version: 1, input: z.object({}) }).stage("look", {
      run: async () => {
        for (const filter of [
          { worker: "test" },
          { worker: ["nobody", "test"], state: "running" },
          { state: "running" },
        ] as const)
          found.push((await own.sluice.items(filter)).entries);
        found.push((await own.sluice.items({ worker: "nobody" })).entries);
        found.push((await own.sluice.items({ not: { worker: "test" } })).entries);
        return done();
      },
    });
    const own = await testSluice({ pipelines: [watched] });
    const { items } = await own.submit(watched, [{}]);
    await own.drain();
    expect(found.map((entries) => entries.map(({ id }) => id))).toEqual([items, items, items, [], []]);
    await own.close();
  });

  it("goes on page by page, and ends", async () => {
    const seen: unknown[] = [];
    let after: string | undefined;
    for (let page = 0; page < 3; page += 1) {
      const { entries, next } = await t.sluice.items({}, { limit: 2, ...(after === undefined ? {} : { after }) });
      seen.push(names(entries));
      after = next ?? undefined;
    }
    expect(seen).toEqual([["song", "asking"], ["waiting", "failed"], ["done"]]);
    expect(after).toBeUndefined();
  });

  it("finds the one that an id, or its beginning, means", async () => {
    const { sluice } = t;
    expect(await sluice.itemId("2")).toBe(ids.failed);
    expect(await sluice.itemId("itm_2", { owner: "ann" })).toBe(ids.failed);
    expect(await sluice.itemId(ids.failed ?? "")).toBe(ids.failed);
    expect(await sluice.requestId("req_000000000000", { owner: "bob" })).toBe(ids["waiting request"]);
    await expect(sluice.itemId("2", { owner: "bob" })).rejects.toMatchObject({ code: "NOT_FOUND", field: "item" });
    await expect(sluice.requestId("req_9")).rejects.toMatchObject({ code: "NOT_FOUND", field: "request" });
    await expect(sluice.itemId("nothing of ours")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(sluice.itemId("itm_000000000000")).rejects.toMatchObject({
      code: "AMBIGUOUS",
      candidates: [ids.done, ids.failed],
    });
    // To each only their own.
    await expect(sluice.itemId("itm_000000000000", { owner: "ann" })).rejects.toMatchObject({ code: "AMBIGUOUS" });
    expect(await sluice.itemId("itm_000000000000", { owner: "bob" })).toBe(ids.waiting);
  });

  it("refuses what makes no sense", async () => {
    await expect(t.sluice.items({ state: "lost" as never })).rejects.toThrow(/state is one of/);
    await expect(t.sluice.items({ id: "req_1" })).rejects.toThrow(/id is itm_/);
    await expect(t.sluice.items({}, { limit: 0 })).rejects.toThrow(/limit is a whole number from 1 to 200/);
    await expect(t.sluice.items({}, { after: "req_1" })).rejects.toThrow(/after/);
  });
});

describe("a list of requests", () => {
  it("is newest first, with counts and a status", async () => {
    const { entries, next } = await t.sluice.requests();
    expect(entries.map(({ status }) => status)).toEqual(["PENDING", "PROCESSING", "PROCESSING", "FAILED", "COMPLETED"]);
    expect(entries[3]).toMatchObject({ key: "tmdb:1", owners: ["ann"], counts: { total: 1, failed: 1 }, parent: null });
    expect(next).toBeNull();
    for (const line of entries) expect(line.status).toBe((await t.sluice.request(line.id)).status);
  });

  it("finds by owner, by key, and by whether anything is left to do", async () => {
    const found = async (filter: Parameters<TestSluice["sluice"]["requests"]>[0]) =>
      (await t.sluice.requests(filter)).entries.map(({ id }) => id);
    expect(await found({ owner: "ann" })).toEqual([ids["failed request"], ids["done request"]]);
    expect(await found({ key: "tmdb:1" })).toEqual([ids["failed request"]]);
    expect(await found({ owner: "ann", over: false })).toEqual([]);
    expect(await found({ over: true })).toEqual([ids["failed request"], ids["done request"]]);
    expect(await found({ owner: ["ann", "bob"], not: { key: "tmdb:1" } })).toEqual([
      ids["waiting request"],
      ids["done request"],
    ]);
    expect(await found({ not: { owner: ["ann", "bob"] }, newerThan: "1m" })).toHaveLength(2);
    expect(await found({ olderThan: "1m" })).toEqual([]);
    expect(await found({ id: "req_2" })).toEqual([ids["failed request"]]);
    // Each once, however often it is named.
    expect(await found({ id: ["2", "2", "00"], key: "tmdb:1" })).toEqual([ids["failed request"]]);
    expect(await found({ key: ["tmdb:1", "tmdb:1"] })).toEqual([ids["failed request"]]);
    expect(await found({ owner: ["bob", "bob"] })).toEqual([ids["waiting request"]]);
  });

  it("finds by the status it shows", async () => {
    const { entries } = await t.sluice.requests();
    const statuses = ["PENDING", "PROCESSING", "COMPLETED", "PARTIAL", "FAILED", "CANCELLED"] as const;
    for (const status of statuses) {
      const found = (await t.sluice.requests({ status })).entries.map(({ id }) => id);
      expect(found, status).toEqual(entries.filter((one) => one.status === status).map(({ id }) => id));
      const others = (await t.sluice.requests({ not: { status } })).entries.length;
      expect(found.length + others).toBe(entries.length);
    }
    await expect(t.sluice.requests({ status: "LOST" as never })).rejects.toThrow(/status is one of/);
  });
});
