// The application through its app object: who may use which route, what a foreign page gets, and what belongs to whom.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done } from "../../src/engine/index.ts";
import { isAllowed, ROLES, type Role } from "../../src/server/access/principal.ts";
import { makeApp } from "../../src/server/app.ts";
import { type AppWorld, openAppWorld, PASSWORD } from "../support/app-world.ts";

const films = definePipeline("films", { version: 1, input: z.object({ title: z.string() }) }).stage("find", {
  run: () => done(),
});

let world: AppWorld;
const ask: AppWorld["ask"] = (at, asked) => world.ask(at, asked);

beforeAll(async () => {
  world = await openAppWorld([films]);
  for (const owner of ["mia", "mo"]) await world.t.submit(films, [{ title: owner }], { owner });
  await world.t.drain();
});
afterAll(() => world.close());

// Nothing has this id: a route that ends sessions would else end the one that asks.
const path = (template: string) => template.replaceAll(/\{[^}]+\}/g, "none");

describe("routes and roles", () => {
  it("every route has a policy", () => {
    const known = new Set(
      world.server.policies.map(({ method, path: at }) => `${method} ${at.replaceAll(/\{([^}]+)\}/g, ":$1")}`),
    );
    const registered = world.server.app.routes
      .filter(({ method }) => method !== "ALL")
      .map((one) => `${one.method} ${one.path}`);
    expect(registered.filter((one) => !known.has(one))).toEqual([]);
    expect(registered.length).toBeGreaterThan(5);
    // What stands in front of all of them: the access log, the guard and the limit of bodies.
    expect(world.server.app.routes.filter(({ method }) => method === "ALL").map((one) => one.path)).toEqual([
      "/*",
      "/*",
      "/*",
    ]);
  });

  it("nobody comes in without signing in, but where a route is open", async () => {
    for (const { method, path: at, policy } of world.server.policies) {
      const { status } = await ask(path(at), { method });
      if (policy === "open") expect(status, `${method} ${at}`).not.toBe(401);
      else expect(status, `${method} ${at}`).toBe(401);
    }
  });

  it.each(ROLES)("as a %s", async (role) => {
    for (const { method, path: at, policy } of world.server.policies) {
      if (policy === "open") continue;
      const { status } = await ask(path(at), { method, as: role });
      // Metrics count everybody's work, which a member may not see.
      const isTheirs = role !== "member" || at !== "/metrics";
      const may =
        policy === "self" || (isTheirs && isAllowed({ user: "", role, via: "session", scopes: null }, policy));
      expect(status === 403, `${method} ${at}: ${status}`).toBe(!may);
    }
  });

  it("a key comes in with its scopes, by either header, and not by the address line", async () => {
    const admin = { user: "ann", role: "admin", via: "session", scopes: null } as const;
    const { key } = await world.access.makeKey(admin, { name: "reader", scopes: ["read"] }, "here");
    for (const headers of [{ authorization: `Bearer ${key}` }, { "x-api-key": key }])
      expect((await ask("/api/v1/me", { headers })).json).toMatchObject({ user: "ann", via: "key", scopes: ["read"] });
    expect((await ask(`/api/v1/me?key=${key}`)).status).toBe(401);
  });
});

describe("what belongs to whom", () => {
  const titles = async (as: Role, query = "") => {
    const { json } = await ask(`/api/v1/items${query}`, { as });
    return json.entries.map(({ owner }: { owner: string }) => owner);
  };

  it("members see their own, the others everybody's", async () => {
    expect(await titles("member")).toEqual(["mia"]);
    expect(await titles("member", "?filter=owner:mo")).toEqual([]);
    expect(await titles("member", "?filter=owner:mia%20state:done")).toEqual(["mia"]);
    expect(await titles("viewer")).toEqual(["mo", "mia"]);
    expect(await titles("admin", "?filter=owner:mo")).toEqual(["mo"]);
    const { json } = await ask("/api/v1/requests", { as: "member" });
    expect(json.entries.map(({ owners }: { owners: string[] }) => owners)).toEqual([["mia"]]);
  });

  it("tells an item in the contract's words", async () => {
    const { json } = await ask("/api/v1/items?limit=1", { as: "admin" });
    expect(json.entries[0]).toMatchObject({
      pipeline: "films",
      state: "done",
      attempts: 1,
      progress: 100,
      owner: "mo",
    });
    expect(json.next).toMatch(/^itm_/);
  });
});

