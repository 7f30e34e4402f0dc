// Parts, as their users meet them: the real engine on a virtual clock.

import { afterEach, describe, expect, it } from "vitest";
import { permanent, transient, unavailable } from "../../src/engine/pipeline/fault.ts";
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

describe("parts", () => {
  it("are each done, and the item goes on with what came of them", async () => {
    const client = new Servers();
    const { t, item, request } = await opened(client, ["nas-1", "nas-2"]);
    await t.advance("1m");
    expect(await t.trace(item)).toEqual([
      "encode accepted",
      "encode done",
      "deliver spawn parts",
      "deliver joined",
      "deliver done",
      "tell done",
    ]);
    const view = await t.sluice.item(item);
    expect(view.outputs.deliver).toEqual({
      delivered: ["nas-1", "nas-2"],
      failed: [],
      cancelled: [],
      outputs: { "nas-1": { at: "/nas-1/Alien.mkv" }, "nas-2": { at: "/nas-2/Alien.mkv" } },
    });
    expect((await t.sluice.request(request)).status).toBe("COMPLETED");
    expect([...client.calls].sort()).toEqual(["nas-1", "nas-2"]);
  });

  it("have their own attempts, and one that fails for good leaves the request partly done", async () => {
    const client = new Servers().failing("nas-2", () => transient("EIO", "bad sector"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2", "nas-3"]);
    await t.advance("10m");
    expect(client.count("nas-2")).toBe(3);
    expect(client.calls.filter((name) => name !== "nas-2").sort()).toEqual(["nas-1", "nas-3"]);
    const view = await t.sluice.item(item);
    expect(view).toMatchObject({
      state: "done",
      outputs: { deliver: { delivered: ["nas-1", "nas-3"], failed: [{ part: "nas-2", code: "EIO" }] } },
      parts: [
        { name: "nas-1", stage: "deliver", state: "done", attempts: 1 },
        { name: "nas-2", stage: "deliver", state: "failed", attempts: 3, code: "EIO", message: "bad sector" },
        { name: "nas-3", stage: "deliver", state: "done", attempts: 1 },
      ],
    });
    expect(await t.sluice.request(request)).toMatchObject({
      status: "PARTIAL",
      counts: { total: 1, completed: 1, partly: 1, failed: 0, cancelled: 0 },
    });
    const { sentence, actions } = await t.sluice.explain(item);
    expect(sentence).toMatch(/^Done at .* Done for 2 of 3; failed for nas-2 \(EIO, bad sector\)\.$/);
    expect(actions).toEqual(["retry-parts"]);
  });

  it("say of which item they are, in lists too, and an item of none", async () => {
    const { t, item } = await opened(new Servers(), ["nas-1"]);
    await t.advance("1m");
    expect(await t.sluice.item(await partOf(t, item, "nas-1"))).toMatchObject({ part: "nas-1", partOf: item });
    expect(await t.sluice.item(item)).toMatchObject({ part: null, partOf: null });
    const { entries } = await t.sluice.items({});
    expect(entries.map((one) => [one.part, one.partOf])).toEqual([
      ["nas-1", item],
      [null, null],
    ]);
  });

  it("none of which could be done fail the item", async () => {
    const client = new Servers()
      .failing("nas-1", () => permanent("EPERM", "permission denied"))
      .failing("nas-2", () => permanent("EPERM", "permission denied"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2"]);
    await t.advance("1m");
    expect(await t.sluice.item(item)).toMatchObject({
      state: "failed",
      stage: "deliver",
      code: "PARTS_FAILED",
      message: "failed: nas-1 (EPERM, permission denied), nas-2 (EPERM, permission denied)",
    });
    expect((await t.sluice.request(request)).status).toBe("FAILED");
  });

  it("that are none at all let the stage be skipped", async () => {
    const { t, item } = await opened(new Servers(), []);
    await t.advance("1m");
    expect(await t.trace(item)).toEqual(["encode accepted", "encode done", "deliver skip", "tell done"]);
    expect((await t.sluice.item(item)).outputs.tell).toEqual({ delivered: 0 });
  });

  it("go on while one of them waits behind an open breaker, and their item says for whom it waits", async () => {
    const down = () => unavailable("AUTH", "wrong password");
    const client = new Servers().failing("nas-2", down);
    const { t, item, request } = await opened(client, ["nas-1", "nas-2", "nas-3"]);
    await t.advance("1m");
    expect([...client.copies.keys()].sort()).toEqual(["nas-1", "nas-3"]);
    const explanation = await t.sluice.explain(item);
    expect(explanation).toMatchObject({ state: "waiting", reason: "parts" });
    expect(explanation.sentence).toMatch(
      /^Done for 2 of 3\. nas-2: Waiting for server:nas-2.*That costs no attempt \(0 of 3 used\)\.$/,
    );
    const { entries } = await t.sluice.items({ kind: "item" });
    expect(entries.map(({ wait }) => wait)).toEqual([explanation]);
    expect((await t.sluice.request(request)).status).toBe("PROCESSING");
    client.faults.clear();
    await t.advance("10m");
    expect((await t.sluice.request(request)).status).toBe("COMPLETED");
  });

  it("of which many are left: the first are told, and how many more there are", async () => {
    const client = new Servers();
    const names = Array.from({ length: 12 }, (_, n) => `nas-${n}`);
    for (const name of names.slice(0, 5)) client.failing(name, () => unavailable("DISK_FULL", "full"));
    for (const name of names.slice(5, 10)) client.failing(name, () => permanent("EPERM", "denied"));
    const { t, item } = await opened(client, names);
    await t.advance("1m");
    const failed = "nas-5 (EPERM, denied), nas-6 (EPERM, denied), nas-7 (EPERM, denied) and 2 more";
    const { sentence, actions } = await t.sluice.explain(item);
    expect(sentence).toMatch(/nas-0: Waiting for disk.* nas-1: Waiting.* nas-2: Waiting.*\. 2 more are on the way\.$/);
    expect(sentence.startsWith(`Done for 2 of 12; failed for ${failed}. nas-0: `)).toBe(true);
    expect(actions).toEqual(["cancel", "retry-parts"]);
    const [line] = (await t.sluice.items({ kind: "item" })).entries;
    expect(line?.wait).toMatchObject({ sentence, actions });
  });

  it("that find no room wait since they first found none, however often they look", async () => {
    const full = () => unavailable("DISK_FULL", "no space left", { retryAfter: "5s" });
    const client = new Servers().failing("nas-2", full);
    const { t, item } = await opened(client, ["nas-1", "nas-2"]);
    await t.advance("1s");
    const part = await partOf(t, item, "nas-2");
    const first = await t.sluice.explain(part);
    expect(first).toMatchObject({ reason: "disk_low", state: "waiting" });
    await t.advance("26s");
    expect(client.count("nas-2")).toBeGreaterThan(4);
    expect(await t.sluice.explain(part)).toMatchObject({ reason: "disk_low", since: first.since });
    const { parts } = await t.sluice.item(item);
    expect(parts.find(({ name }) => name === "nas-2")).toMatchObject({ reason: "disk_low", since: first.since });
    client.faults.set("nas-2", () => unavailable("BUSY", "later", { retryAfter: "5s" }));
    await t.advance("5s");
    const other = await t.sluice.explain(part);
    expect(other.reason).toBe("rate_limited");
    expect(other.since?.getTime()).toBeGreaterThan(first.since?.getTime() ?? 0);
  });

  it("that are cancelled with their item do no more", async () => {
    const client = new Servers().failing("nas-2", () => transient("EIO", "bad sector"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2"]);
    await t.drain();
    expect(await t.cancel(item)).toEqual({ ok: true });
    await t.advance("10m");
    expect(client.count("nas-2")).toBe(1);
    expect((await t.sluice.item(item)).parts.map(({ name, state }) => [name, state])).toEqual([
      ["nas-1", "done"],
      ["nas-2", "cancelled"],
    ]);
    expect((await t.sluice.request(request)).status).toBe("CANCELLED");
  });

  it("of which one is cancelled are fewer, and the item goes on without it", async () => {
    const client = new Servers().failing("nas-2", () => transient("EIO", "bad sector"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2"]);
    await t.drain();
    await t.cancel(await partOf(t, item, "nas-2"));
    await t.advance("1m");
    expect((await t.sluice.item(item)).outputs.deliver).toMatchObject({ delivered: ["nas-1"], cancelled: ["nas-2"] });
    expect((await t.sluice.request(request)).status).toBe("PARTIAL");
  });
});
