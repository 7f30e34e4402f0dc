// Everything around items, through the app object: services, workers, pipelines, holds, switches, schedules, finders, questions.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ask,
  definePipeline,
  done,
  finder,
  permanent,
  schedule,
  service,
  unavailable,
} from "../../src/engine/index.ts";
import { type AppWorld, type Asked, openAppWorld } from "../support/app-world.ts";

const shop = service("shop", { capacity: 5, breaker: { failures: 1, items: 1 } });
const films = definePipeline("films", { version: 1, input: z.object({ title: z.string() }) })
  .stage("choose", { run: (visit) => (visit.input.title === "?" ? ask("which?", { options: ["a", "b"] }) : done()) })
  .stage("publish", { run: () => done() });
const orders = definePipeline("orders", { version: 1, input: z.object({}), deadline: "1h" })
  .stage("buy", {
    uses: shop,
    concurrency: 8,
    run: () => {
      throw unavailable("CLOSED", "closed for mia's order");
    },
  })
  .stage("publish", { run: () => done() });
let isLocked = false;
let calls = 0;
const library = service("library", {
  probe: async () => {
    calls += 1;
    if (isLocked) throw permanent("LOCKED", "the key is wrong");
  },
});
const idle = definePipeline("idle", { version: 1, input: z.object({}) })
  .stage("rest", { uses: library, run: () => done() })
  .stage("keep", { uses: service("archive", { probe: async () => undefined }), run: () => done() });
const lost = finder("lost", {
  every: "1h",
  pipeline: films,
  find: () => {
    throw unavailable("AWAY", "the shelf is away");
  },
});
const seek = finder("seek", {
  every: "1h",
  pipeline: films,
  find: async () => ({ found: [{ key: "k1", input: { title: "x" } }] }),
});
const nightly = schedule("nightly", { cron: "0 3 * * *", pipeline: films, inputs: async () => [{ title: "night" }] });

let world: AppWorld;
const api = (at: string, asked?: Asked) => world.ask(`/api/v1${at}`, asked);
const post = (at: string, body?: unknown, as: Asked["as"] = "admin") =>
  api(at, { method: "POST", as, ...(body === undefined ? {} : { body }) });
const audited = async (action: string) =>
  (await api(`/audit?action=${action}`, { as: "admin" })).json.entries as {
    actor: string;
    subject: string | null;
    detail: unknown;
  }[];

beforeAll(async () => {
  world = await openAppWorld([films, orders, idle], {
    services: { shop: () => ({}), library: {} },
    finders: [lost, seek],
    schedules: [nightly],
  });
  const { t } = world;
  await t.submit(films, [{ title: "?" }], { owner: "mia" });
  await t.drain();
  await t.submit(films, [{ title: "?" }], { owner: "mo" });
  await t.submit(orders, [{}, {}], { owner: "mia" });
  await t.drain();
});
afterAll(() => world.close());

describe("services", () => {
  it("one of them is told with what it said, to members without what may be another's", async () => {
    const { json } = await api("/services/shop", { as: "viewer" });
    expect(json).toMatchObject({
      name: "shop",
      state: "down",
      turns: [{ turned: "opened", code: expect.any(String) }],
    });
    expect(json.affects[0]).toMatchObject({ pipeline: expect.any(String), stage: expect.any(String) });
    const member = await api("/services/shop", { as: "member" });
    expect(member.json).toMatchObject({
      error: null,
      errors: [],
      turns: [{ turned: "opened", code: null, message: null }],
    });
    expect((await api("/services/nobody", { as: "viewer" })).status).toBe(404);
  });

  it("are told to all with how many wait for them, and what they said to those who see everything", async () => {
    const { json } = await api("/services", { as: "viewer" });
    const well = { state: "well", behind: 0, error: null };
    const others = [
      { name: "archive", ...well },
      { name: "library", ...well },
    ];
    expect(json.entries).toMatchObject([
      ...others,
      { name: "shop", state: "down", behind: 2, error: { code: "CLOSED" } },
    ]);
    const member = await api("/services", { as: "member" });
    expect(member.json.entries).toMatchObject([...others, { name: "shop", state: "down", behind: 2, error: null }]);
    expect(member.text).not.toContain("mia's order");
  });

  it("that are down are looked at when an admin says so; a dry run only says what it would do", async () => {
    const dry = await post("/services/shop/check?dryRun=true");
    expect(dry.json.would).toMatch(/^A worker would look at shop now, instead of at 2030-/);
    expect(await audited("services.check")).toEqual([]);
    expect((await post("/services/shop/check")).json).toEqual({ ok: true, would: null });
    expect(await audited("services.check")).toMatchObject([{ actor: "ann", subject: "shop" }]);
    expect((await post("/services/shpo/check")).json).toMatchObject({
      status: 404,
      detail: expect.stringMatching(/did you mean "shop"/),
    });
  });
});