describe("one item", () => {
  const idOf = async (owner: string) => (await world.t.sluice.items({ owner })).entries[0]?.id ?? "";

  it("is told with why it stands where it stands", async () => {
    const id = await idOf("mia");
    const { json } = await ask(`/api/v1/items/${id}`, { as: "member" });
    expect(json).toMatchObject({
      id,
      status: "COMPLETED",
      currentStep: "find",
      lastError: null,
      input: { title: "mia" },
    });
    expect(json.wait.sentence).toMatch(/\.$/);
    expect((await ask(`/api/v1/items/${id}/explain?timeZone=Europe/Berlin`, { as: "viewer" })).json.code).toBe("done");
    expect((await ask(`/api/v1/items/${id}/explain?timeZone=Nowhere`, { as: "viewer" })).json.field).toBe("timeZone");
  });

  it("of another is as unknown as none, to look at and to act on", async () => {
    const [another, nobodys] = [await idOf("mo"), "itm_0000000099999"];
    const paths = ["", "/explain", "/retry", "/cancel", "/take-back", "/run-once"];
    for (const [id, at] of paths.flatMap((one) => [another, nobodys].map((id) => [id, one] as const))) {
      const method = at === "" || at === "/explain" ? "GET" : "POST";
      const { status, json } = await ask(`/api/v1/items/${id}${at}`, { method, as: "member" });
      expect([status, json.detail]).toEqual([404, `there is no item ${id}`]);
    }
    const { entries } = await world.t.sluice.requests({ owner: "mo" });
    expect((await ask(`/api/v1/requests/${entries[0]?.id}`, { as: "member" })).status).toBe(404);
    expect((await ask(`/api/v1/requests/${entries[0]?.id}`, { as: "viewer" })).json).toMatchObject({ progress: 100 });
  });

  it("is acted on, or a sentence says why not; a dry run changes nothing", async () => {
    const { items } = await world.t.submit(films, [{ title: "later" }], { owner: "mia", delay: "1h" });
    const at = `/api/v1/items/${items[0]}`;
    const dry = await ask(`${at}/cancel?dryRun=true`, { method: "POST", as: "member" });
    expect(dry.json).toMatchObject({ ok: true, would: { items: 1 } });
    expect((await ask(at, { as: "member" })).json.state).toBe("waiting");
    expect((await ask(`${at}/retry`, { method: "POST", as: "member" })).json).toMatchObject({
      status: 409,
      code: "REFUSED",
    });
    expect((await ask(`${at}/cancel`, { method: "POST", as: "member" })).json).toEqual({
      ok: true,
      would: null,
      copy: null,
      left: false,
    });
    expect((await ask(at, { as: "member" })).json).toMatchObject({ state: "cancelled", status: "CANCELLED" });
  });
});

describe("a request from elsewhere", () => {
  it.each([
    ["a name that somebody else may own", { host: "evil.example" }, 421, "MISDIRECTED"],
    ["no name at all", { host: "" }, 421, "MISDIRECTED"],
    ["a page of another site", { origin: "https://evil.example" }, 403, "FORBIDDEN"],
    ["another port of this machine", { origin: "http://localhost:8080" }, 403, "FORBIDDEN"],
    ["a frame without an origin", { origin: "null" }, 403, "FORBIDDEN"],
  ])("%s is refused, signed in or not", async (_, headers, status, code) => {
    for (const as of [undefined, "admin"] as const) {
      const answer = await ask("/api/v1/session", { method: "DELETE", headers, ...(as === undefined ? {} : { as }) });
      expect([answer.status, answer.json.code]).toEqual([status, code]);
    }
    expect((await ask("/api/v1/me", { as: "admin" })).status).toBe(200);
  });

  it("a name that was configured is ours", async () => {
    expect((await ask("/api/v1/me", { as: "admin", headers: { host: "sluice.example.org" } })).status).toBe(200);
  });
});

