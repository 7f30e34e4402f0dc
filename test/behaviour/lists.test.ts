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
    ["a stage", { stage: "fetch" }, ["asking", "waiting"]],
    ["a state of the living", { state: "needs-you" }, ["asking"]],
    ["an end", { state: "failed" }, ["failed"]],
    ["a reason", { reason: "scheduled" }, ["song"]],
    ["an owner", { owner: "ann" }, ["failed", "done"]],
    ["an owner and a state", { owner: "ann", state: "done" }, ["done"]],
    ["a key", { key: "tmdb:1" }, ["failed"]],
    ["nobody's key", { key: "tmdb:2" }, []],
  ])("finds %s", async (_, filter, found) => {
    const { entries } = await t.sluice.items(filter);
    expect(names(entries)).toEqual(found);
  });

  it("finds the items of a request", async () => {
    const { entries } = await t.sluice.items({ request: ids["waiting request"] as never });
    expect(names(entries)).toEqual(["waiting"]);
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

  it("refuses what makes no sense", async () => {
    await expect(t.sluice.items({ state: "lost" as never })).rejects.toThrow(/state is one of/);
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
  });
});
