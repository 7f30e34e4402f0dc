// Alerts and channels through the API: who may, what is kept secret, what is sent and what of that can be looked up.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, service } from "../../src/engine/index.ts";
import { systemClock } from "../../src/kit/index.ts";
import { Alerts } from "../../src/server/alerts/alerts.ts";
import { makeApp } from "../../src/server/app.ts";
import { newKeyText, readKeys } from "../../src/server/secrets/seal.ts";
import { Secrets } from "../../src/server/secrets/secrets.ts";
import { serveSluice } from "../../src/server/serve.ts";
import { type Answered, type AppWorld, type Asked, openAppWorld } from "../support/app-world.ts";
import { closeServers } from "../support/loopback.ts";
import { isSignedWith, type Receiver, startReceiver } from "../support/receiver.ts";

const far = definePipeline("far", { version: 1, input: z.object({}) }).stage("call", {
  uses: service("far"),
  run: () => done(),
});

let world: AppWorld;
let hook: Receiver;
const answered: string[] = [];
beforeAll(async () => {
  world = await openAppWorld([far]);
  hook = await startReceiver();
});
afterAll(async () => {
  await world.close();
  closeServers();
});

async function ask(path: string, asked: Asked = {}): Promise<Answered> {
  const answer = await world.ask(path, { as: "admin", ...asked });
  answered.push(answer.text);
  return answer;
}
const post = (path: string, body?: unknown, as?: Asked["as"]) =>
  ask(path, { method: "POST", ...(body === undefined ? {} : { body }), ...(as === undefined ? {} : { as }) });

/** Time passes for the alerts of the world, a minute at a time. */
async function pass(minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 1) {
    await world.t.advance("1m");
    await world.ports.alerts.round();
    await world.ports.alerts.deliver();
  }
}

const TOKENS = ["tk_planted-of-ntfy", "planted-token-of-discord", "planted-path-of-the-webhook"];
const made: string[] = [];

