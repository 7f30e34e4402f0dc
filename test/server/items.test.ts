// Items and requests over HTTP: what they are told as, how they are found, and whose they are.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ask as askPerson, definePipeline, done, permanent, transient, wait } from "../../src/engine/index.ts";
import { scripted } from "../../src/engine/testing/scripted.ts";
import { type AppWorld, openAppWorld, type Person } from "../support/app-world.ts";
import { films as outsideFilms } from "../support/downloads.ts";

const films = definePipeline("films", { version: 1, input: z.object({ title: z.string() }) })
  .stage("find", { words: ["PENDING", "SEARCHING"], run: () => done({ found: 1 }) })
  .stage("fetch", {
    words: ["FOUND", "FETCHING"],
    attempts: 3,
    run: async ({ input, checkpoint, log }) => {
      log.info("fetching", { title: input.title });
      if (input.title === "gone") throw permanent("GONE", "it is gone");
      if (input.title === "slow") {
        await checkpoint.save({ at: 7, token: "hunter2-hunter2" });
        throw transient("GW_TIMEOUT", "no answer");
      }
      if (input.title === "late") return wait("not_available", { again: "6h" });
      return input.title === "which" ? askPerson("Which one?", { options: ["a", "b"] }) : done();
    },
  });

let world: AppWorld;
const ids: Record<string, string> = {};
const requests: Record<string, string> = {};
const ask: AppWorld["ask"] = (at, asked) => world.ask(at, asked);

beforeAll(async () => {
  world = await openAppWorld([films]);
  const hand = async (title: string, owner: string, key?: string) => {
    const { items, request } = await world.t.submit(films, [{ title }], {
      owner,
      ...(key === undefined ? {} : { key }),
    });
    ids[title] = items[0] ?? "";
    requests[title] = request;
  };
  await hand("fine", "mia");
  await hand("gone", "mia", "tmdb:603");
  await hand("slow", "mia");
  await hand("late", "mo");
  await hand("which", "mo");
  await world.t.drain();
});
afterAll(() => world.close());

const titles = (entries: readonly { id: string }[]) =>
  entries.map(({ id }) => Object.keys(ids).find((title) => ids[title] === id));

