// Accounts, passwords, sessions and keys over HTTP; scopes of keys on every route; what is left behind, and removed.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done } from "../../src/engine/index.ts";
import { ensureAdmin } from "../../src/server/access/ensure-admin.ts";
import { type Principal, SCOPES, type Scope } from "../../src/server/access/principal.ts";
import { tidyOnce } from "../../src/server/access/tidying.ts";
import { makeApp } from "../../src/server/app.ts";
import { WriteBrake } from "../../src/server/http/write-brake.ts";
import { type AppWorld, type Asked, openAppWorld, PASSWORD } from "../support/app-world.ts";

const OTHER = "another long password";
const films = definePipeline("films", { version: 1, input: z.object({}) }).stage("find", { run: () => done() });
let world: AppWorld;
const api = (at: string, asked?: Asked) => world.ask(`/api/v1${at}`, asked);

beforeAll(async () => {
  world = await openAppWorld([films]);
});
afterAll(() => world.close());

/** A browser of its own, which keeps the cookie it was last given. */
async function browser(name: string, password = PASSWORD) {
  let cookie = "";
  const keep = <Answer extends { readonly headers: Headers }>(answer: Answer): Answer => {
    cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return answer;
  };
  const headers = (extra = {}) => ({ ...(cookie === "" ? {} : { cookie }), ...extra });
  const asked = async (at: string, one: Asked = {}) => keep(await api(at, { ...one, headers: headers(one.headers) }));
  const entered = await asked("/session", {
    method: "POST",
    body: { name, password },
    headers: { "user-agent": "Test/1" },
  });
  return { entered, asked, cookie: () => cookie };
}

describe("accounts", () => {
  it("get what was handed in for their name before only where that is said", async () => {
    const submission = { pipeline: "films", inputs: [{}], owner: "webhook" };
    const handed = await api("/requests", { method: "POST", as: "admin", body: submission });
    expect(handed.status).toBe(201);
    const body = { name: "webhook", role: "member", password: PASSWORD };
    const refused = await api("/accounts", { method: "POST", as: "admin", body });
    expect(refused.json).toMatchObject({ status: 409, code: "CONFLICT", field: "name" });
    const told = await api("/accounts", { method: "POST", as: "admin", body: { ...body, inherit: true } });
    expect(told.status).toBe(200);
    const theirs = await (await browser("webhook")).asked(`/requests/${handed.json.request}`);
    expect(theirs.status).toBe(200);
  });

  it("are added, listed, changed and shut out by admins", async () => {
    const body = { name: "eve", role: "member", password: PASSWORD };
    expect((await api("/accounts", { method: "POST", as: "admin", body })).json).toEqual({ ok: true, would: null });
    expect((await api("/accounts", { method: "POST", as: "admin", body })).json).toMatchObject({ code: "CONFLICT" });
    const weak = { ...body, name: "eva", password: "short" };
    expect((await api("/accounts", { method: "POST", as: "admin", body: weak })).json.field).toBe("password");
    const eve = await browser("eve");
    const patch = (change: unknown) => api("/accounts/eve", { method: "PATCH", as: "admin", body: change });
    expect((await patch({})).status).toBe(400);
    expect((await patch({ role: "viewer" })).status).toBe(200);
    expect((await eve.asked("/me")).json.role).toBe("viewer");
    expect((await patch({ disabled: true })).status).toBe(200);
    expect((await eve.asked("/me")).status).toBe(401);
    const { json, text } = await api("/accounts", { as: "admin" });
    const row = json.entries.find((one: { name: string }) => one.name === "eve");
    expect(row).toMatchObject({ role: "viewer", disabledAt: "2030-01-01T00:00:00.000Z" });
    expect(text).not.toMatch(/scrypt|password/);
    const nobody = await api("/accounts/nobody", { method: "PATCH", as: "admin", body: { role: "admin" } });
    expect(nobody.json).toMatchObject({ status: 404, field: "name" });
    const last = await api("/accounts/ann", { method: "PATCH", as: "admin", body: { role: "member" } });
    expect(last.json.detail).toMatch(/last admin/);
  });

  it("change their own password with the old one, and all their other sessions end", async () => {
    const [here, there] = [await browser("mo"), await browser("mo")];
    const change = (old: string, password: string) =>
      here.asked("/me/password", { method: "PUT", body: { old, password } });
    expect((await change("not the old one", OTHER)).json).toMatchObject({ status: 400, field: "old" });
    expect((await change(PASSWORD, "short")).json).toMatchObject({ status: 400, field: "password" });
    expect((await there.asked("/me")).status).toBe(200);
    expect((await change(PASSWORD, OTHER)).status).toBe(200);
    expect([(await here.asked("/me")).status, (await there.asked("/me")).status]).toEqual([200, 401]);
    expect((await browser("mo")).entered.status).toBe(401);
    expect((await browser("mo", OTHER)).entered.status).toBe(200);
  });
});

