// What is let in, and let live again, only as the pipeline's own application says; and copies that nobody else gets hold of.

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { permanent } from "../../src/engine/pipeline/fault.ts";
import { done } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline, type ReopenCheck } from "../../src/engine/pipeline/pipeline.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import type { ItemId, RequestId } from "../../src/kit/index.ts";

let t: TestSluice;
afterEach(() => t.close());

const input = z.object({ title: z.string() });
const INSTEAD = "bring it to the counter";
const REFUSED = { code: "REFUSED", field: "pipeline", message: `deposits takes nothing by its name: ${INSTEAD}` };

describe("a pipeline that is reserved", () => {
  const deposits = definePipeline("deposits", { version: 1, input, reserved: INSTEAD }).stage("keep", {
    run: () => done(),
  });
  const open = async () => {
    t = await testSluice({ pipelines: [deposits] });
    return t.sluice;
  };

  it("is handed in by whoever has it, and by nobody who names it", async () => {
    const sluice = await open();
    const given = [{ title: "a ring" }];
    for (const named of [{ name: "deposits" }, { name: "deposits", version: 1 }, { ...deposits }]) {
      await expect(sluice.submit(named as typeof deposits, given)).rejects.toMatchObject(REFUSED);
      await expect(sluice.wouldSubmit(named, given)).rejects.toMatchObject(REFUSED);
    }
    const { request } = await sluice.submit(deposits, given, { owner: "ada" });
    expect(await sluice.wouldSubmit(deposits, given)).toMatchObject({ items: 1 });
    await t.drain();
    expect(await sluice.request(request)).toMatchObject({ status: "COMPLETED" });
  });

  it("has no copies made of its items, by one or by many, and says so before", async () => {
    const sluice = await open();
    const { items } = await sluice.submit(deposits, [{ title: "a ring" }]);
    const item = items[0] as ItemId;
    await t.drain();
    const copying = { from: "keep", as: "copy" } as const;
    const refusal = { ok: false, reason: REFUSED.message };
    expect(await sluice.replay(item, copying)).toEqual(refusal);
    expect(await sluice.replay(item, { ...copying, dryRun: true })).toEqual(refusal);
    expect((await sluice.possible(item)).replay).toMatchObject([{ from: "keep", same: null, copy: refusal.reason }]);
    const id = await sluice.bulk.start({ type: "replay", ...copying }, { pipeline: "deposits" }, { by: "ada" });
    await t.drain();
    expect((await sluice.bulk.get(id)).counts).toMatchObject({ done: 0, refused: 1 });
    expect(await sluice.replay(item, { from: "keep" })).toMatchObject({ ok: true });
  });
});

describe("what has ended", () => {
  it("lives again only where its pipeline says so in that very transaction", async () => {
    const kept = new Set<ItemId>();
    const reopen: ReopenCheck = async (tx, items) => {
      // In the transaction: what it locks is locked until they live.
      await tx.query({ name: "in-it", text: "select pg_current_xact_id_if_assigned()" }, []);
      return new Map(items.filter((one) => kept.has(one)).map((one) => [one, "it was pawned"]));
    };
    const pawns = definePipeline("pawns", { version: 1, input, reopen }).stage("sell", {
      run: () => {
        throw permanent("NO_BUYER", "nobody wants it");
      },
    });
    t = await testSluice({ pipelines: [pawns] });
    const { items } = await t.sluice.submit(pawns, [{ title: "a ring" }, { title: "a watch" }]);
    const [ring, watch] = items as [ItemId, ItemId];
    await t.drain();
    kept.add(ring);
    const refusal = { ok: false, reason: "it was pawned" };
    expect(await t.sluice.retry(ring)).toEqual(refusal);
    expect(await t.sluice.replay(ring, { from: "sell" })).toEqual(refusal);
    expect(await t.sluice.item(ring)).toMatchObject({ state: "failed" });
    // Of many, it alone.
    const id = await t.sluice.bulk.start({ type: "retry" }, { pipeline: "pawns" }, { by: "ada" });
    await t.drain();
    expect((await t.sluice.bulk.get(id)).counts).toMatchObject({ done: 1, refused: 1 });
    expect((await t.trace(watch)).filter((line) => line.includes("retried"))).toHaveLength(1);
    kept.clear();
    expect(await t.sluice.retry(ring)).toMatchObject({ ok: true });
  });
});

describe("a copy", () => {
  it("has a key that nobody can take before it, or join it by", async () => {
    const mill = definePipeline("mill", { version: 1, input }).stage("grind", { run: () => done() });
    t = await testSluice({ pipelines: [mill] });
    const { sluice } = t;
    const { items } = await sluice.submit(mill, [{ title: "rye" }], { owner: "ada" });
    const item = items[0] as ItemId;
    await t.drain();
    await sluice.pause({ pipeline: "mill" });
    const key = `replay of ${item} from grind on 1`;
    const before = await sluice.submit(mill, [{ title: "x" }], { key, owner: "bob" });
    const copied = await sluice.replay(item, { from: "grind", as: "copy" });
    if (!copied.ok || copied.copy === undefined) throw new Error("no copy");
    const { request } = copied.copy;
    expect(before.request).not.toBe(request);
    const { key: sealed, owners } = await sluice.request(request as RequestId);
    expect([sealed?.startsWith(`${key}, `), owners]).toEqual([true, ["ada"]]);
    // The same replay again is still the same.
    expect(await sluice.replay(item, { from: "grind", as: "copy" })).toMatchObject({ ok: false });
  });
});
