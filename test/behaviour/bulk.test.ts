// One action on many items: what matches, what it would come to, what came of each.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { BulkFilter } from "../../src/engine/index.ts";
import { permanent } from "../../src/engine/pipeline/fault.ts";
import { child, done, spawn, wait } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import type { ItemId, OperationId, RequestId } from "../../src/kit/index.ts";

const input = z.object({ how: z.enum(["fails", "breaks", "waits", "works", "parent", "guarded"]) });
type How = z.infer<typeof input>["how"];

let t: TestSluice;
let isFixed = false;

const seeds = definePipeline("seeds", { version: 1, input }).stage("grow", {
  run: () => wait("rain", { again: "1h" }),
});
const work = definePipeline("work", {
  version: 1,
  input,
  retry: ({ input, by }) => (input.how === "guarded" && by !== "admin" ? "only an admin may" : undefined),
})
  .stage("first", { run: () => done({ kept: 1 }) })
  .stage("second", {
    run: ({ input: { how }, because }) => {
      if (how === "parent" && because.children === undefined)
        return spawn([child(seeds, { how: "waits" }), child(seeds, { how: "waits" })]);
      if (how === "waits") return wait("rain", { again: "1h" });
      if (how === "works" || isFixed) return done();
      throw permanent(how === "breaks" ? "BREAKS" : "FAILS", "no");
    },
  });

beforeEach(async () => {
  isFixed = false;
  t = await testSluice({ pipelines: [work, seeds], concurrency: 50 });
});
afterEach(async () => await t.close());

async function submitted(how: How, count = 1, owner = "ann") {
  const request = await t.submit(work, Array(count).fill({ how }), { owner });
  await t.drain();
  return { request: request.request, items: request.items as ItemId[] };
}

async function finished(id: OperationId) {
  await t.drain();
  return await t.sluice.bulk.get(id);
}

const outcomes = async (id: OperationId) =>
  Object.fromEntries((await t.sluice.bulk.results(id)).map((one) => [one.item, one.reason ?? one.outcome]));

describe("a bulk retry", () => {
  it("does what its preview said, and says of each what came of it", async () => {
    const failed = await submitted("fails", 3);
    const broken = await submitted("breaks", 2);
    const guarded = await submitted("guarded", 2);
    const waiting = await submitted("waits", 1);
    const filter: BulkFilter = { pipeline: "work", state: "failed" };
    const preview = await t.sluice.bulk.preview({ type: "retry" }, filter);
    expect(preview).toMatchObject({ matched: 7, would: 5, refused: { "only an admin may": 2 } });
    isFixed = true;
    const ids = [...failed.items, ...broken.items, ...guarded.items, ...waiting.items];
    const id = await t.sluice.bulk.start({ type: "retry" }, { pipeline: "work", ids }, { by: "ann", key: "once" });
    expect(await t.sluice.bulk.start({ type: "retry" }, filter, { key: "once" })).toBe(id);
    const operation = await finished(id);
    expect(operation).toMatchObject({ state: "finished", by: "ann", total: 8, progress: 100 });
    expect(operation.counts).toEqual({ done: 5, refused: 3, failed: 0, stopped: 0, open: 0 });
    expect(await outcomes(id)).toEqual({
      ...Object.fromEntries([...failed.items, ...broken.items].map((item) => [item, "done"])),
      ...Object.fromEntries(guarded.items.map((item) => [item, "only an admin may"])),
      [waiting.items[0] as string]: "only a failed item can be retried",
    });
    expect(await t.sluice.bulk.results(id, { outcome: "refused", limit: 1 })).toHaveLength(1);
    const [first] = await t.sluice.bulk.results(id, { limit: 1 });
    expect(await t.sluice.bulk.results(id, { after: first?.item as ItemId })).toHaveLength(7);
    expect(await t.sluice.bulk.list()).toEqual([operation]);
    expect(await t.sluice.bulk.stop(id)).toEqual({ ok: false, reason: "it is over already, or does not exist" });
    const codes: unknown[] = [];
    for await (const event of t.sluice.feed()) {
      if (event.type === "operation.changed") codes.push(event.code);
      if (codes.length === 2) break;
    }
    expect(codes).toEqual(["STARTED", "ENDED"]);
  });

  it("begins nothing where more match than were confirmed, and says how many there are", async () => {
    const filter: BulkFilter = { state: "failed" };
    const retry = { type: "retry" } as const;
    await submitted("fails", 2);
    const { matched } = await t.sluice.bulk.preview(retry, filter);
    await submitted("fails");
    const start = (expected?: number) => t.sluice.bulk.start(retry, filter, { expected });
    await expect(start(matched)).rejects.toMatchObject({
      ...{ code: "REFUSED", field: "expected" },
      message: "3 items match by now, not 2 as expected; nothing was begun",
    });
    await expect(start(-1)).rejects.toThrow(/expected is a whole number from 0/);
    expect(await t.sluice.bulk.list()).toEqual([]);
    // Fewer than were confirmed are no surprise.
    expect((await finished(await start(4))).total).toBe(3);
    expect((await finished(await start())).total).toBe(3);
  });

  it("whose items share a key that only one of them can have", async () => {
    const one = await t.submit(work, [{ how: "fails" }], { key: "film" });
    await t.drain();
    const two = await t.submit(work, [{ how: "fails" }], { key: "film" });
    await t.drain();
    const other = await submitted("fails");
    await t.pause({ pipeline: "work" });
    expect(await t.sluice.bulk.preview({ type: "retry" }, { state: "failed" })).toMatchObject({
      would: 2,
      refused: { "another request has taken its key since it ended": 1 },
    });
    const id = await t.sluice.bulk.start({ type: "retry" }, { state: "failed" });
    expect((await finished(id)).counts).toMatchObject({ done: 2, refused: 1 });
    expect(await outcomes(id)).toEqual({
      [one.items[0] as string]: "done",
      [two.items[0] as string]: "another request has taken its key since it ended",
      [other.items[0] as string]: "done",
    });
  });

  it("whose key another request has taken since: preview, dry run and the retry say the same", async () => {
    const { items } = await t.submit(work, [{ how: "fails" }], { key: "film" });
    await t.drain();
    const item = items[0] as ItemId;
    expect((await t.sluice.explain(item)).actions).toEqual(["retry"]);
    await t.submit(work, [{ how: "waits" }], { key: "film" });
    await t.drain();
    const reason = "another request has taken its key since it ended";
    const actions = [{ type: "retry" }, { type: "replay", from: "first", as: "same" }] as const;
    for (const action of actions) {
      const preview = await t.sluice.bulk.preview(action, { state: "failed" });
      expect(preview).toMatchObject({ matched: 1, would: 0, refused: { [reason]: 1 } });
    }
    for (const dryRun of [true, false]) expect(await t.sluice.retry(item, { dryRun })).toEqual({ ok: false, reason });
    const possible = await t.sluice.possible(item);
    expect(possible.retry).toBe(reason);
    expect(possible.replay[0]).toMatchObject({ from: "first", same: reason, copy: null });
    expect(await t.sluice.explain(item)).toMatchObject({ actions: [], sentence: expect.stringContaining(reason) });
  });
});

