// Dry runs of what is done to accounts, keys, sessions, passwords and channels: told, not done, and refused for what the deed is
// refused for. That each route has one that changes nothing is seen in contract.test.ts.

import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done } from "../../src/engine/index.ts";
import { makeApp } from "../../src/server/app.ts";
import { type AppWorld, type Asked, openAppWorld, PASSWORD } from "../support/app-world.ts";
import { closeServers } from "../support/loopback.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const OTHER = "another long password";
const films = definePipeline("films", { version: 1, input: z.object({}) }).stage("find", { run: () => done() });
let world: AppWorld;
let hook: Receiver;
beforeAll(async () => {
  world = await openAppWorld([films]);
  hook = await startReceiver();
});
afterAll(async () => {
  await world.close();
  closeServers();
});

const api = (at: string, asked?: Asked) => world.ask(`/api/v1${at}`, { as: "admin", ...asked });
const dry = (method: string, at: string, body?: unknown, as: Asked["as"] = "admin") =>
  api(`${at}?dryRun=true`, { method, as, body });

it("says what would be done to accounts, keys and sessions", async () => {
  const account = { name: "zoe", role: "member", password: PASSWORD };
  expect((await dry("POST", "/accounts", account)).json).toEqual({ ok: true, would: "Would add zoe as member." });
  expect((await dry("PATCH", "/accounts/vic", { role: "member", disabled: true })).json.would).toBe(
    "Would change role and disabled of vic; all of its sessions would end.",
  );
  await world.access.logIn("vic", PASSWORD, "elsewhere");
  const ended = await dry("DELETE", "/sessions", undefined, "vic");
  expect(ended.json).toEqual({ ok: true, ended: 0, would: "Would end 1 session." });
  expect((await dry("POST", "/keys", { name: "try", scopes: ["read"] })).json).toMatchObject({
    name: "try",
    key: null,
  });
  expect((await api("/accounts")).text).not.toContain("zoe");
  expect((await api("/keys")).text).not.toContain('"try"');
  expect((await api("/sessions", { as: "vic" })).json.entries).toHaveLength(2);
  expect((await api("/audit")).text).not.toMatch(/zoe|"key.make"/);
});

it("is refused for what the deed is refused for", async () => {
  const taken = { name: "mia", role: "member", password: PASSWORD };
  expect((await dry("POST", "/accounts", taken)).json.code).toBe("CONFLICT");
  expect((await dry("POST", "/accounts", { ...taken, name: "zoe", password: "short" })).json.field).toBe("password");
  expect((await dry("PATCH", "/accounts/ann", { role: "viewer" })).json.detail).toMatch(/last admin/);
  expect((await dry("POST", "/keys", { name: "mighty", scopes: ["admin"] }, "vic")).json.code).toBe("FORBIDDEN");
  expect((await dry("DELETE", "/keys/999")).json.code).toBe("NOT_FOUND");
  expect((await dry("POST", "/accounts", taken, "mia")).status).toBe(403);
});

it("of a channel's test sends nothing, and knows whether there is anything to send it with", async () => {
  const body = { name: "hook", type: "webhook", url: `${hook.url}/x` };
  const { id } = (await api("/channels", { method: "POST", body })).json;
  const { json } = await dry("POST", `/channels/${id}/test`);
  expect(json).toMatchObject({
    ok: true,
    status: null,
    would: expect.stringMatching(/^Would send a test message by hook/),
  });
  expect([hook.received.length, (await api("/deliveries")).json.entries]).toEqual([0, []]);
  // Whose secrets are sealed with a key that this server does not have.
  const { Alerts } = await import("../../src/server/alerts/alerts.ts");
  const { sluice, log } = world.ports;
  const clock = { monotonic: () => 0, sleep: async () => {} };
  const alerts = new Alerts({ sluice, log, clock, wallMs: Date.now, holder: "keyless", keyring: [] });
  const keyless = makeApp({ ...world.ports, alerts });
  const headers = { host: "localhost", origin: "http://localhost", cookie: world.cookieOf("admin") };
  const answer = await keyless.app.request(`/api/v1/channels/${id}/test?dryRun=1`, { method: "POST", headers });
  expect(await answer.json()).toMatchObject({
    ok: false,
    code: "SECRET_KEY",
    would: "Would not get as far as sending.",
  });
});

it("of a password is no place to guess at the old one", async () => {
  // One at a time: whoever knows the password is not braked, and each look at one is a lot of work.
  const both = [1, 2].map(() => dry("PUT", "/me/password", { old: PASSWORD, password: OTHER }, "mo"));
  expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([200, 429]);
  const changed = await dry("PUT", "/me/password", { old: PASSWORD, password: OTHER }, "mo");
  expect(changed.json.would).toBe("Would change your password, and end all of your other sessions.");
  const statuses = [];
  for (let tries = 0; tries < 6; tries += 1)
    statuses.push((await dry("PUT", "/me/password", { old: "not this one", password: OTHER }, "vic")).status);
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  // Whoever was braked there is braked at the door.
  const entered = await world.ask("/api/v1/session", { method: "POST", body: { name: "vic", password: PASSWORD } });
  expect(entered.status).toBe(429);
});