describe("channels", () => {
  it("are added, and say where they lead and nothing else", async () => {
    const added = await post("/api/v1/channels", {
      name: "hook",
      type: "webhook",
      url: `${hook.url}/planted-path-of-the-webhook`,
    });
    expect(added.json).toMatchObject({
      name: "hook",
      type: "webhook",
      host: new URL(hook.url).host,
      on: true,
      problem: null,
    });
    expect(added.json.secret).toMatch(/^whsec_/);
    made.push(added.json.secret);
    // Shown this once.
    answered.pop();
    const ntfy = { name: "phone", type: "ntfy", url: `${hook.url}/topic`, token: TOKENS[0] };
    expect((await post("/api/v1/channels", ntfy)).json.secret).toBeNull();
    const discord = { name: "chat", type: "discord", url: `${hook.url}/api/webhooks/1/planted-token-of-discord` };
    expect((await post("/api/v1/channels", discord)).status).toBe(200);
    const { json } = await ask("/api/v1/channels");
    expect(json.entries.map(({ name }: { name: string }) => name)).toEqual(["hook", "phone", "chat"]);
  });

  it("whose secret was made here is not kept in clear for whoever asks again with the same key", async () => {
    const body = { name: "once", type: "webhook", url: `${hook.url}/x` };
    const headers = { "idempotency-key": "channel-once" };
    const { json } = await ask("/api/v1/channels", { method: "POST", body, headers });
    expect(json.secret).toMatch(/^whsec_/);
    // Shown this once.
    answered.pop();
    const statement = { name: "test-kept", text: "select i::text as row from sluice_server.idempotency i" };
    const kept = await world.t.db.query<{ row: string }>(statement, []);
    expect(kept).toHaveLength(1);
    expect(kept[0]?.row).not.toContain("whsec_");
    expect((await ask("/api/v1/channels", { method: "POST", body, headers })).text).not.toContain("whsec_");
    await ask(`/api/v1/channels/${json.id}`, { method: "DELETE" });
  });

  it("are refused with a sentence", async () => {
    const url = `${hook.url}/x`;
    const refused = async (body: unknown, field: string) =>
      expect((await post("/api/v1/channels", body)).json).toMatchObject({ code: "INVALID_INPUT", field });
    await refused({ name: "x", type: "email", url }, "type");
    await refused({ name: "", type: "ntfy", url }, "name");
    await refused({ name: "x", type: "ntfy", url: "http://169.254.169.254/topic" }, "url");
    await refused({ name: "x", type: "webhook", url, secret: "planted-and-short" }, "secret");
    await refused({ name: "x", type: "ntfy", url, extra: 1 }, "json");
    expect((await post("/api/v1/channels", { name: "hook", type: "discord", url })).json).toMatchObject({
      code: "CONFLICT",
    });
    expect((await post("/api/v1/channels/999/test")).status).toBe(404);
    expect((await post("/api/v1/channels/nonsense/test")).status).toBe(404);
  });

  it("a dry run checks everything and keeps nothing", async () => {
    const body = { name: "dry", type: "webhook", url: `${hook.url}/x` };
    expect((await post("/api/v1/channels?dryRun=true", body)).json).toMatchObject({ name: "dry", secret: null });
    expect((await ask("/api/v1/channels/1?dryRun=true", { method: "DELETE" })).json).toEqual({
      ok: true,
      would: "Would remove channel hook.",
    });
    expect((await ask("/api/v1/channels/1?dryRun=true", { method: "PATCH", body: { on: false } })).json.on).toBe(false);
    const { json } = await ask("/api/v1/channels");
    expect(json.entries).toHaveLength(3);
    expect(json.entries.every(({ on }: { on: boolean }) => on)).toBe(true);
  });

  it("are tried out, and the answer is what came of it", async () => {
    expect((await post("/api/v1/channels/1/test")).json).toMatchObject({ ok: true, status: 204, code: null });
    expect(hook.received.at(-1)?.json).toMatchObject({ type: "alert.test" });
    expect(isSignedWith(made[0] ?? "", hook.received.at(-1) as never)).toBe(true);
    hook.answer = (response, { path, headers }) =>
      void response.writeHead(403).end(`no ${path} with ${headers.authorization}`);
    expect((await post("/api/v1/channels/2/test")).json).toMatchObject({ ok: false, status: 403, code: "AUTH" });
    expect((await post("/api/v1/channels/3/test")).json).toMatchObject({ ok: false, status: 403 });
    hook.answer = (response) => void response.writeHead(204).end();
    const { json } = await ask("/api/v1/deliveries?limit=2");
    expect(json.entries[0]).toMatchObject({ kind: "test", channel: "chat", state: "given-up", status: 403, tries: 1 });
    expect((await ask(`/api/v1/deliveries?after=${json.next}`)).json.entries).toMatchObject([
      { channel: "hook", state: "sent" },
    ]);
    expect((await ask("/api/v1/deliveries?after=nonsense")).json.field).toBe("after");
  });

  it("are changed, and what is left out stays", async () => {
    const change = (body: unknown) => ask("/api/v1/channels/2", { method: "PATCH", body });
    expect((await change({ name: "pager", url: `${hook.url}/other` })).json).toMatchObject({ name: "pager", on: true });
    await post("/api/v1/channels/2/test");
    expect(hook.received.at(-1)).toMatchObject({ path: "/other", headers: { authorization: `Bearer ${TOKENS[0]}` } });
    expect((await change({ name: "hook" })).json.code).toBe("CONFLICT");
    expect((await change({ secret: "x" })).json.field).toBe("secret");
  });
});

describe("rules", () => {
  it("are listed with what can be set, and set within bounds", async () => {
    const { json } = await ask("/api/v1/alert-rules");
    expect(json.entries).toHaveLength(12);
    expect(json.entries.find(({ rule }: { rule: string }) => rule === "idle")).toMatchObject({
      on: true,
      values: [{ name: "forSeconds", value: 300, default: 300, lowest: 60, highest: 900, unit: "s" }],
    });
    const put = (rule: string, body: unknown, query = "") =>
      ask(`/api/v1/alert-rules/${rule}${query}`, { method: "PUT", body });
    expect((await put("idle", { values: { forSeconds: 120 } }, "?dryRun=true")).json.values[0].value).toBe(120);
    expect((await put("stuck", { on: false })).json.on).toBe(false);
    const after = (await ask("/api/v1/alert-rules")).json.entries;
    expect(after.map(({ on, values }: { on: boolean; values: { value: number }[] }) => [on, values[0]?.value])).toEqual(
      [
        [false, 3_600],
        [true, undefined],
        [true, 10],
        [true, 300],
        [true, 50],
        [true, 300],
        [true, 300],
        [true, 1],
        [true, 120],
        [true, 5],
        [true, undefined],
        [true, 600],
      ],
    );
    expect((await put("idle", { values: { forSeconds: 1 } })).json).toMatchObject({ field: "values.forSeconds" });
    expect((await put("idle", { channels: ["99"] })).json.detail).toBe("there is no channel 99");
    expect((await put("nonsense", {})).json.detail).toMatch(/there are stuck, unavailable, error-rate/);
  });
});