describe("workers", () => {
  it("are told with the pipelines whose code they have", async () => {
    const { json } = await api("/workers", { as: "viewer" });
    expect(json.entries).toMatchObject([{ name: "test", state: "alive", stages: null, items: 0 }]);
    // How many it has in its hands would count others' work.
    expect((await api("/workers", { as: "member" })).json.entries).toMatchObject([{ name: "test", items: null }]);
    expect(json.entries[0].pipelines).toContainEqual({ name: "films", version: 1 });
  });

  it("are told with their host's name alone, and to admins with the process", async () => {
    const host = "attic 6f1c2b9e-boot pid:[4026531836] time:[4026531834]";
    await world.t.db.query({ name: "test-host", text: "update sluice.worker set host = $1" }, [host]);
    for (const as of ["member", "viewer", "admin"] as const) {
      const { json } = await api("/workers", { as });
      expect(json.entries).toMatchObject([{ host: "attic", pid: as === "admin" ? 1 : null }]);
    }
  });
});

describe("a service that is tested", () => {
  const test = (name: string, as: Asked["as"] = "admin", query = "") =>
    post(`/services/${name}/test${query}`, undefined, as);

  it("tells what came back, whether it worked or not, and how it stands is left alone", async () => {
    isLocked = false;
    expect((await test("library")).json).toMatchObject({ ok: true, would: null, code: null, message: null });
    isLocked = true;
    expect((await test("library")).json).toMatchObject({ ok: false, code: "LOCKED", message: "the key is wrong" });
    expect((await api("/services/library", { as: "viewer" })).json).toMatchObject({ state: "well", turns: [] });
    expect(await audited("services.test")).toMatchObject([
      { actor: "ann", subject: "library", detail: { ok: false, code: "LOCKED" } },
      { actor: "ann", subject: "library", detail: { ok: true } },
    ]);
  });

  it("is called by nobody in a dry run", async () => {
    const before = calls;
    const { json } = await test("library", "admin", "?dryRun=true");
    expect(json).toMatchObject({ ok: true, would: "Would call library by its probe." });
    expect(calls).toBe(before);
  });

  it.each([
    ["shop", 409, "shop has no probe in its code"],
    ["archive", 409, "this server was started without a client of archive"],
    ["nobody", 404, "nobody"],
  ])("is refused in words where it cannot be called: %s", async (name, status, detail) => {
    expect((await test(name)).json).toMatchObject({ status, detail: expect.stringContaining(detail) });
  });

  it("is tested by admins alone", async () => {
    expect((await test("library", "member")).status).toBe(403);
  });
});

