import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type SmallWorld, smallWorld } from "../../../test/support/small-world.ts";
import { formatId } from "../../kit/index.ts";
import { saveProgress } from "../items/lease.sql.ts";
import { cancelItems } from "../operate/cancel.ts";
import { permanent } from "../pipeline/fault.ts";
import { again, ask, done, wait } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { openPglite, type PgliteDatabase } from "../testing/pglite.ts";
import type { Held } from "../workers/held.ts";
import { explainItem } from "./explain-item.ts";
import { readItem } from "./item.ts";
import { readRequest } from "./request.ts";

const film = definePipeline("film", { version: 1, input: z.unknown() })
  .stage("search", { run: () => done(), words: ["PENDING", "SEARCHING"], attempts: 3 })
  .stage("encode", { run: () => done(), words: ["FOUND", "ENCODING"], weight: 3 });
const plain = definePipeline("plain", { version: 1, input: z.unknown() })
  .stage("first", { run: () => done() })
  .stage("second", { run: () => done() });

let db: PgliteDatabase;
let world: SmallWorld;

beforeAll(async () => {
  db = await openPglite();
  world = await smallWorld(db, [film, plain]);
  await world.worker("1");
});
afterAll(() => db.close());

const item = (id: string | undefined) => readItem(db, world.stagesOf, id ?? "");
const request = (id: string) => readRequest(db, world.stagesOf, id);

async function claimAll(): Promise<Held[]> {
  return await world.claim("1", 1_000);
}

async function claimOne(): Promise<Held> {
  const [held] = await claimAll();
  if (held === undefined) throw new Error("nothing to claim");
  return held;
}

describe("reading an item", () => {
  it("follows it through its pipeline", async () => {
    const { items, request: asked } = await world.submit(film, 1, { owner: "ann", priority: 2 });
    const [id] = items;
    expect(await item(id)).toMatchObject({
      id,
      request: asked,
      pipeline: "film",
      version: 1,
      stage: "search",
      state: "queued",
      status: "PENDING",
      reason: "queued",
      until: null,
      attempts: { used: 0, max: 3 },
      series: 1,
      progress: 0,
      stageProgress: null,
      priority: 2,
      owner: "ann",
      finishedAt: null,
      input: { n: 0 },
      outputs: {},
    });
    const first = await claimOne();
    await saveProgress(db, [{ id: first.row.id, version: first.version, progress: 50 }], "1");
    expect(await item(id)).toMatchObject({ state: "running", status: "SEARCHING", progress: 12.5, stageProgress: 50 });
    await world.settle(first, "1", { outcome: done({ found: 2 }) });
    expect(await item(id)).toMatchObject({
      stage: "encode",
      state: "queued",
      status: "FOUND",
      progress: 25,
      stageProgress: null,
      outputs: { search: { found: 2 } },
    });
    await world.settle(await claimOne(), "1", { outcome: again("5m") });
    const waiting = await item(id);
    expect(waiting).toMatchObject({ state: "waiting", status: "ENCODING", reason: "again" });
    expect((waiting.until?.getTime() ?? 0) - waiting.since.getTime()).toBe(300_000);
    await db.query({ name: "due", text: "update sluice.run set ready_at = sluice.now()" }, []);
    expect(await item(id)).toMatchObject({ state: "queued", status: "ENCODING", reason: "queued" });
    await world.settle(await claimOne(), "1", { outcome: done({ size: 1 }) });
    const over = await item(id);
    expect(over).toMatchObject({
      stage: "encode",
      state: "done",
      status: "COMPLETED",
      progress: 100,
      outputs: { search: { found: 2 }, encode: { size: 1 } },
    });
    expect(over.finishedAt).toEqual(over.since);
  });

  it("shows PENDING again where a wait gave the stage's work back", async () => {
    const { items } = await world.submit(film);
    await world.settle(await claimOne(), "1", { outcome: wait("not_available", { again: "6h" }) });
    expect(await item(items[0])).toMatchObject({ state: "waiting", status: "PENDING", reason: "not_available" });
  });

  it("needs you while a question is open", async () => {
    const { items } = await world.submit(film);
    await world.settle(await claimOne(), "1", { outcome: ask("Which cut?") });
    expect(await item(items[0])).toMatchObject({ state: "needs-you", reason: "question", until: null });
  });

  it("says why it failed, or that it was cancelled", async () => {
    const { items, ids } = await world.submit(film, 2);
    const [first] = await claimAll();
    if (first === undefined) throw new Error("nothing to claim");
    await world.settle(first, "1", { fault: permanent("BAD_FORMAT", "no video in it") });
    await cancelItems(db, [ids[1] as string], "ann");
    expect(await item(items[0])).toMatchObject({
      state: "failed",
      status: "FAILED",
      stage: "search",
      code: "BAD_FORMAT",
      message: "no video in it",
      attempts: { used: 1, max: 3 },
    });
    expect(await item(items[1])).toMatchObject({ state: "cancelled", status: "CANCELLED", message: "ann" });
  });

  it("does without words, and without the pipeline's code", async () => {
    const { items } = await world.submit(plain);
    expect(await item(items[0])).toMatchObject({ status: "PENDING" });
    await world.settle(await claimOne(), "1", { outcome: done() });
    expect(await item(items[0])).toMatchObject({ state: "queued", status: "PROCESSING", progress: 50 });
    const blind = await readItem(db, () => undefined, items[0] as string);
    expect(blind).toMatchObject({ stage: "second", progress: 50, attempts: { used: 0, max: null } });
    await world.settle(await claimOne(), "1", { outcome: done() });
  });

  it("refuses what is no item", async () => {
    await expect(item("req_0000000000001")).rejects.toMatchObject({ code: "INVALID_INPUT", field: "item" });
    await expect(item(formatId("item", "999999"))).rejects.toMatchObject({ code: "NOT_FOUND", field: "item" });
  });
});

