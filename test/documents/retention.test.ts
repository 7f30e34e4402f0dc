// What goes when its time is over: sources and results apart, explained, and without a trace on the disk.

import { utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { DocumentWorld } from "./document-world.ts";
import { openDocumentWorld } from "./document-world.ts";

// Hours here, which are days elsewhere: every ten minutes of them a round is made.
const HOUR_MS = 3_600_000;
let world: DocumentWorld;
afterEach(() => world.close());

const open = async (...given: Parameters<typeof openDocumentWorld>) => {
  world = await openDocumentWorld(...given);
  return world;
};

describe("a document", () => {
  it("loses its source and its result apart, and says so", async () => {
    const { upload, read, files, t } = await open({ keepSourcesMs: 2 * HOUR_MS, keepResultsMs: 5 * HOUR_MS });
    const { id } = await upload("kept");
    await t.advance("1h");
    expect(await read(id)).toMatchObject({ status: "complete", source: { isThere: true } });
    await t.advance("2h");
    expect(await read(id)).toMatchObject({ status: "complete", source: { isThere: false } });
    expect(await files("uploads")).toEqual([]);
    expect(await files("results")).toHaveLength(1);
    await t.advance("3h");
    const gone = await read(id);
    expect(gone).toMatchObject({ status: "expired", result: null });
    expect(gone.sentence).toMatch(/^Its XML was removed on 2030-01-01, 5 h after it was converted/);
    expect(world.eventsOf(await world.history(id), gone).at(-1)).toBe("expired");
    expect(await files("results")).toEqual([]);
  });

  it("whose result went is told of in the feed, once and to whom it belongs, and what comes later stands behind it", async () => {
    const { upload, read, history, eventsOf, t } = await open({ keepSourcesMs: HOUR_MS, keepResultsMs: HOUR_MS });
    const { id } = await upload("told");
    await t.advance("1h");
    const after = await t.sluice.feedEnd();
    await t.advance("2h");
    const { events } = await t.sluice.events({ after, item: id });
    expect(events).toMatchObject([
      { type: "item.expired", item: id, owner: "mia", code: "EXPIRED", end: null, to: null },
    ]);
    expect(events[0]?.message).toMatch(/removed when its time was over/);
    expect((await t.sluice.item(id)).state).toBe("done");
    const words = ["queued", "processing", "complete", "expired"];
    expect(eventsOf(await history(id), await read(id))).toEqual(words);
    // Also where the history of those weeks is not kept any more.
    const kept = (await history(id)).filter(({ type }) => type !== "item.expired");
    expect(eventsOf(kept, await read(id))).toEqual(words);
  });

  it("that failed cannot be retried without its source, by whatever way, and is told why", async () => {
    const { gateway, upload, read, t } = await open({ keepSourcesMs: HOUR_MS });
    gateway.trouble("convert", { status: 422 });
    const { id } = await upload("lost");
    await t.advance("3h");
    const lost = await read(id);
    expect(lost).toMatchObject({ status: "failed", canRetry: false });
    expect(lost.retryRefusal).toMatch(/^its PDF was removed on 2030-01-0\d; upload it again$/);
    expect(await t.sluice.retry(id, { by: "mia" })).toMatchObject({ ok: false, reason: lost.retryRefusal });
    // And with it uploaded again it goes on.
    expect(await upload("lost")).toMatchObject({ id, outcome: "taken" });
    await t.drain();
    expect(await read(id)).toMatchObject({ status: "complete", source: { isThere: true, goneAt: null } });
  });

  it("that waits keeps its source for as long as that takes", async () => {
    const { gateway, upload, read, t } = await open({ keepSourcesMs: HOUR_MS });
    gateway.down();
    const ids = [];
    for (let each = 0; each < 6; each += 1) ids.push((await upload()).id);
    await t.advance("3h");
    gateway.down(false);
    await t.advance("1h");
    for (const id of ids) expect(await read(id)).toMatchObject({ status: "complete" });
  });

  it("whose result is gone is begun anew when it is uploaded again", async () => {
    const { upload, read, t } = await open({ keepSourcesMs: HOUR_MS, keepResultsMs: HOUR_MS });
    const { id } = await upload("again");
    await t.advance("3h");
    const anew = await upload("again");
    expect(anew.id).not.toBe(id);
    await t.drain();
    expect([(await read(id)).status, (await read(anew.id)).status]).toEqual(["expired", "complete"]);
  });
});

describe("files", () => {
  it("that two share stay until both are done with them", async () => {
    const { upload, read, files, t } = await open({ keepSourcesMs: 20 * HOUR_MS });
    const mine = await upload("shared", "mia");
    await t.advance("1h");
    const yours = await upload("shared", "mo");
    await t.drain();
    expect(mine.id).not.toBe(yours.id);
    expect(await files("uploads")).toHaveLength(1);
    await t.sluice.remove((await read(mine.id)).request, { by: "mia" });
    await t.advance("3h");
    expect(await files("uploads")).toHaveLength(1);
    expect(await read(yours.id)).toMatchObject({ status: "complete", source: { isThere: true } });
  });

  it("that were left half written go after a day, and no sooner", async () => {
    const { upload, places, files, t } = await open();
    const { id } = await upload();
    await t.drain();
    const left = path.join(places.uploads, "incoming", "left.part");
    const fresh = path.join(places.uploads, "incoming", "fresh.part");
    for (const [file, at] of [
      [left, t.now().getTime() - 26 * HOUR_MS],
      [fresh, t.now().getTime()],
    ] as const) {
      await writeFile(file, "half");
      await utimes(file, at / 1_000, at / 1_000);
    }
    await t.advance("30m");
    expect((await files("uploads")).filter((name) => name.endsWith(".part"))).toEqual(["fresh.part"]);
    expect(id).toMatch(/^itm_/);
  });

  it("that were stored and never spoken of go as well", async () => {
    const { app, upload, files, t } = await open();
    await upload();
    await t.drain();
    // As a server does that dies between storing a file and entering it.
    const { arrive } = await import("../../src/apps/documents/index.ts");
    const sent = async function* () {
      yield {
        name: "x.pdf",
        content: (async function* () {
          yield Buffer.from("%PDF-1.4 never");
        })(),
      };
    };
    await arrive({ ...app, tables: t.sluice.tables }, sent(), false);
    expect(await files("uploads")).toHaveLength(2);
    await t.advance("2h");
    expect(await files("uploads")).toHaveLength(1);
  });
});