describe("pipelines", () => {
  const pipelineOf = async (name: string, as: "viewer" | "member" = "member") =>
    (await api("/pipelines", { as })).json.entries.find((one: { name: string }) => one.name === name);

  it("are told with their stages and how those fare", async () => {
    const { versions, closed } = await pipelineOf("films", "viewer");
    expect(closed).toEqual([]);
    expect(versions).toMatchObject([
      { version: 1, workers: 1, stages: [{ name: "choose", switch: "on", needsYou: 2 }, { name: "publish" }] },
    ]);
    // To members, as if only theirs were there.
    const [own] = (await pipelineOf("films", "member")).versions;
    expect(own.stages[0]).toMatchObject({ needsYou: 1, lastDay: { visits: 0 }, stay: null });
  });

  it("are told with what limits their stages", async () => {
    const [version] = (await pipelineOf("orders")).versions;
    expect(version).toMatchObject({ deadlineMs: 3_600_000 });
    expect(version.stages[0].limits).toEqual({
      lanes: [{ inside: 0, cap: 8, perKey: null, service: { name: "shop", inside: 0, capacity: 5, limit: null } }],
      code: { attempts: 5, timeoutMs: 300_000, stall: null },
    });
  });

  it("are held and resumed as a whole or in part, with a note; a dry run changes nothing", async () => {
    const scope = { pipeline: "films", stage: "choose" };
    const dry = await post("/hold?dryRun=true", { ...scope, note: "disk" });
    expect(dry.json.would).toBe("Would hold pipeline films, stage choose: 2 items would wait.");
    expect((await pipelineOf("films")).closed).toEqual([]);
    expect((await post("/hold", { ...scope, note: "disk" })).status).toBe(200);
    expect((await pipelineOf("films")).closed).toMatchObject([{ kind: "hold", ...scope, version: null, note: "disk" }]);
    expect((await post("/resume", { pipeline: "films" })).json).toMatchObject({
      code: "REFUSED",
      detail: "pipeline films is not held as such; held now: pipeline films, stage choose",
    });
    expect((await post("/resume", scope)).status).toBe(200);
    expect((await pipelineOf("films")).closed).toEqual([]);
    expect(await audited("hold")).toMatchObject([
      { actor: "ann", subject: "pipeline films, stage choose", detail: { note: "disk" } },
    ]);
    expect(await audited("resume")).toHaveLength(1);
  });

  it("of which one version is held are resumed by the same", async () => {
    await world.t.sluice.versions.hold("films", 1);
    expect((await post("/resume", { pipeline: "films", version: 1 })).status).toBe(200);
    expect((await pipelineOf("films")).closed).toEqual([]);
  });

  it.each([
    [{ pipeline: "flims" }, "pipeline", 'there is no pipeline flims; did you mean "films"?'],
    [{ pipeline: "films", stage: "publihs" }, "stage", 'there is no stage publihs; did you mean "publish"?'],
    [{ pipeline: "films", version: 7 }, "version", "there is no version 7 of it; known here: 1"],
    [{ pipline: "films" }, "body", expect.stringContaining("pipline")],
  ])("that do not exist are not held: %j", async (scope, field, detail) => {
    const { status, json } = await post("/hold", scope);
    expect([status, json.detail]).toEqual([400, detail]);
    expect(json.field === field || json.field === "json").toBe(true);
  });

  it("are switched by stage", async () => {
    const put = (body: unknown, at = "/switches") => api(at, { method: "PUT", as: "admin", body });
    const off = { pipeline: "films", stage: "choose", on: false };
    expect((await put(off, "/switches?dryRun=true")).json.would).toMatch(
      /^Would switch .* off: 2 items would wait there\.$/,
    );
    expect((await put(off)).status).toBe(200);
    expect((await pipelineOf("films")).versions[0].stages[0].switch).toMatch(/closing|off/);
    expect((await put({ ...off, on: true })).status).toBe(200);
    expect((await pipelineOf("films")).versions[0].stages[0].switch).toBe("on");
    expect((await audited("switch.off"))[0]).toMatchObject({ subject: "pipeline films, stage choose" });
  });
});

describe("the switches as one object", () => {
  it.each(["/api/v1/settings/workflow", "/api/settings/workflow"])("%s takes partial updates", async (path) => {
    const read = await world.ask(path, { as: "viewer" });
    expect(read.json).toEqual({
      choose: true,
      "films.publish": true,
      buy: true,
      "orders.publish": true,
      rest: true,
      keep: true,
    });
    const put = (body: unknown, headers = {}, query = "") =>
      world.ask(`${path}${query}`, { method: "PUT", as: "admin", body, headers });
    const etag = read.headers.get("etag") ?? "";
    expect((await put({ choose: false }, {}, "?dryRun=true")).json).toMatchObject({ choose: false });
    expect((await world.ask(path, { as: "viewer" })).headers.get("etag")).toBe(etag);
    const changed = await put({ choose: false }, { "if-match": etag });
    expect(changed.json).toEqual({ ...read.json, choose: false });
    expect(changed.headers.get("etag")).toBe((await world.ask(path, { as: "viewer" })).headers.get("etag"));
    expect((await put({ buy: false }, { "if-match": etag })).json).toMatchObject({ status: 412, code: "CHANGED" });
    expect((await put({ chose: true })).json).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/did you mean "choose"/),
    });
    expect((await put({ choose: "yes" })).status).toBe(400);
    expect((await put({ "films.choose": true }, { "if-match": "*" })).json).toEqual(read.json);
    expect((await world.ask(path, { method: "PUT", as: "member", body: {} })).status).toBe(403);
  });
});