describe("reading a request", () => {
  it("counts, and derives status and progress", async () => {
    const { request: id, ids } = await world.submit(film, 4, { owner: "ann" });
    expect(await request(id)).toMatchObject({
      id,
      parent: null,
      owners: ["ann"],
      status: "PENDING",
      counts: { total: 4, completed: 0, partly: 0, failed: 0, cancelled: 0 },
      progress: 0,
    });
    const [first, second, third] = await claimAll();
    if (first === undefined || second === undefined || third === undefined) throw new Error("too few");
    expect(await request(id)).toMatchObject({ status: "PROCESSING" });
    await world.settle(first, "1", { outcome: done() });
    await world.settle(second, "1", { fault: permanent("BAD_FORMAT", "no video in it") });
    await saveProgress(db, [{ id: third.row.id, version: third.version, progress: 40 }], "1");
    await cancelItems(db, [ids[3] as string], "ann");
    // 25 for the one that is past search, 0 for the failed one, 10 for the third; the cancelled one does not count.
    const halfway = await request(id);
    expect(halfway).toMatchObject({ status: "PROCESSING", counts: { failed: 1, cancelled: 1 } });
    expect(halfway.progress).toBeCloseTo(35 / 3, 5);
    const [again1] = await claimAll();
    if (again1 === undefined) throw new Error("nothing to claim");
    await world.settle(again1, "1", { outcome: done() });
    await cancelItems(db, [third.row.id], "ann");
    expect(await request(id)).toMatchObject({
      status: "PARTIAL",
      counts: { total: 4, completed: 1, failed: 1, cancelled: 2 },
      progress: 50,
    });
  });

  it("is at nothing when everything was cancelled", async () => {
    const { request: id, ids } = await world.submit(film, 2);
    await cancelItems(db, ids, "ann");
    expect(await request(id)).toMatchObject({ status: "CANCELLED", progress: 0 });
  });

  it("refuses what is no request", async () => {
    await expect(request("itm_0000000000001")).rejects.toMatchObject({ code: "INVALID_INPUT", field: "request" });
    await expect(request(formatId("request", "999999"))).rejects.toMatchObject({ code: "NOT_FOUND", field: "request" });
  });
});

it("an explanation of what is no item is refused", async () => {
  await expect(explainItem(db, world.stagesOf, "itm_0000000zzzzzz")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(explainItem(db, world.stagesOf, "7")).rejects.toMatchObject({ code: "INVALID_INPUT", field: "item" });
});