describe("an item is told", () => {
  it("with everything about it", async () => {
    const { json } = await ask(`/api/v1/items/${ids.slow}`, { as: "mia" });
    expect(json).toMatchObject({
      id: ids.slow,
      request: requests.slow,
      currentStep: "fetch",
      stage: "fetch",
      state: "waiting",
      status: "FETCHING",
      attempts: 1,
      maxAttempts: 3,
      lastError: { code: "GW_TIMEOUT", message: "no answer", at: expect.stringMatching(/Z$/) },
      nextRetryAt: expect.stringMatching(/Z$/),
      wait: { code: expect.any(String), sentence: expect.stringMatching(/\.$/), until: expect.any(String) },
      checkpoint: { stage: "fetch", value: { at: 7, token: "***" }, bytes: expect.any(Number) },
      targets: [],
      outside: [],
      progress: 50,
      startedAt: expect.stringMatching(/Z$/),
      completedAt: null,
      input: { title: "slow" },
      outputs: { find: { found: 1 } },
    });
    expect(json.wait.actions).toContain("cancel");
    expect(world.logged.join()).not.toContain("hunter2");
  });

  it("that failed, with why and what can be done", async () => {
    const { json } = await ask(`/api/v1/items/${ids.gone}`, { as: "mia" });
    expect(json).toMatchObject({ state: "failed", status: "FAILED", nextRetryAt: null, lastError: { code: "GONE" } });
    expect(json.wait.actions).toContain("retry");
    expect(json.completedAt).toMatch(/Z$/);
  });

  it("in a line alike", async () => {
    const { json } = await ask("/api/v1/items?filter=state:failed", { as: "admin" });
    expect(json.entries[0]).toMatchObject({
      currentStep: "fetch",
      attempts: 1,
      maxAttempts: 3,
      lastError: { code: "GONE", message: "it is gone" },
      key: "tmdb:603",
    });
  });

  it("by its id, without zeros, or by a beginning that no other has", async () => {
    const short = ids.gone?.replace(/^itm_0+/, "") ?? "";
    for (const id of [ids.gone, short, `itm_${short}`, ids.gone?.toUpperCase()])
      expect((await ask(`/api/v1/items/${id}`, { as: "admin" })).json.id).toBe(ids.gone);
    const { status, json } = await ask("/api/v1/items/itm_00000", { as: "admin" });
    expect([status, json.code, json.instead]).toEqual([409, "AMBIGUOUS", [ids.fine, ids.gone]]);
    // To mo there are two, and none of them mia's.
    expect((await ask("/api/v1/items/itm_00000", { as: "mo" })).json.instead).toEqual([ids.late, ids.which]);
    expect((await ask("/api/v1/items/what-ever", { as: "admin" })).status).toBe(404);
  });

  it("with its past, its notes and its future", async () => {
    const past = await ask(`/api/v1/items/${ids.gone}/history?limit=2`, { as: "mia" });
    expect(past.json.entries.map(({ type }: { type: string }) => type)).toEqual(["item.accepted", "item.done"]);
    const more = await ask(`/api/v1/items/${ids.gone}/history?after=${past.json.next}`, { as: "mia" });
    expect(more.json.entries[0]).toMatchObject({ type: "item.failed", code: "GONE", from: "fetch", worker: "test" });
    expect(more.json.next).toBeNull();
    const back = await ask(`/api/v1/items/${ids.gone}/history?order=newest&limit=2`, { as: "mia" });
    expect(back.json.entries.map(({ type }: { type: string }) => type)).toEqual(["item.failed", "item.done"]);
    const before = await ask(`/api/v1/items/${ids.gone}/history?order=newest&after=${back.json.next}`, { as: "mia" });
    expect(before.json.entries.map(({ type }: { type: string }) => type)).toEqual(["item.accepted"]);
    const logs = `/api/v1/items/${ids.gone}/logs`;
    const { visits, next } = (await ask(logs, { as: "mia" })).json;
    const when = { n: 1, at: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect(visits).toMatchObject([
      { stage: "fetch", lines: [{ ...when, level: "info", text: "fetching", facts: { title: "gone" } }] },
    ]);
    expect(next).toBe(`${visits[0].visit}.1`);
    expect((await ask(`${logs}?after=${next}`, { as: "mia" })).json).toEqual({ visits: [], next });
    expect((await ask(`${logs}?after=soon`, { as: "mia" })).status).toBe(400);
    const estimate = (await ask(`/api/v1/items/${ids.late}/estimate`, { as: "mo" })).json;
    expect(estimate).toMatchObject({ isKnown: false, sentence: expect.stringMatching(/\.$/) });
  });
});

describe("a request is told", () => {
  it("with its counts, its progress and where its items are", async () => {
    const { json } = await ask(`/api/v1/requests/${requests.slow}`, { as: "mia" });
    expect(json).toMatchObject({
      id: requests.slow,
      status: "PROCESSING",
      counts: { total: 1, completed: 0, failed: 0 },
      progress: 50,
      removal: null,
      owners: ["mia"],
    });
    expect(titles((await ask(json.items, { as: "mia" })).json.entries)).toEqual(["slow"]);
  });

  it("by its beginning, to its owners", async () => {
    const short = requests.slow?.replace(/^req_0+/, "");
    expect((await ask(`/api/v1/requests/${short}`, { as: "mia" })).json.id).toBe(requests.slow);
    expect((await ask(`/api/v1/requests/${short}`, { as: "mo" })).status).toBe(404);
  });
});

describe("a list by a filter", () => {
  const found = async (filter: string, as: Person = "ann") =>
    titles((await ask(`/api/v1/items?filter=${encodeURIComponent(filter)}`, { as })).json.entries);

  it.each<[string, string[]]>([
    ["", ["which", "late", "slow", "gone", "fine"]],
    ["state:failed,needs-you", ["which", "gone"]],
    ["-state:done -owner:mo", ["slow", "gone"]],
    ["pipeline:films stage:fetch error:GW_TIMEOUT,GONE", ["slow", "gone"]],
    ["reason:not_available", ["late"]],
    ["key:tmdb:603", ["gone"]],
    ["tmdb", ["gone"]],
    ["attempt:>0 -state:done", ["slow", "gone"]],
    ["age:>1h", []],
    ["priority:3 age:<1h owner:mo", ["which", "late"]],
    ["worker:test", []],
  ])("%s", async (filter, expected) => expect(await found(filter)).toEqual(expected));

  it("shows members their own alone", async () => {
    expect(await found("state:failed,waiting,needs-you", "mia")).toEqual(["slow", "gone"]);
    expect(await found("owner:mia,mo", "mo")).toEqual(["which", "late"]);
    expect(await found("tmdb", "mo")).toEqual([]);
    expect(await found("-owner:mia", "mia")).toEqual([]);
  });

  it("of requests has the part of the language that fits", async () => {
    const list = async (filter: string, as: Person = "ann") =>
      (await ask(`/api/v1/requests?filter=${encodeURIComponent(filter)}`, { as })).json.entries.map(
        ({ id }: { id: string }) => Object.keys(requests).find((title) => requests[title] === id),
      );
    expect(await list("status:failed")).toEqual(["gone"]);
    expect(await list("-status:completed owner:mia")).toEqual(["slow", "gone"]);
    expect(await list("key:tmdb:603 age:<1h")).toEqual(["gone"]);
    expect(await list("status:failed", "mo")).toEqual([]);
    expect(await list("owner:mia", "mo")).toEqual([]);
  });

  it.each<[string, string, object]>([
    ["items", "staet:failed", { at: 0, word: "staet:failed", instead: ["state", "stage"] }],
    ["items", "owner:mia state:faild", { at: 10, word: "state:faild", instead: ["failed"] }],
    ["items", 'key:"open', { at: 4, instead: ['"open"'] }],
    ["requests", "state:failed", { instead: ["status"] }],
    ["requests", "tmdb", { instead: ["key:tmdb", "id:tmdb"] }],
  ])("%s by %s is refused with the place", async (list, filter, told) => {
    const { status, json } = await ask(`/api/v1/${list}?filter=${encodeURIComponent(filter)}`, { as: "admin" });
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: "INVALID_INPUT", field: "filter", ...told });
  });
});

