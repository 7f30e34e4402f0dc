// What is done to a document again: uploaded, retried or replayed, while it is being removed, its PDF expires or the gateway was changed; and
// ways around an upload, which lead nowhere.

import { rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { documentStore } from "../../src/apps/documents/index.ts";
import type { ItemId } from "../../src/engine/index.ts";
import { type DocumentWorld, openDocumentWorld } from "./document-world.ts";

let world: DocumentWorld;
afterEach(() => world.close());

const open = async (...given: Parameters<typeof openDocumentWorld>) => {
  world = await openDocumentWorld(...given);
  return world;
};

/** Its row is there, and the item is not this one. */
async function removeBegun(id: ItemId): Promise<void> {
  await world.t.sluice.remove((await world.read(id)).request, { by: "mia" });
}

describe("the same file, uploaded again", () => {
  it.each(["queued", "complete", "failed"])(
    "while the one that is %s is being removed, is one of its own",
    async (how) => {
      const { upload, read, gateway, t } = await open();
      if (how === "failed") gateway.trouble("convert", { status: 422 });
      const { id } = await upload("leaving");
      if (how !== "queued") await t.drain();
      expect(await read(id)).toMatchObject({ status: how });
      await removeBegun(id);
      const anew = await upload("leaving");
      expect(anew).toMatchObject({ outcome: "taken", from: null });
      expect(anew.id).not.toBe(id);
      await t.advance("10m");
      expect(await read(anew.id)).toMatchObject({ status: "complete" });
      await expect(read(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
      // And it is found from now on.
      expect(await upload("leaving")).toMatchObject({ outcome: "deduped", id: anew.id });
    },
  );

  it("that failed on the version of another gateway goes on with the one that is there now", async () => {
    const { upload, read, app, places, t } = await open();
    const other = app.pipelines.find((one) => one.name === "documents" && one !== app.pipeline)?.version;
    await t.sluice.pause({ pipeline: "documents" });
    const { id } = await upload("moved", "mia", other);
    const { sha256 } = await read(id);
    await rm(path.join(places.uploads, sha256.slice(0, 2), `${sha256}.pdf`));
    await t.sluice.resume({ pipeline: "documents" });
    await t.drain();
    expect(await read(id)).toMatchObject({ status: "failed" });
    expect((await t.sluice.item(id)).version).toBe(other);
    expect(await upload("moved")).toMatchObject({ id, outcome: "taken" });
    await t.drain();
    expect(await read(id)).toMatchObject({ status: "complete", attemptCount: 1 });
    expect((await t.sluice.item(id)).version).toBe(app.pipeline.version);
  });

  it("that failed on this version goes on from where it failed", async () => {
    const { upload, read, gateway, t } = await open();
    gateway.trouble("convert", { status: 422 });
    const { id } = await upload("failed");
    await t.drain();
    expect(await upload("failed")).toMatchObject({ id, outcome: "taken" });
    await t.drain();
    expect(await read(id)).toMatchObject({ status: "complete" });
    expect((await t.trace(id)).filter((line) => /^validate done|retried/.test(line))).toEqual([
      ...["validate done", "convert retried"],
    ]);
  });
});

describe("a retry", () => {
  it("is refused where the PDF goes between its being asked about and its being done", async () => {
    let expire: (() => Promise<unknown>) | undefined;
    const { upload, read, gateway, t } = await open(
      {},
      {
        async after(statement) {
          if (statement !== "documents-source" || expire === undefined) return;
          const once = expire;
          expire = undefined;
          await once();
        },
      },
    );
    gateway.trouble("convert", { status: 422 });
    const { id } = await upload("racing");
    await t.drain();
    await t.advance("1m");
    expire = () => documentStore(async () => t.sluice.tables).expireSources(1_000, 10);
    const refusal = { ok: false, reason: expect.stringMatching(/^its PDF was removed on .*; upload it again$/) };
    expect(await t.sluice.retry(id, { by: "mia" })).toEqual(refusal);
    expect(await read(id)).toMatchObject({ status: "failed", error: { code: "GW_4XX" }, source: { isThere: false } });
    // Nor is one that is complete spoiled by a replay that could only fail.
    expect(await t.sluice.replay(id, { from: "convert" })).toEqual(refusal);
  });
});

describe("a PDF is converted for nobody but whoever uploaded it", () => {
  it("not where its first stage is skipped, and not by its hash", async () => {
    const { upload, read, gateway, app, t } = await open();
    const { id } = await upload("hers", "mia");
    await t.drain();
    const { name, mapping, bytes, sha256 } = await read(id);
    const before = gateway.calls.convert;
    // As nobody can from outside; a module beside it could.
    await t.sluice.pause({ pipeline: app.pipeline.name });
    const { items } = await t.sluice.submit(app.pipeline, [{ name, mapping, bytes, sha256 }], { owner: "mo" });
    const item = items[0] as ItemId;
    await t.sluice.skip(item, { reason: "to see it", stage: "validate" });
    await t.sluice.resume({ pipeline: app.pipeline.name });
    await t.drain();
    expect(await t.sluice.item(item)).toMatchObject({ state: "failed", stage: "convert" });
    expect(gateway.calls.convert).toBe(before);
  });

  it("and one whose conversion was skipped is converted all the same", async () => {
    const { upload, read, gateway, t } = await open();
    gateway.down();
    const { id } = await upload("skipped");
    await t.drain();
    expect(await t.sluice.skip(id, { reason: "in a hurry", stage: "convert" })).toMatchObject({ ok: true });
    gateway.down(false);
    await t.advance("10m");
    expect(await read(id)).toMatchObject({ status: "complete", result: { bytes: expect.any(Number) } });
  });
});