describe("sessions", () => {
  it("are listed with where they are from, and end one by one or all but this", async () => {
    const [here, one, two] = [await browser("mia"), await browser("mia"), await browser("mia")];
    const { entries } = (await here.asked("/sessions")).json;
    expect(entries.filter((session: { isThis: boolean }) => session.isThis)).toMatchObject([{ agent: "Test/1" }]);
    const ofOne = (await one.asked("/sessions")).json.entries.find((session: { isThis: boolean }) => session.isThis);
    // Another's is as unknown as none.
    expect((await api(`/sessions/${ofOne.id}`, { method: "DELETE", as: "admin" })).status).toBe(404);
    expect((await here.asked(`/sessions/${ofOne.id}`, { method: "DELETE" })).status).toBe(200);
    expect([(await one.asked("/me")).status, (await two.asked("/me")).status]).toEqual([401, 200]);
    expect((await here.asked("/sessions", { method: "DELETE" })).json.ended).toBeGreaterThanOrEqual(1);
    expect([(await here.asked("/me")).status, (await two.asked("/me")).status]).toEqual([200, 401]);
  });

  it("that are shown without a cookie are the one it is asked with, too", async () => {
    const mia = await browser("mia");
    const headers = { authorization: `Bearer ${mia.cookie().split("=")[1]}` };
    await api("/sessions", { method: "DELETE", headers });
    expect((await api("/sessions", { headers })).json.entries).toMatchObject([{ isThis: true }]);
  });

  it("that are left for another end", async () => {
    const vic = await browser("vic");
    const before = vic.cookie();
    await vic.asked("/session", { method: "POST", body: { name: "vic", password: PASSWORD } });
    expect(vic.cookie()).not.toBe(before);
    await vic.asked("/session", { method: "DELETE" });
    expect((await vic.asked("/me")).status).toBe(401);
    const ended = await (await browser("ann")).asked("/audit?actor=vic&action=session.end");
    expect(ended.json.entries).toMatchObject([{ subject: "vic" }]);
    expect((await api("/me", { headers: { cookie: before } })).status).toBe(401);
  });

  it("get a new token after a day; requests that are on their way with the old one lose nothing", async () => {
    const vic = await browser("vic");
    const old = vic.cookie();
    await world.t.advance("25h");
    const burst = await Promise.all([1, 2, 3, 4, 5].map(() => api("/me", { headers: { cookie: old } })));
    expect(burst.map((one) => one.status)).toEqual([200, 200, 200, 200, 200]);
    const given = burst.flatMap((one) => one.headers.get("set-cookie") ?? []);
    expect(given).toHaveLength(1);
    expect(given[0]).toMatch(/^sluice_test=sls_.*HttpOnly.*SameSite=Strict/);
    const renewed = { cookie: given[0]?.split(";")[0] ?? "" };
    expect((await api("/me", { headers: renewed })).status).toBe(200);
    await world.t.advance("59s");
    expect((await api("/me", { headers: { cookie: old } })).status).toBe(200);
    await world.t.advance("2s");
    expect((await api("/me", { headers: { cookie: old } })).status).toBe(401);
    expect((await api("/me", { headers: renewed })).status).toBe(200);
  });

  it("whose new token never arrived get another", async () => {
    const vic = await browser("vic");
    const old = { cookie: vic.cookie() };
    await world.t.advance("25h");
    const lost = (await api("/me", { headers: old })).headers.get("set-cookie")?.split(";")[0] ?? "";
    await world.t.advance("10m");
    const again = await api("/me", { headers: old });
    expect([again.status, again.headers.get("set-cookie")]).toEqual([200, expect.stringMatching(/^sluice_test=sls_/)]);
    expect((await api("/me", { headers: { cookie: lost } })).status).toBe(401);
  });
});