describe("alerts", () => {
  it("are told on all channels, listed, and plain to members", async () => {
    await world.t.submit(far, [{}], { owner: "mo" });
    hook.received.length = 0;
    await pass(8);
    expect(hook.received.map(({ method }) => method)).toEqual(["POST", "POST", "POST"]);
    const { json } = await ask("/api/v1/alerts");
    expect(json.entries).toMatchObject([
      { id: "1", rule: "idle", state: "open", title: "No worker for far", count: 1 },
    ]);
    expect(json.entries[0].examples[0]).toMatch(/^itm_/);
    const plain = await ask("/api/v1/alerts", { as: "mia" });
    expect(plain.json.entries).toMatchObject([
      { title: "No worker for far", sentence: null, count: null, examples: [] },
    ]);
    expect(plain.text).not.toContain("itm_");
    expect((await ask("/api/v1/alerts?state=resolved")).json.entries).toEqual([]);
  });

  it("are snoozed until a time", async () => {
    const snooze = (until: unknown, query = "") => post(`/api/v1/alerts/1/snooze${query}`, { until });
    const until = new Date(world.t.now().getTime() + 7_200_000).toISOString();
    expect((await snooze(until, "?dryRun=true")).json.snoozedUntil).toBe(until);
    expect((await ask("/api/v1/alerts")).json.entries[0].snoozedUntil).toBeNull();
    expect((await snooze(until)).json.snoozedUntil).toBe(until);
    expect((await snooze("2029-01-01T00:00:00.000Z")).json.field).toBe("until");
    expect((await post("/api/v1/alerts/9/snooze", { until })).status).toBe(404);
    hook.received.length = 0;
    await world.t.advance("90m");
    await pass(1);
    expect(hook.received).toEqual([]);
    await world.t.advance("30m");
    await pass(1);
    expect(hook.received[0]?.json.type).toBe("alert.reminder");
  });

  it("are sent once more by hand, under the same id", async () => {
    const { json } = await ask("/api/v1/deliveries?channel=1");
    const first = json.entries.find(({ kind }: { kind: string }) => kind === "opened");
    expect((await post(`/api/v1/deliveries/${first.id}/redeliver?dryRun=true`)).json).toEqual({
      ok: true,
      would: "Would send it once more.",
    });
    hook.received.length = 0;
    await pass(1);
    expect(hook.received).toEqual([]);
    expect((await post(`/api/v1/deliveries/${first.id}/redeliver`)).json).toEqual({ ok: true, would: null });
    await pass(1);
    expect(hook.received.map(({ headers }) => headers["webhook-id"])).toEqual([first.messageId]);
    expect((await post("/api/v1/deliveries/12345/redeliver")).status).toBe(404);
  });

  it("what a channel that is off was to tell is given up, and it is left alone", async () => {
    await ask("/api/v1/channels/2", { method: "PATCH", body: { on: false } });
    const { entries } = await world.t.sluice.items({ pipeline: "far" });
    await world.t.cancel(entries[0]?.id as never);
    hook.received.length = 0;
    await pass(3);
    expect(hook.received.map(({ path }) => path)).toHaveLength(2);
    expect((await ask("/api/v1/alerts?state=resolved")).json.entries).toMatchObject([{ id: "1", state: "resolved" }]);
    expect((await ask("/api/v1/alerts")).json.entries).toEqual([]);
  });
});