describe("what is another's", () => {
  const of = (id: Record<string, string>) => (path: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name) => id[name] ?? "1");
  const bodies: Record<string, unknown> = {
    replay: { from: "find" },
    skip: { reason: "because" },
    priority: { priority: 1 },
    choose: { release: "of-another" },
  };

  it("is not there, on any route that takes an id", async () => {
    const { json } = await ask("/api/v1/bulk", {
      method: "POST",
      as: "mo",
      body: { action: { type: "set-priority", priority: 2 }, filter: "state:waiting" },
    });
    const fill = of({ item: ids.late ?? "", request: requests.late ?? "", operation: json.operation.id });
    const routes = world.server.policies.filter(({ path }) => /\{(item|request|operation)\}/.test(path));
    expect(routes.length).toBeGreaterThanOrEqual(19);
    for (const { method, path } of routes) {
      const body = method === "POST" ? bodies[path.split("/").at(-1) ?? ""] : undefined;
      const asked = { method, as: "mia" as const, ...(body === undefined ? {} : { body }) };
      const { status, json: told } = await ask(fill(path), asked);
      expect([status, told.code], `${method} ${path}`).toEqual([404, "NOT_FOUND"]);
      expect((await ask(`${fill(path)}?dryRun=true`, asked)).status, `${method} ${path}, dry`).toBeGreaterThanOrEqual(
        400,
      );
    }
    // Nothing has come of it.
    expect((await ask(`/api/v1/items/${ids.late}`, { as: "mo" })).json).toMatchObject({ state: "waiting", series: 1 });
    expect((await ask("/api/v1/bulk", { as: "mia" })).json.entries).toEqual([]);
  });
});

