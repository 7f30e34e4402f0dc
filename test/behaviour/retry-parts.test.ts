// Failed parts, tried again alone.

import { afterEach, describe, expect, it } from "vitest";
import { ITEM_STATE } from "../../src/engine/items/codes.ts";
import { failedOfThem, whyNot } from "../../src/engine/operate/retry-parts.ts";
import { permanent } from "../../src/engine/pipeline/fault.ts";
import type { TestSluice } from "../../src/engine/testing/test-sluice.ts";
import { openFilms, partOf, Servers } from "../support/films.ts";

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function opened(...given: Parameters<typeof openFilms>) {
  const world = await openFilms(...given);
  open = world.t;
  return world;
}

describe("a retry of parts", () => {
  it("does the failed ones again and nothing else, and mends the request", async () => {
    const client = new Servers()
      .failing("nas-2", () => permanent("EPERM", "permission denied"))
      .failing("nas-3", () => permanent("EPERM", "permission denied"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2", "nas-3"]);
    await t.advance("1m");
    expect((await t.sluice.request(request)).counts.partly).toBe(1);
    client.calls.length = 0;
    client.faults.delete("nas-2");
    expect(await t.retry(await partOf(t, item, "nas-2"))).toEqual({ ok: true });
    await t.advance("1m");
    expect(client.calls).toEqual(["nas-2"]);
    // One is still missing.
    expect(await t.sluice.request(request)).toMatchObject({ status: "PARTIAL", counts: { completed: 1, partly: 1 } });
    const would = { items: 1, stage: null, keeps: [], redoes: [] };
    expect(await t.sluice.retryParts(item, { dryRun: true })).toEqual({ ok: true, would });
    expect(await t.sluice.retryParts(item)).toEqual({ ok: true });
    await t.advance("1m");
    expect((await t.sluice.request(request)).counts.partly).toBe(1);
    client.faults.clear();
    expect(await t.sluice.retryParts(item)).toEqual({ ok: true });
    await t.advance("1m");
    expect(client.calls).toEqual(["nas-2", "nas-3", "nas-3"]);
    expect(await t.sluice.request(request)).toMatchObject({ status: "COMPLETED", counts: { completed: 1, partly: 0 } });
    for (const dryRun of [true, false])
      expect(await t.sluice.retryParts(item, { dryRun })).toEqual({ ok: false, reason: "no part of it has failed" });
    expect((await t.trace(item)).filter((line) => line.startsWith("tell"))).toHaveLength(1);
  });

  it("of two at once is counted once, when both are done", async () => {
    const client = new Servers()
      .failing("nas-2", () => permanent("EPERM", "permission denied"))
      .failing("nas-3", () => permanent("EPERM", "permission denied"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2", "nas-3"]);
    await t.advance("1m");
    client.faults.clear();
    await t.sluice.retryParts(item);
    await t.advance("1m");
    expect((await t.sluice.request(request)).counts).toMatchObject({ completed: 1, partly: 0 });
    expect([...client.copies.keys()].sort()).toEqual(["nas-1", "nas-2", "nas-3"]);
  });

  it("lets an item that failed with them wait for them once more", async () => {
    const client = new Servers().failing("nas-1", () => permanent("EPERM", "permission denied"));
    const { t, item, request } = await opened(client, ["nas-1"]);
    await t.advance("1m");
    expect((await t.sluice.request(request)).status).toBe("FAILED");
    client.faults.clear();
    expect(await t.sluice.retryParts(item)).toEqual({ ok: true });
    expect((await t.sluice.item(item)).reason).toBe("parts");
    await t.advance("1m");
    expect(await t.sluice.request(request)).toMatchObject({ status: "COMPLETED", counts: { completed: 1, failed: 0 } });
    expect(client.calls).toEqual(["nas-1", "nas-1"]);
  });

  it("makes new parts where the whole item is retried", async () => {
    const client = new Servers().failing("nas-1", () => permanent("EPERM", "permission denied"));
    const { t, item, request } = await opened(client, ["nas-1"]);
    await t.advance("1m");
    const old = await partOf(t, item, "nas-1");
    client.faults.clear();
    expect(await t.retry(item)).toEqual({ ok: true });
    await t.advance("1m");
    expect((await t.sluice.request(request)).status).toBe("COMPLETED");
    expect(await partOf(t, item, "nas-1")).not.toBe(old);
    expect(await t.retry(old)).toEqual({ ok: false, reason: "its item has made new parts since" });
  });

  it("is refused for what did not fail, and for a part of what succeeds as a whole", async () => {
    const client = new Servers().failing("nas-2", () => permanent("EPERM", "permission denied"));
    const { t, item } = await opened(client, ["nas-1", "nas-2"], "all-or-nothing");
    await t.advance("1m");
    expect(await t.retry(await partOf(t, item, "nas-1"))).toEqual({
      ok: false,
      reason: "only a failed part can be retried",
    });
    const failed = await partOf(t, item, "nas-2");
    const refused = { ok: false, reason: "its parts succeed all or not at all; retry the item" };
    expect(await t.sluice.retry(failed, { dryRun: true })).toEqual(refused);
    expect(await t.retry(failed)).toEqual(refused);
    expect(await t.sluice.bulk.preview({ type: "retry" }, { ids: [failed] })).toMatchObject({
      would: 0,
      refused: { "a part is retried by itself, or with its item": 1 },
    });
  });
});

describe("whether parts may be retried", () => {
  const { live, done, failed, cancelled } = ITEM_STATE;
  const facts = {
    is_whole: false,
    is_current: true,
    is_judged: false,
    end_code: null,
    end_stage: null,
    key_taken: false,
  };
  const base = { request: "7", stage: 2, ...facts };
  const of = (item_state: number, change: object = {}) => ({ ...base, item_state, item_stage: null, ...change });

  it.each<[string, ReturnType<typeof of>, RegExp | undefined, boolean]>([
    ["of a completed item", of(done), undefined, false],
    ["of one that waits for the others", of(live, { item_stage: 2 }), undefined, false],
    ["of one that is about to fail with them", of(live, { item_stage: 2, is_judged: true }), /in a moment/, false],
    ["of one that has gone on", of(live, { item_stage: 3 }), undefined, false],
    ["of one that was sent back", of(live, { item_stage: 1 }), /sent back/, false],
    ["of one that failed with them", of(failed, { end_code: "PARTS_FAILED", end_stage: 2 }), undefined, true],
    [
      "of one that failed with them, and whose key another has",
      of(failed, { end_code: "PARTS_FAILED", end_stage: 2, key_taken: true }),
      /taken its key/,
      false,
    ],
    ["of one that is done, and whose key another has", of(done, { key_taken: true }), undefined, false],
    ["of one that failed with others", of(failed, { end_code: "PARTS_FAILED", end_stage: 3 }), undefined, false],
    ["of one that failed later", of(failed, { end_code: "EIO", end_stage: 3 }), undefined, false],
    ["of a cancelled one", of(cancelled), /cancelled/, false],
    ["that succeed all or not at all", of(failed, { is_whole: true }), /all or not at all/, false],
    ["that were made anew", of(done, { is_current: false }), /new parts/, false],
  ])("%s", (_, generation, refusal, reopensItem) => {
    if (refusal === undefined) expect(whyNot(generation)).toBeUndefined();
    else expect(whyNot(generation)).toMatch(refusal);
    if (refusal === undefined) expect(failedOfThem(generation)).toBe(reopensItem);
  });
});