describe("what is secret", () => {
  const TABLES = {
    name: "test-tables",
    text: `
select (select jsonb_agg(to_jsonb(d)) from sluice_server.delivery d)::text || (select jsonb_agg(to_jsonb(c)) from sluice_server.channel c)::text
  || (select jsonb_agg(to_jsonb(a)) from sluice_server.audit a)::text || (select jsonb_agg(to_jsonb(s)) from sluice_server.secret s)::text
  || (select jsonb_agg(to_jsonb(s)) from sluice_server.setting s)::text as everything`,
  };

  it("is in no answer, no log, no audit, and in no table but sealed", async () => {
    const [row] = await world.t.db.query<{ everything: string }>(TABLES, []);
    const all = [row?.everything, ...answered, ...world.logged].join("\n");
    expect(all).toContain("channel.add");
    expect(all).toContain('"key_id"');
    for (const secret of [...TOKENS, ...made, "planted-and-short"])
      expect(all.split(secret).length - 1, secret).toBe(0);
  });

  it("stays closed to a server with another key, which says so and goes on", async () => {
    const { sluice, log } = world.ports;
    const alertsWith = (keys: string) =>
      new Alerts({
        sluice,
        log,
        clock: systemClock,
        wallMs: Date.now,
        holder: "test",
        keyring: keys === "" ? [] : readKeys(keys),
      });
    const other = makeApp({ ...world.ports, alerts: alertsWith(newKeyText()) });
    const headers = { host: "localhost:3000", origin: "http://localhost:3000", cookie: world.cookieOf("admin") };
    const listed = JSON.parse(await (await other.app.request("/api/v1/channels", { headers })).text());
    expect(listed.entries[0].problem).toMatch(
      /^the secret of channel\/1 was sealed with key [0-9a-f]{8}, and this server has/,
    );
    const tried = await (await other.app.request("/api/v1/channels/1/test", { method: "POST", headers })).json();
    expect(tried).toMatchObject({ ok: false, code: "SECRET_KEY" });
    const keyless = makeApp({ ...world.ports, alerts: alertsWith("") });
    const body = JSON.stringify({ name: "new", type: "discord", url: `${hook.url}/x` });
    const refused = await keyless.app.request("/api/v1/channels", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    expect([refused.status, JSON.parse(await refused.text()).detail]).toEqual([
      409,
      expect.stringMatching(/^there is no key to keep secrets with/),
    ]);
  });

  it("is sealed anew when a new key stands in front, and then the old one may go", async () => {
    const { tables } = world.t.sluice;
    const [old, next] = [newKeyText(), newKeyText()];
    await new Secrets(tables, readKeys(old)).put(tables, "rotated", "word");
    const both = new Secrets(tables, readKeys(`${next} ${old}`));
    // Those of the channels are sealed with a key that nobody here has.
    expect(await both.reseal()).toEqual({ resealed: 1, unreadable: ["channel/1", "channel/2", "channel/3"] });
    expect((await both.reseal()).resealed).toBe(0);
    expect(await new Secrets(tables, readKeys(next)).get("rotated")).toBe("word");
    await expect(new Secrets(tables, readKeys(old)).get("rotated")).rejects.toThrow(/was sealed with key/);
  });

  it("is sealed anew by a server that starts", async () => {
    const { sluice, log } = world.ports;
    const [old, next] = [newKeyText(), newKeyText()];
    await new Secrets(sluice.tables, readKeys(old)).put(sluice.tables, "rotated", "word");
    const keyring = readKeys(`${next} ${old}`);
    const served = await serveSluice({ sluice, log, keyring, host: "127.0.0.1", port: 0, hosts: [], version: "0" });
    await served.close();
    expect(await new Secrets(sluice.tables, readKeys(next)).get("rotated")).toBe("word");
    expect(world.logged.join("\n")).toContain("secrets.resealed");
  });

  it("goes with its channel", async () => {
    expect((await ask("/api/v1/channels/1", { method: "DELETE" })).json).toEqual({ ok: true, would: null });
    await expect(new Secrets(world.t.sluice.tables, []).get("channel/1")).rejects.toThrow("is not there; set it again");
    expect((await ask("/api/v1/deliveries?channel=1")).json.entries).toEqual([]);
  });
});
