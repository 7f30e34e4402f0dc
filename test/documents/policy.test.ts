// What becomes of documents when the gateway refuses, breaks, hangs and comes back: on fakes, in virtual time. Line by line what was asked
// for; where a result is another than it says there, the test says so.

import { afterEach, describe, expect, it } from "vitest";
import { BUSY, DOCUMENT_LIMITS } from "../../src/apps/documents/index.ts";
import type { GatewayTrouble } from "../../src/connectors/index.ts";
import type { ItemId } from "../../src/engine/index.ts";
import { toMilliseconds } from "../../src/kit/index.ts";
import { type DocumentWorld, openDocumentWorld } from "./document-world.ts";

let world: DocumentWorld;
afterEach(() => world.close());

const open = async (...given: Parameters<typeof openDocumentWorld>) => {
  world = await openDocumentWorld(...given);
  return world;
};

const times = (count: number, trouble: GatewayTrouble): GatewayTrouble[] =>
  Array.from({ length: count }, () => trouble);

describe("retries", () => {
  it.each([
    ["500", { status: 500 }, "GW_5XX"],
    ["502", { status: 502 }, "GW_5XX"],
    ["504", { status: 504 }, "GW_TIMEOUT"],
    ["a reset", "reset", "GW_5XX"],
    ["half an answer", "truncated", "GW_5XX"],
    ["a web page", "web-page", "GW_5XX"],
    ["broken XML", "bad-xml", "GW_5XX"],
  ] as const)("%s is tried three times, spaced by 5 s·2ᵃ and up to 5 s, and then failed", async (_, trouble, code) => {
    const { gateway, upload, read, t } = await open();
    gateway.trouble("convert", ...times(3, trouble));
    const { id } = await upload();
    await t.drain();
    const first = await read(id);
    expect(first).toMatchObject({ status: "queued", attemptCount: 1, error: { code } });
    const waits = [(first.retryAfter?.getTime() ?? 0) - (first.lastAttemptAt?.getTime() ?? 0)];
    expect(gateway.calls.convert).toBe(1);
    // Not before its time: whoever claims passes it over.
    await t.advance(4_900);
    expect(gateway.calls.convert).toBe(1);
    await t.advance(5_200);
    const second = await read(id);
    expect(second).toMatchObject({ status: "queued", attemptCount: 2 });
    waits.push((second.retryAfter?.getTime() ?? 0) - (second.lastAttemptAt?.getTime() ?? 0));
    await t.advance("20s");
    expect(await read(id)).toMatchObject({
      status: "failed",
      attemptCount: 3,
      retryAfter: null,
      error: { code },
      canRetry: true,
    });
    expect(gateway.calls.convert).toBe(3);
    expect(waits[0]).toBeGreaterThanOrEqual(5_000);
    expect(waits[0]).toBeLessThanOrEqual(10_000);
    expect(waits[1]).toBeGreaterThanOrEqual(10_000);
    expect(waits[1]).toBeLessThanOrEqual(15_000);
    expect(world.eventsOf(await world.history(id), await read(id))).toEqual([
      ...["queued", "processing", "retry", "processing", "retry", "processing", "failed"],
    ]);
  });

  it("end with the first success", async () => {
    const { gateway, upload, read, t } = await open();
    gateway.trouble("convert", { status: 500 }, "reset");
    const { id } = await upload();
    await t.advance("1m");
    expect(await read(id)).toMatchObject({ status: "complete", attemptCount: 3, error: null });
  });

  it.each([
    [400, "GW_4XX"],
    [413, "GW_4XX"],
    [415, "GW_4XX"],
    [422, "GW_4XX"],
  ])("are not made of a %i: the document itself was refused", async (status, code) => {
    const { gateway, upload, read, t } = await open();
    gateway.trouble("convert", { status });
    const { id } = await upload();
    await t.advance("1m");
    expect(await read(id)).toMatchObject({ status: "failed", attemptCount: 1, error: { code }, canRetry: true });
    expect(gateway.calls.convert).toBe(1);
  });

  it("are bounded by what is set", async () => {
    const { gateway, upload, read, t } = await open({ attempts: 1 });
    gateway.trouble("convert", { status: 500 });
    const { id } = await upload();
    await t.drain();
    expect(await read(id)).toMatchObject({ status: "failed", attemptCount: 1 });
  });

  // 001 counts a 503 as a failure of the gateway; a busy one with a stated wait costs no attempt, and is asked again then.
  it("are not spent on a gateway that says when it will be back", async () => {
    const { gateway, upload, read, t } = await open();
    gateway.trouble("convert", ...times(4, { status: 503, retryAfter: 60 }));
    const { id } = await upload();
    await t.drain();
    expect(await read(id)).toMatchObject({ status: "queued", attemptCount: 0 });
    expect((await world.about()).banner).toBe(BUSY);
    await t.advance("10m");
    expect(await read(id)).toMatchObject({ status: "complete", attemptCount: 1 });
  });
});

describe("queued and processing", () => {
  /** As a document, in the list of items, and as an item. */
  async function saidOf(id: ItemId): Promise<string[]> {
    const { sluice } = world.t;
    const { status } = await world.read(id);
    const { entries } = await sluice.items({});
    const line = entries.find((one) => one.id === id);
    return [status, line?.status ?? "", (await sluice.item(id))?.status ?? ""];
  }

  it("are the same words by every route, while a document waits to be tried again", async () => {
    const { gateway, upload, t } = await open();
    gateway.trouble("convert", { status: 500 }, { status: 503, retryAfter: 60 });
    const { id } = await upload();
    await t.drain();
    // It waits for its second try, and then for the gateway.
    expect(await saidOf(id)).toEqual(["queued", "queued", "queued"]);
    await t.advance("12s");
    expect(await saidOf(id)).toEqual(["queued", "queued", "queued"]);
    await t.advance("2m");
    expect((await world.read(id)).status).toBe("complete");
  });

  it("are the same of what is watched, and of what is started again", async () => {
    const { jobs, upload, t } = await open({}, { takesJobs: true });
    const { id } = await upload();
    await t.drain();
    expect(await saidOf(id)).toEqual(["processing", "processing", "processing"]);
    jobs.forget();
    jobs.trouble("start", "refused", "refused", "refused");
    await t.advance("20s");
    expect(await saidOf(id)).toEqual(["queued", "queued", "queued"]);
  });
});