describe("schedules and finders", () => {
  it("are told to all, and their errors and places to those who see everything", async () => {
    expect((await api("/schedules", { as: "member" })).json.entries).toMatchObject([
      { name: "nightly", isPaused: false, next: "2030-01-01T03:00:00.000Z" },
    ]);
    expect((await api("/finders", { as: "member" })).json.entries).toMatchObject([
      { name: "lost", after: null, error: null },
      { name: "seek", after: null, error: null },
    ]);
  });

  it("are run, paused and resumed; what is not possible is refused", async () => {
    expect((await post("/schedules/nightly/resume")).json).toMatchObject({
      code: "REFUSED",
      detail: "it is not paused",
    });
    expect((await post("/schedules/nightly/pause?dryRun=true")).json.would).toMatch(/^Would make no more runs/);
    expect((await post("/schedules/nightly/pause")).status).toBe(200);
    expect((await post("/schedules/nightly/pause")).json.detail).toBe("it is paused already");
    expect((await post("/schedules/nightly/resume")).status).toBe(200);
    expect((await post("/schedules/nightly/run")).json).toEqual({ ok: true, would: null });
    expect((await post("/schedules/nihgtly/run")).json).toMatchObject({ status: 404, field: "schedule" });
    expect(await audited("schedules.pause")).toMatchObject([{ subject: "nightly" }]);
  });

  it("that find tell what would enter, are rewound, and look now", async () => {
    expect((await post("/finders/seek/run?dryRun=true")).json.would).toBe(
      "Of what it finds now 0 would enter, 1 are known.",
    );
    expect((await post("/finders/seek/run")).status).toBe(200);
    expect((await post("/finders/seek/pause")).status).toBe(200);
    expect((await post("/finders/seek/run")).json.detail).toBe("it is paused; resume it, and it looks at once");
    expect((await post("/finders/seek/pause")).json.detail).toBe("it is paused already");
    expect((await post("/finders/seek/resume?dryRun=true")).json.would).toBe("Would look at once, from where it was.");
    expect((await api("/finders", { as: "member" })).json.entries).toMatchObject([{}, { isPaused: true }]);
    expect((await post("/finders/seek/resume")).status).toBe(200);
    expect((await post("/finders/seek/rewind", { after: { page: 3 } })).status).toBe(200);
    expect((await api("/finders", { as: "viewer" })).json.entries[1].after).toEqual({ page: 3 });
    expect((await post("/finders/lost/run?dryRun=true")).json).toMatchObject({
      code: "REFUSED",
      detail: "finder lost failed: the shelf is away",
    });
    expect((await api("/finders", { as: "viewer" })).json.entries[0].error).toMatchObject({ code: "AWAY" });
    expect((await post("/finders/none/rewind", { after: null })).status).toBe(404);
  });
});

describe("questions", () => {
  const idsOf = async (as: Asked["as"], query = "") =>
    (await api(`/questions${query}`, { as })).json.entries.map((one: { id: string }) => one.id) as string[];

  it("of another are not there for a member, to read or to answer", async () => {
    const all = await idsOf("viewer");
    expect(all).toHaveLength(2);
    const [own = ""] = await idsOf("mia");
    const [others = ""] = await idsOf("mo");
    expect([own, others]).toEqual(all);
    expect((await idsOf("viewer", "?limit=1")).concat(await idsOf("viewer", `?after=${own}`))).toEqual(all);
    const refused = await post(`/questions/${others}/answer`, { answer: "a" }, "mia");
    expect([refused.status, refused.json.detail]).toEqual([404, `there is no question ${others}`]);
    expect((await post("/questions/qst_0000000099999/answer", { answer: "a" }, "mia")).status).toBe(404);
  });

  it("are answered once, with one of the options", async () => {
    const [own = ""] = await idsOf("mia");
    expect((await post(`/questions/${own}/answer`, { answer: "c" }, "mia")).json).toMatchObject({
      field: "answer",
      detail: 'answer must be one of "a", "b"',
    });
    expect((await post(`/questions/${own}/answer`, {}, "mia")).json.field).toBe("answer");
    expect((await post(`/questions/${own}/answer?dryRun=true`, { answer: "a" }, "mia")).json.would).toMatch(
      /would go on/,
    );
    expect((await post(`/questions/${own}/answer`, { answer: "a" }, "mia")).status).toBe(200);
    expect((await post(`/questions/${own}/answer`, { answer: "b" }, "mia")).json.code).toBe("REFUSED");
    expect(await audited("question.answer")).toMatchObject([{ actor: "mia", subject: own }]);
  });
});