describe("keys", () => {
  it("are shown once, listed without themselves, and revoked by their owner or an admin", async () => {
    const mia = await browser("mia");
    const made = await mia.asked("/keys", { method: "POST", body: { name: "cron", scopes: ["read"], days: 7 } });
    expect(made.json).toMatchObject({
      name: "cron",
      account: "mia",
      scopes: ["read"],
      key: expect.stringMatching(/^slk_/),
    });
    expect(Date.parse(made.json.expiresAt) - Date.parse(made.json.createdAt)).toBe(7 * 86_400_000);
    const listed = await mia.asked("/keys");
    expect(listed.text).not.toContain("slk_");
    expect(listed.json.entries).toMatchObject([{ name: "cron", revokedAt: null }]);
    const vic = await browser("vic");
    expect((await vic.asked("/keys")).json.entries).toEqual([]);
    expect((await vic.asked(`/keys/${made.json.id}`, { method: "DELETE" })).status).toBe(404);
    const headers = { authorization: `Bearer ${made.json.key}` };
    expect((await api("/me", { headers })).status).toBe(200);
    expect((await mia.asked(`/keys/${made.json.id}`, { method: "DELETE" })).status).toBe(200);
    expect((await api("/me", { headers })).status).toBe(401);
    expect((await mia.asked("/keys", { method: "POST", body: { name: "more", scopes: ["admin"] } })).json.code).toBe(
      "FORBIDDEN",
    );
    expect((await mia.asked("/keys", { method: "POST", body: { name: "none", scopes: [] } })).json.field).toBe(
      "scopes",
    );
    expect(
      (await mia.asked("/keys", { method: "POST", body: { name: "x", scopes: ["read"], days: 0 } })).json.field,
    ).toBe("days");
  });

  it.each(SCOPES.map((scope) => [scope]))(
    "with %s come in where that is asked for, and nowhere else",
    async (scope: Scope) => {
      const ann: Principal = { user: "ann", role: "admin", via: "session", scopes: null };
      const { key } = await world.access.makeKey(ann, { name: `only ${scope}`, scopes: [scope] }, "here");
      for (const { method, path, policy } of world.server.policies) {
        if (policy === "open") continue;
        const at = path.replaceAll(/\{[^}]+\}/g, "none");
        const { status } = await world.ask(at, { method, headers: { authorization: `Bearer ${key}` } });
        expect(status === 403, `${method} ${path}: ${status}`).toBe(policy !== scope);
        expect(status, `${method} ${path}`).not.toBe(401);
      }
    },
  );
});