describe("the breaker", () => {
  const OUTAGE = 30;

  it("opens on failures of several documents, holds all others queued, and costs none of them an attempt", async () => {
    const { gateway, upload, read, about, t } = await open({ atATime: 2 });
    gateway.down();
    const ids = [];
    for (let each = 0; each < OUTAGE; each += 1) ids.push((await upload()).id);
    await t.drain();
    expect((await about()).banner).toBe(BUSY);
    const calls = gateway.calls.convert;
    expect(calls).toBeLessThan(OUTAGE);
    const cooldown = toMilliseconds(DOCUMENT_LIMITS.breaker.cooldown ?? "30s", "cooldown");
    await t.advance(10 * cooldown);
    // Nothing but the probe.
    expect(gateway.calls.convert).toBe(calls);
    expect(gateway.calls.about).toBeGreaterThanOrEqual(5);
    for (const id of ids) expect(await read(id)).toMatchObject({ status: "queued", attemptCount: 0 });
    gateway.down(false);
    await t.advance("10m");
    for (const id of ids) expect(await read(id)).toMatchObject({ status: "complete", attemptCount: 1 });
    expect((await about()).banner).toBeNull();
    expect(gateway.world.truth().mostAtOnce).toBeLessThanOrEqual(2);
  });

  it("does not open below half of the window", async () => {
    const { gateway, upload, about, t } = await open({
      atATime: 1,
      breaker: { rate: 0.5, calls: 20, failures: 1_000, items: 3 },
    });
    const alternate = Array.from(
      { length: 18 },
      (_, index): GatewayTrouble => (index % 3 === 0 ? { status: 500 } : { status: 400 }),
    );
    gateway.trouble("convert", ...alternate);
    for (let each = 0; each < 18; each += 1) await upload();
    await t.drain();
    expect((await about()).banner).toBeNull();
  });

  it("opens at half of the window", async () => {
    const { gateway, upload, about, t } = await open({
      atATime: 1,
      breaker: { rate: 0.5, calls: 20, failures: 1_000, items: 3 },
    });
    const inTurn = Array.from(
      { length: 21 },
      (_, index): GatewayTrouble => (index % 2 === 0 ? { status: 500 } : { status: 400 }),
    );
    gateway.trouble("convert", ...inTurn);
    for (let each = 0; each < 21; each += 1) await upload();
    await t.drain();
    expect((await about()).banner).toBe(BUSY);
  });

  it("is not opened by one poisonous document", async () => {
    const { gateway, upload, about, t } = await open({ attempts: 20 });
    gateway.trouble("convert", ...times(10, { status: 500 }));
    await upload();
    await t.advance("5m");
    expect((await about()).banner).toBeNull();
  });
});

describe("a manual retry", () => {
  it("begins a new series, and keeps what happened before", async () => {
    const { gateway, upload, read, t } = await open();
    gateway.trouble("convert", { status: 400 });
    const { id } = await upload();
    await t.drain();
    const before = await read(id);
    expect(await t.sluice.retry(id, { by: "mia" })).toMatchObject({ ok: true });
    expect(await read(id)).toMatchObject({ status: "queued", attemptCount: 0, error: null });
    await t.drain();
    const after = await read(id);
    expect(after).toMatchObject({ status: "complete", attemptCount: 1 });
    expect(after.queuedAt.getTime()).toBeGreaterThanOrEqual(before.queuedAt.getTime());
    expect(world.eventsOf(await world.history(id), after)).toEqual([
      ...["queued", "processing", "failed", "queued", "processing", "complete"],
    ]);
  });

  it("is refused of what has not failed", async () => {
    const { upload, t } = await open();
    const { id } = await upload();
    await t.drain();
    expect(await t.sluice.retry(id, { by: "mia" })).toMatchObject({ ok: false });
  });

  it("happens by itself when a failed document is uploaded again", async () => {
    const { gateway, upload, read, t } = await open();
    gateway.trouble("convert", { status: 422 });
    const { id } = await upload("the same");
    await t.drain();
    const again = await upload("the same");
    expect(again).toEqual({ id, outcome: "taken", from: id });
    await t.drain();
    expect(await read(id)).toMatchObject({ status: "complete" });
  });
});

describe("a gateway that takes jobs", () => {
  it("is watched, and what it made is fetched once", async () => {
    const { jobs, upload, read, t } = await open({}, { takesJobs: true });
    const { id } = await upload();
    await t.drain();
    expect(await read(id)).toMatchObject({ status: "processing" });
    await jobs.tick(2);
    await t.advance("30s");
    expect(await read(id)).toMatchObject({ status: "complete", attemptCount: 1 });
    expect(jobs.world.truth().duplicates).toEqual([]);
  });

  it("that forgets a job is asked again, which costs an attempt", async () => {
    const { jobs, upload, read, t } = await open({}, { takesJobs: true });
    const { id } = await upload();
    await t.drain();
    jobs.forget();
    await t.advance("1m");
    await jobs.tick(2);
    await t.advance("1m");
    expect(await read(id)).toMatchObject({ status: "complete", attemptCount: 2 });
  });
});