const copies = definePipeline("copies", { version: 1, input: z.object({ to: z.array(z.string()) }) }).stage("deliver", {
  parts: ({ input }) => input.to,
  attempts: 1,
  run: ({ part }) => {
    if (part === "full") throw permanent("DISK_FULL", "no room");
    return done();
  },
});

describe("what an item is made of", () => {
  it("its parts with their own state, progress and error; what exists outside with its name there", async () => {
    const downloads = outsideFilms();
    const other = await openAppWorld([copies, downloads], { services: { torrents: scripted() } });
    try {
      const { items } = await other.t.submit(copies, [{ to: ["nas", "full"] }], { owner: "mia" });
      const job = await other.t.submit(downloads, [{ title: "Alien" }], { owner: "mia" });
      await other.t.drain();
      const { json } = await other.ask(`/api/v1/items/${items[0]}`, { as: "mia" });
      expect(json.targets).toMatchObject([
        { name: "nas", stage: "deliver", state: "done", lastError: null },
        { name: "full", stage: "deliver", state: "failed", lastError: { code: "DISK_FULL", message: "no room" } },
      ]);
      const part = await other.ask(`/api/v1/items/${json.targets[1].id}`, { as: "mia" });
      expect(part.json).toMatchObject({ part: "full", state: "failed" });
      const listed = await other.ask("/api/v1/items?filter=part:full", { as: "mia" });
      expect(listed.json.entries).toHaveLength(1);
      const running = await other.ask(`/api/v1/items/${job.items[0]}`, { as: "mia" });
      expect(running.json).toMatchObject({
        state: "running",
        outside: [
          {
            service: "torrents",
            stage: "download",
            ref: expect.any(String),
            leftBehind: false,
            since: expect.any(String),
          },
        ],
      });
      const held = await other.ask("/api/v1/items?filter=service:torrents%20state:running", {
        as: "ann",
      });
      expect(held.json.entries.map(({ id }: { id: string }) => id)).toEqual([job.items[0]]);
      // The item is done in part; its failed part alone is tried again.
      const dry = await other.ask(`/api/v1/items/${items[0]}/retry-parts?dryRun=true`, { method: "POST", as: "mia" });
      expect(dry.json).toMatchObject({ ok: true, would: { items: 1 } });
      const again = await other.ask(`/api/v1/items/${items[0]}/retry-parts`, { method: "POST", as: "mia" });
      expect(again.json).toMatchObject({ ok: true, would: null });
    } finally {
      await other.close();
    }
  });
});

// The last, because it hands in another.
describe("a line of a list", () => {
  it("tells why it waits, and what whoever asks may do about it", async () => {
    await world.t.sluice.pause({ pipeline: "films" }, { note: "the disk is full" });
    const { items } = await world.t.submit(films, [{ title: "fine" }], { owner: "mia" });
    const line = async (as: Person) => (await ask(`/api/v1/items?filter=id:${items[0]}`, { as })).json.entries[0];
    const held = await line("ann");
    expect(held).toMatchObject({ state: "queued", reason: "paused", until: null, nextRetryAt: null });
    expect(held.wait).toEqual((await ask(`/api/v1/items/${items[0]}`, { as: "ann" })).json.wait);
    expect(held.wait).toMatchObject({
      code: "paused",
      sentence: expect.stringContaining("the disk is full"),
      since: held.since,
      actions: ["open", "run-once", "cancel"],
    });
    expect((await line("mia")).wait.actions).toEqual(["cancel"]);
    const found = async (filter: string) => (await ask(`/api/v1/items?filter=${filter}`, { as: "mia" })).json.entries;
    expect((await found("reason:paused")).map(({ id }: { id: string }) => id)).toEqual(items);
    expect(await found("reason:paused%20-reason:paused")).toEqual([]);
    await world.t.sluice.cancel(items[0] as never);
    await world.t.sluice.resume({ pipeline: "films" });
    expect(await line("ann")).toMatchObject({ state: "cancelled", reason: null, wait: null });
  });
});