describe("a first look", () => {
  it("tells how everything stands; to a member, how their own does", async () => {
    const { json } = await api("/overview", { as: "viewer" });
    expect(json).toMatchObject({ scope: "all", version: "0.0.0", stuck: 0, workers: { alive: 1, late: 0, dead: 0 } });
    expect(json.services).toMatchObject([{ name: "shop", state: "down", behind: 2 }]);
    expect(json.pipelines.map((one: { pipeline: string }) => one.pipeline)).toEqual(
      expect.arrayContaining(["films", "orders"]),
    );
    expect(json.database.version).toMatch(/^\d+/);
    const own = (await api("/overview", { as: "mo" })).json;
    expect(own).toMatchObject({ scope: "own", needsYou: 1 });
    expect(own.pipelines.map((one: { pipeline: string }) => one.pipeline)).toEqual(["films"]);
  });

  it("tells what is stuck and what is broken, examples of it not to members", async () => {
    expect((await api("/stuck", { as: "member" })).json).toEqual({ entries: [], next: null });
    const { json } = await api("/doctor", { as: "member" });
    expect(json.checks.length).toBeGreaterThan(10);
    expect(json.checks.every((one: { found: string[] }) => one.found.length === 0)).toBe(true);
  });

  it("what has been due for two hours and was claimed by nobody is stuck, for its owner and for those who see all", async () => {
    const { t } = world;
    for (const owner of ["mia", "mo"]) await t.submit(idle, [{}], { owner, delay: "1h" });
    await t.drain();
    // Due for long, and nobody is told: the clock stands still.
    const text =
      "update sluice.run set ready_at = ready_at - interval '3 hours' where ready_at > sluice.now() and stage = 0";
    await t.db.query({ name: "age", text }, []);
    const stuck = async (as: Asked["as"]) =>
      (await api("/stuck", { as })).json.entries.filter((one: { pipeline: string }) => one.pipeline === "idle");
    expect(await stuck("viewer")).toHaveLength(2);
    const [own, ...others] = await stuck("mo");
    expect(others).toEqual([]);
    expect(own).toMatchObject({ stage: "rest", wait: { sentence: expect.stringMatching(/\.$/) } });
    expect((await api("/overview", { as: "mo" })).json.stuck).toBe(1);
  });
});

describe("the contract", () => {
  it("is a page without scripts, open to all, and names every route", async () => {
    const { status, text, headers } = await world.ask("/api/docs");
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
    expect(text).not.toMatch(/<script/);
    for (const { path } of world.server.policies) expect(text, path).toContain(`<code>${path}</code>`);
  });

  it("tells what can go wrong, and problems point there", async () => {
    const { json } = await api("/errors");
    const problem = (await api("/services", {})).json;
    expect(problem.type).toBe("/api/v1/errors#UNAUTHENTICATED");
    expect(json.entries).toContainEqual(
      expect.objectContaining({ code: "UNAUTHENTICATED", status: 401, retry: false }),
    );
  });
});

it("what a service said about another's stands in no answer to a member, in sentences about their own items neither", async () => {
  const { items, request } = await world.t.submit(orders, [{}], { owner: "mo" });
  const [id] = items;
  await world.t.drain();
  for (const at of [
    "/items",
    `/items/${id}`,
    `/items/${id}/explain`,
    `/requests/${request}`,
    "/stuck",
    "/services/shop",
  ]) {
    const { status, text } = await api(at, { as: "mo" });
    expect([at, status]).toEqual([at, 200]);
    expect([at, text]).toEqual([at, expect.not.stringContaining("closed for mia")]);
  }
  const once = await post(`/items/${id}/run-once`, {}, "mo");
  expect([once.status, once.text]).toEqual([409, expect.not.stringContaining("closed for mia")]);
  expect((await api(`/items/${id}/explain`, { as: "mo" })).json.sentence).toMatch(
    /Waiting for shop: not answering since/,
  );
  expect((await api(`/items/${id}/explain`, { as: "viewer" })).json.sentence).toContain("closed for mia's order");
});

it("a place in a list that cannot be stored is refused", async () => {
  expect((await api("/accounts?after=%00", { as: "admin" })).json).toMatchObject({ status: 400, field: "after" });
});
