// Versions side by side, the rollout, and how long things are kept, over HTTP.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, permanent } from "../../src/engine/index.ts";
import { type AppWorld, type Asked, openAppWorld, PASSWORD } from "../support/app-world.ts";

const input = z.object({ ok: z.boolean() });
const first = definePipeline("films", { version: 1, input }).stage("find", { run: () => done() });
const second = definePipeline("films", { version: 2, input })
  .stage("find", { run: () => done() })
  .stage("judge", {
    run: ({ input: { ok } }) => {
      if (!ok) throw permanent("BAD", "not this one");
      return done();
    },
  });

let world: AppWorld;
beforeAll(async () => {
  world = await openAppWorld([first, second]);
  await world.t.submit(first, [{ ok: true }], { owner: "mia" });
  await world.t.submit(second, [{ ok: true }, { ok: false }], { owner: "mo" });
  await world.t.drain();
});
afterAll(() => world.close());

const api = (at: string, asked: Asked = {}) => world.ask(`/api/v1${at}`, { as: "admin", ...asked });
const put = (at: string, body: unknown) => api(at, { method: "PUT", body });
const post = (at: string, body?: unknown) => api(at, { method: "POST", body });
const versions = async () => (await api("/pipelines/films/versions")).json.entries;
const audited = async (action: string) => (await api(`/audit?action=${action}`)).json.entries;

describe("versions", () => {
  it("stand side by side, with how their items did", async () => {
    expect(await versions()).toMatchObject([
      { version: 1, stages: ["find"], share: null, held: "no", figures: { items: 1, done: 1, failureRate: 0 } },
      {
        version: 2,
        stages: ["find", "judge"],
        orphans: [],
        figures: { items: 2, done: 1, failed: 1, failureRate: 0.5 },
      },
    ]);
    expect((await api("/pipelines/films/versions?items=1")).json.entries[1].figures).toMatchObject({ items: 1 });
    expect((await api("/pipelines/flims/versions")).json).toMatchObject({
      status: 404,
      field: "pipeline",
      detail: expect.stringContaining(`did you mean "films"?`),
    });
  });

  it("get shares of new requests: told first, then set, and noted", async () => {
    const shares = { 1: 90, 2: 10 };
    const dry = await put("/pipelines/films/rollout?dryRun=true", { shares });
    expect(dry.json.would).toBe("Would give of the new requests of films 90 % to version 1, 10 % to version 2.");
    expect((await versions()).map((one: { share: unknown }) => one.share)).toEqual([null, null]);
    expect((await put("/pipelines/films/rollout", { shares, note: "carefully" })).status).toBe(200);
    expect((await versions()).map((one: { share: unknown }) => one.share)).toEqual([90, 10]);
    expect(await audited("rollout.set")).toMatchObject([{ actor: "ann", subject: "films", detail: { shares } }]);
  });

  it.each([
    [{ 1: 90 }, "shares have to make 100 together, not 90"],
    [{ 1: 50, 3: 50 }, "pipeline films has no version 3; known here: 1, 2"],
    [{ newest: 100 }, '"newest" is no version'],
  ])("are not given %j, also in a dry run", async (shares, detail) => {
    for (const query of ["", "?dryRun=true"])
      expect((await put(`/pipelines/films/rollout${query}`, { shares })).json).toMatchObject({ status: 400, detail });
  });

  it("are held and released one by one", async () => {
    const at = "/pipelines/films/versions/2";
    expect((await post(`${at}/release?dryRun=true`)).json).toMatchObject({ code: "REFUSED" });
    expect((await post(`${at}/hold?dryRun=true`)).json.would).toMatch(/^Version 2 of films would keep/);
    expect((await versions())[1].held).toBe("no");
    expect((await post(`${at}/hold`, { note: "wrong covers" })).status).toBe(200);
    expect((await versions())[1]).toMatchObject({ held: expect.stringMatching(/held|closing/), note: "wrong covers" });
    expect((await post(`${at}/release`)).status).toBe(200);
    expect((await versions())[1]).toMatchObject({ held: "no", heldSince: null });
    expect((await post("/pipelines/films/versions/7/hold")).json).toMatchObject({ status: 404, field: "version" });
    expect(await audited("version.hold")).toMatchObject([{ subject: "films 2", detail: { note: "wrong covers" } }]);
  });
});

it("are compared by as many items as an admin asks for, and by 5,000 for everybody else", async () => {
  const of = (as: "admin" | "viewer", items: number) =>
    world.ask(`/api/v1/pipelines/films/versions?items=${items}`, { as });
  expect((await of("admin", 50_000)).status).toBe(200);
  expect((await of("viewer", 5_000)).status).toBe(200);
  expect((await of("viewer", 5_001)).json).toMatchObject({ status: 400, field: "items" });
});

describe("how long things are kept", () => {
  const DAY_MS = 86_400_000;
  const limits = async () => (await api("/retention")).json.limits;

  it("is told, with what would go and what is on its way out", async () => {
    const { json } = await api("/retention");
    expect(json).toMatchObject({ limits: { history: 90 * DAY_MS }, leaving: [] });
    expect(json.pipelines).toContainEqual(
      expect.objectContaining({ name: "films", version: 2, done: 90 * DAY_MS, failed: 365 * DAY_MS }),
    );
    expect(json.tables.map(({ name }: { name: string }) => name)).toContain("item");
    expect((await api("/retention/preview")).json).toEqual({ requests: 0, isMore: false, items: [], weeks: [] });
  });

  it("tells members of no others' requests", async () => {
    const { json } = await api("/requests?limit=1");
    await post(`/requests/${json.entries[0].id}/remove`);
    expect((await api("/retention")).json.leaving).toMatchObject([{ request: json.entries[0].id, by: "ann" }]);
    expect((await api("/retention", { as: "mia" })).json.leaving).toEqual([]);
  });

  it("is set by admins: told first, then set, and noted", async () => {
    const before = await limits();
    expect((await put("/retention?dryRun=true", { history: "30d" })).json.would).toBe("Would keep history for 30d.");
    expect(await limits()).toEqual(before);
    expect((await put("/retention", { history: "30d", signals: DAY_MS })).status).toBe(200);
    expect(await limits()).toEqual({ ...before, history: 30 * DAY_MS, signals: DAY_MS });
    expect(await audited("retention.set")).toMatchObject([{ detail: { history: "30d" } }]);
  });

  it.each([
    [{}, "say how long: history, audit, signals"],
    [{ history: "1d" }, "retention.history must be at least 7 d"],
    [{ audit: 0 }, "retention.audit must be at least 1 d"],
  ])("is not set to %j, also in a dry run", async (body, detail) => {
    for (const query of ["", "?dryRun=true"])
      expect((await put(`/retention${query}`, body)).json).toMatchObject({
        status: 400,
        detail: expect.stringContaining(detail),
      });
  });

  it("tells what would go once its time is over", async () => {
    await world.t.advance("100d");
    const headers = { authorization: `Bearer ${await world.access.logIn("ann", PASSWORD, "here")}` };
    expect((await world.ask("/api/v1/retention/preview", { headers })).json.items).toContainEqual({
      pipeline: "films",
      version: 1,
      state: "done",
      items: 1,
    });
    const dry = await world.ask("/api/v1/retention?dryRun=true", { method: "PUT", headers, body: { history: "7d" } });
    expect(dry.json.would).toMatch(
      /^Would keep history for 7d\. What happened in \d+ weeks would go, from \d{4}w\d\d to \d{4}w\d\d\.$/,
    );
  });
});