describe("a filter", () => {
  it("finds what its fields have in common", async () => {
    const failed = await submitted("fails", 2);
    const broken = await submitted("breaks", 1, "bob");
    await t.advance("2h");
    const waiting = await submitted("waits", 1);
    const parent = await submitted("parent");
    const worked = await submitted("works");
    const matched = async (filter: BulkFilter) => (await t.sluice.bulk.preview({ type: "cancel" }, filter)).matched;
    expect(await matched({ pipeline: "work" })).toBe(6);
    expect(await matched({ pipeline: "seeds" })).toBe(2);
    expect(await matched({ pipeline: "work", version: 2 })).toBe(0);
    expect(await matched({ state: "failed" })).toBe(3);
    expect(await matched({ state: "done" })).toBe(1);
    expect(await matched({ state: "cancelled" })).toBe(0);
    expect(await matched({ state: "waiting" })).toBe(4);
    expect(await matched({ state: "queued" })).toBe(0);
    expect(await matched({ state: "running" })).toBe(0);
    expect(await matched({ state: "needs-you" })).toBe(0);
    expect(await matched({ state: ["waiting", "queued"] })).toBe(4);
    expect(await matched({ state: ["failed", "done"] })).toBe(4);
    expect(await matched({ state: ["failed", "waiting"] })).toBe(7);
    expect(await matched({ state: ["failed", "running"] })).toBe(3);
    expect(await matched({ stage: "second", state: ["failed", "waiting"] })).toBe(5);
    expect(await matched({ reason: "rain", state: ["failed", "waiting"] })).toBe(3);
    await expect(matched({ state: [] })).rejects.toThrow(/state is one of queued.*or a list of them/);
    expect(await matched({ code: "BREAKS" })).toBe(1);
    expect(await matched({ stage: "second", state: "failed" })).toBe(3);
    // What is done stands nowhere, unless it is what is asked for.
    expect(await matched({ stage: "second" })).toBe(5);
    expect(await matched({ stage: "second", state: "done" })).toBe(1);
    expect(await matched({ stage: "second", state: "waiting" })).toBe(2);
    expect(await matched({ stage: "first" })).toBe(0);
    expect(await matched({ reason: "rain" })).toBe(3);
    expect(await matched({ reason: "children" })).toBe(1);
    await expect(matched({ reason: "service_down" })).rejects.toThrow(
      /no operation goes by service_down:.*say where they stand/,
    );
    expect(await matched({ service: "nobody" })).toBe(0);
    expect(await matched({ owner: "bob" })).toBe(1);
    expect(await matched({ request: failed.request as RequestId })).toBe(2);
    expect(await matched({ state: "failed", olderThan: "1h" })).toBe(3);
    expect(await matched({ state: "failed", newerThan: "1h" })).toBe(0);
    expect(await matched({ newerThan: "1h", pipeline: "work" })).toBe(3);
    expect(await matched({ ids: [...broken.items, ...waiting.items, ...worked.items, ...parent.items] })).toBe(4);
  });

  it("by an owner finds what is theirs, not what they joined", async () => {
    const submit = (owner: string) => t.submit(work, [{ how: "waits" }], { owner, key: "same" });
    await submit("ann");
    expect((await submit("bob")).joined).toBe(true);
    const matched = async (owner: string) => (await t.sluice.bulk.preview({ type: "cancel" }, { owner })).matched;
    expect([await matched("ann"), await matched("bob")]).toEqual([1, 0]);
  });

  it("that names nothing, or what there is not, is refused by the field", async () => {
    const preview = (filter: object) => t.sluice.bulk.preview({ type: "cancel" }, filter);
    await expect(preview({})).rejects.toMatchObject({ field: "filter" });
    await expect(preview({ stat: "failed" })).rejects.toMatchObject({ field: "filter" });
    await expect(preview({ state: "broken" })).rejects.toMatchObject({ field: "state" });
    await expect(preview({ version: 0 })).rejects.toMatchObject({ field: "version" });
    await expect(preview({ ids: [] })).rejects.toMatchObject({ field: "ids" });
    await expect(preview({ ids: ["req_1"] })).rejects.toMatchObject({ field: "ids[0]" });
    await expect(preview({ olderThan: "long" })).rejects.toMatchObject({ field: "olderThan" });
    const action = { type: "explode" } as never;
    await expect(t.sluice.bulk.start(action, { state: "failed" })).rejects.toMatchObject({ field: "action" });
    await expect(t.sluice.bulk.get("opr_0000000000001" as OperationId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("that matches nothing makes an operation that is over", async () => {
    const id = await t.sluice.bulk.start({ type: "cancel" }, { state: "failed" });
    expect(await t.sluice.bulk.get(id)).toMatchObject({ state: "finished", total: 0, progress: 100 });
  });
});

describe("a bulk operation", () => {
  it("is there for who began it, where one is named", async () => {
    const id = await t.sluice.bulk.start({ type: "cancel" }, { state: "failed" }, { by: "ann" });
    expect((await t.sluice.bulk.get(id, { of: "ann" })).by).toBe("ann");
    await expect(t.sluice.bulk.get(id, { of: "bob" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await t.sluice.bulk.list({ of: "ann" })).map((one) => one.id)).toEqual([id]);
    expect(await t.sluice.bulk.list({ of: "bob" })).toEqual([]);
  });

  it("that cancels takes along what was spawned", async () => {
    await submitted("parent", 2);
    const id = await t.sluice.bulk.start({ type: "cancel" }, { pipeline: "work" });
    expect(await finished(id)).toMatchObject({ total: 6, counts: { done: 6, refused: 0 } });
    expect((await t.sluice.bulk.preview({ type: "cancel" }, { pipeline: "seeds", state: "cancelled" })).matched).toBe(
      4,
    );
  });

  it("that replays makes copies, skips, and changes priorities", async () => {
    const { items } = await submitted("works", 2);
    const copies = await t.sluice.bulk.start({ type: "replay", from: "second", as: "copy" }, { ids: items });
    expect((await finished(copies)).counts.done).toBe(2);
    const results = await t.sluice.bulk.results(copies);
    expect((await t.sluice.item(results[0]?.copy as ItemId)).outputs).toEqual({ first: { kept: 1 } });
    const waiting = await submitted("waits", 2);
    const priority = await t.sluice.bulk.start({ type: "set-priority", priority: 1 }, { reason: "rain" });
    expect((await finished(priority)).counts.done).toBe(2);
    const skipped = await t.sluice.bulk.start({ type: "skip", reason: "no rain" }, { reason: "rain", stage: "second" });
    expect((await finished(skipped)).counts.done).toBe(2);
    expect(await t.sluice.item(waiting.items[0] as ItemId)).toMatchObject({ state: "done", priority: 1 });
    const replayed = await t.sluice.bulk.start({ type: "replay", from: "first", as: "same" }, { ids: waiting.items });
    expect((await finished(replayed)).counts.done).toBe(2);
    expect(await t.sluice.item(waiting.items[0] as ItemId)).toMatchObject({ state: "waiting", series: 2 });
  });
});