describe("the audit", () => {
  it("has a row for each change, by whom and from where, is paged and filtered, and holds no secret", async () => {
    const ann = await browser("ann");
    const { json } = await ann.asked("/audit?limit=2");
    expect(json.entries).toHaveLength(2);
    const older = (await ann.asked(`/audit?limit=2&after=${json.next}`)).json.entries;
    expect(Number(older[0].id)).toBeLessThan(Number(json.entries[1].id));
    expect((await ann.asked("/audit?after=x")).json.field).toBe("after");
    const ofMo = (await ann.asked("/audit?actor=mo&action=account.password")).json;
    expect(ofMo).toMatchObject({ entries: [{ actor: "mo", address: "unknown", subject: "mo" }], next: null });
    // Full, and nothing behind it: there is no next one to be found empty.
    expect((await ann.asked("/audit?actor=mo&action=account.password&limit=1")).json.next).toBeNull();
    const all = (await ann.asked("/audit?limit=200")).text;
    for (const secret of [PASSWORD, OTHER, "sls_", "slk_", "scrypt"]) expect(all).not.toContain(secret);
  });
});

describe("too much at once", () => {
  it("is refused with a time, for changes and each account by itself", async () => {
    const writes = new WriteBrake(() => 0, { most: 2, perSecond: 1 });
    const { app } = makeApp({ ...world.ports, writes });
    const { cookie } = await browser("ann").then((ann) => ({ cookie: ann.cookie() }));
    const ask = (method: string) =>
      app.request("/api/v1/sessions/none", {
        method,
        headers: { host: "localhost", origin: "http://localhost", cookie },
      });
    expect([(await ask("DELETE")).status, (await ask("DELETE")).status]).toEqual([404, 404]);
    const refused = await ask("DELETE");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await app.request("/api/v1/me", { headers: { host: "localhost", cookie } })).status).toBe(200);
  });
});

describe("a server that nobody sits in front of", () => {
  it("has its admin made once; a password that was changed since stays", async () => {
    const given = { name: "root", password: PASSWORD };
    expect(await ensureAdmin(world.access, given)).toBe("made");
    await world.access.changeAccount("root", "root", { password: OTHER }, null);
    expect(await ensureAdmin(world.access, given)).toBe("there");
    expect((await browser("root")).entered.status).toBe(401);
    expect((await browser("root", OTHER)).entered.status).toBe(200);
    await expect(ensureAdmin(world.access, { name: "weak", password: "short" })).rejects.toThrow(/^password: /);
  });
});

describe("what is over", () => {
  const count = async (table: string, where = "true") => {
    const text = `select count(*)::int as n from sluice_server.${table} where ${where}`;
    return (await world.t.db.query<{ n: number }>({ name: `count-${table}-${where}`, text }, []))[0]?.n ?? 0;
  };
  const ann: Principal = { user: "ann", role: "admin", via: "session", scopes: null };

  it("is removed by one server of several: sessions, keys, and the audit when the engine's own would go", async () => {
    const { sluice } = world.t;
    const ports = (holder: string) => ({ sluice, holder });
    await world.access.makeKey(ann, { name: "for a day", scopes: ["read"], lastsMs: 86_400_000 }, "here");
    await world.access.makeKey(ann, { name: "for ever", scopes: ["read"] }, "here");
    expect([await tidyOnce(ports("a")), await tidyOnce(ports("b")), await tidyOnce(ports("a"))]).toEqual([
      true,
      false,
      true,
    ]);
    expect(await count("session")).toBeGreaterThan(0);
    await world.t.advance("8d");
    const [keys, audit] = [await count("api_key"), await count("audit")];
    await tidyOnce(ports("b"));
    expect([await count("session"), await count("api_key"), await count("audit")]).toEqual([0, keys, audit]);
    await world.t.advance("100d");
    await tidyOnce(ports("b"));
    expect(await count("api_key")).toBeLessThan(keys);
    expect(await count("api_key", "name = 'for ever'")).toBe(1);
    expect(await count("api_key", "revoked_at is not null or expires_at is not null")).toBe(0);
    expect(await count("audit")).toBe(audit);
    await world.t.advance("700d");
    await tidyOnce(ports("b"));
    expect(await count("audit")).toBe(0);
  });
});