describe("signing in", () => {
  it("sets a cookie that scripts cannot read and other sites do not send, and signs out", async () => {
    const entered = await ask("/api/v1/session", { method: "POST", body: { name: "mo", password: PASSWORD } });
    expect(entered.status).toBe(200);
    const cookie = entered.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^sluice_test=sls_/);
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    expect(cookie).not.toMatch(/Secure/);
    const headers = { cookie: cookie.split(";")[0] ?? "" };
    expect((await ask("/api/v1/me", { headers })).json).toMatchObject({ user: "mo", role: "member" });
    await ask("/api/v1/session", { method: "DELETE", headers });
    expect((await ask("/api/v1/me", { headers })).status).toBe(401);
  });

  it("is refused with a sentence, and slowed down with a time", async () => {
    const body = { name: "vic", password: "not this one" };
    const answers = [];
    for (let tries = 0; tries < 6; tries += 1) answers.push(await ask("/api/v1/session", { method: "POST", body }));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(answers.at(-1)?.headers.get("retry-after")).toBe("1");
  });
});

describe("problems", () => {
  it("say what is wrong with which input", async () => {
    const { status, headers, json } = await ask("/api/v1/items?limit=500", { as: "admin" });
    expect(status).toBe(400);
    expect(headers.get("content-type")).toBe("application/problem+json");
    expect(json).toMatchObject({ code: "INVALID_INPUT", field: "limit", requestId: headers.get("x-request-id") });
    expect((await ask("/api/v1/items?after=nonsense", { as: "admin" })).json).toMatchObject({ field: "after" });
    expect((await ask("/api/v1/items?filter=key:%00", { as: "admin" })).json).toMatchObject({ field: "filter" });
    expect((await ask("/api/v1/items?state=done", { as: "admin" })).json).toMatchObject({
      status: 400,
      field: "query",
    });
    const body = { name: "a", password: "b", extra: true };
    expect((await ask("/api/v1/session", { method: "POST", body })).json).toMatchObject({ code: "INVALID_INPUT" });
    expect(
      (await ask("/api/v1/session", { method: "POST", headers: { "content-type": "application/json" } })).status,
    ).toBe(400);
  });

  it("say that a body is too large", async () => {
    const body = { name: "x".repeat(1_100_000), password: "" };
    expect((await ask("/api/v1/session", { method: "POST", body })).json).toMatchObject({
      status: 413,
      code: "TOO_LARGE",
    });
  });

  it("say what is not there", async () => {
    expect((await ask("/nowhere", { as: "admin" })).json).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it("keep what was not meant for the log", async () => {
    const items = () => Promise.reject(new Error("secret path /etc"));
    const sluice = { ...world.t.sluice, items, tables: world.t.sluice.tables } as never;
    const broken = makeApp({ ...world.ports, sluice });
    const answer = await broken.app.request("/api/v1/items", {
      headers: { host: "localhost", cookie: world.cookieOf("admin") },
    });
    const told = await answer.text();
    expect(answer.status).toBe(500);
    expect(told).not.toContain("secret");
    const { requestId } = JSON.parse(told);
    expect(world.logged.find((line) => line.includes(requestId))).toContain("secret path /etc");
  });

  it("of a database that is away are a line each, without a stack", async () => {
    const items = () => Promise.reject(Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" }));
    const sluice = { ...world.t.sluice, items, tables: world.t.sluice.tables } as never;
    const away = makeApp({ ...world.ports, sluice });
    const headers = { host: "localhost", cookie: world.cookieOf("admin") };
    const answer = await away.app.request("/api/v1/items", { headers });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    const { requestId } = JSON.parse(await answer.text());
    const lines = world.logged.filter((line) => line.includes(requestId) && !line.startsWith("http.answered"));
    expect(lines).toEqual([`http.database-away {"requestId":"${requestId}","error":"connect refused"}`]);
  });

  it("come with headers that leave a browser no room", async () => {
    const { headers } = await ask("/healthz");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("health", () => {
  it("is open, and says no more than that", async () => {
    expect((await ask("/healthz")).json).toEqual({ status: "ok" });
    expect((await ask("/readyz")).json).toEqual({ status: "ready", reasons: [] });
  });
});
