// The live feed through sockets, on a real database: complete, in order, and for nobody else's eyes.

import { once } from "node:events";
import http from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, openSluice, type Sluice } from "../../src/engine/index.ts";
import { silentLogger } from "../../src/kit/index.ts";
import { Access } from "../../src/server/access/access.ts";
import type { Principal } from "../../src/server/access/principal.ts";
import { jobProgress } from "../../src/server/contract/events.ts";
import { openDoor } from "../../src/server/door.ts";
import { Live, type LiveOptions } from "../../src/server/feed/live.ts";
import { type Answer, takeUpgrades, type Upgrade } from "../../src/server/feed/upgrade.ts";
import { talk } from "../../src/server/feed/web-socket.ts";
import { type Served, serveSluice } from "../../src/server/serve.ts";
import { type Envelope, SocketClient, SseClient } from "../support/feed-client.ts";
import { startServer, type TestServer } from "../support/server.ts";

const PASSWORD = "correct horse battery";
const input = z.object({ title: z.string() });
const films = definePipeline("films", { version: 1, input })
  .stage("find", { run: () => done({ secret: "hunter2" }) })
  .stage("encode", { run: () => done() });
/** Gets on until the test lets it go. */
let release: PromiseWithResolvers<void> = Promise.withResolvers();
let report: (percent: number) => void = () => {};
const slow = definePipeline("slow", { version: 1, input }).stage("encode", {
  run: async (visit) => {
    report = (percent) => visit.progress(percent);
    visit.progress(10);
    await release.promise;
    return done();
  },
});

let database: TestServer;
let sluice: Sluice;
let access: Access;
let served: Served;
const servers: Served[] = [];
const open: { close(): void }[] = [];

beforeAll(async () => {
  database = await startServer();
  sluice = await openSluice({ pipelines: [films, slow], database: database.url(), worker: { grace: "1s" } });
  served = await serve({ heartbeatMs: 100, recheckMs: 100, progressMs: 50 });
  access = new Access({ tables: sluice.tables, now: () => 0 });
  await access.setUp((await access.offerSetup()) ?? "", "ann", PASSWORD, "here");
  for (const [name, role] of [
    ["mia", "member"],
    ["mo", "member"],
    ["vic", "viewer"],
  ] as const)
    await access.addAccount("ann", { name, role, password: PASSWORD }, "here");
});
afterAll(async () => {
  release.resolve();
  for (const one of open) one.close();
  for (const one of servers) await one.close();
  await sluice?.close();
  await database?.stop();
});

async function serve(live: LiveOptions): Promise<Served> {
  const one = await serveSluice({
    sluice,
    host: "127.0.0.1",
    port: 0,
    hosts: [],
    log: silentLogger,
    version: "0",
    live,
  });
  servers.push(one);
  return one;
}

/** Signing in takes a while on purpose, so everybody does it once. */
const tokens = new Map<string, string>();

async function cookieOf(name: string, at = served): Promise<string> {
  const token = tokens.get(name) ?? (await access.logIn(name, PASSWORD, "here"));
  tokens.set(name, token);
  return `sluice_${new URL(at.url).port}=${token}`;
}

async function listen(name: string, path = "/api/v1/events", headers: Record<string, string> = {}, at = served) {
  const client = await SseClient.open(`${at.url}${path}`, { cookie: await cookieOf(name, at), ...headers });
  open.push(client);
  return client;
}

async function connect(headers: Record<string, string>, path = "/api/v1/ws", at = served) {
  const client = await SocketClient.open(`${at.url}${path}`, headers);
  if (typeof client !== "number") open.push({ close: () => client.socket.terminate() });
  return client;
}

/** As a page of ours connects. */
async function socketOf(name: string, path?: string, at = served): Promise<SocketClient> {
  const client = await connect({ cookie: await cookieOf(name, at), origin: at.url }, path, at);
  if (typeof client === "number") throw new Error(`refused with ${client}`);
  return client;
}

async function page(name: string, query: string) {
  const answer = await fetch(`${served.url}/api/v1/events?${query}`, { headers: { cookie: await cookieOf(name) } });
  return {
    status: answer.status,
    json: (await answer.json()) as { events: Envelope[]; cursor: string; code?: string },
  };
}

async function submit(owner: string, count = 1) {
  const inputs = Array.from({ length: count }, (_, index) => ({ title: `${owner} ${index}` }));
  const handle = await sluice.submit(films, inputs, { owner });
  await handle.result();
  return handle;
}

/** What the journal has after a place. */
async function journalAfter(cursor: string): Promise<string[]> {
  const cursors: string[] = [];
  for (let after = cursor, isEnd = false; !isEnd; ) {
    const read = await sluice.events({ after, limit: 1_000 });
    cursors.push(...read.events.map((event) => event.cursor));
    ({ cursor: after, isEnd } = read);
  }
  return cursors;
}

const ids = (events: readonly Envelope[]) => events.map(({ id }) => id);

describe("the stream", () => {
  it("says hello with a place, and tells what happens as job.progress, without outputs", async () => {
    const client = await listen("vic");
    expect(client.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    const hello = await client.first({ type: "hello" });
    const { items, request } = await submit("mia");
    await client.first({ event: "item.completed", jobId: items[0] });
    const mine = client.events.filter(({ jobId }) => jobId === items[0]);
    expect(mine.map(({ type, event, stage, status }) => [type, event, stage, status])).toEqual([
      ["job.progress", "item.accepted", "find", "queued"],
      ["job.progress", "item.done", "find", "completed"],
      ["job.progress", "item.completed", "encode", "completed"],
    ]);
    expect(mine[1]).toMatchObject({ requestId: request, pipeline: "films", entityType: "films", entityId: items[0] });
    for (const one of mine) expect(jobProgress.parse(one)).toEqual(one);
    expect(JSON.stringify(client.heard)).not.toContain("hunter2");
    expect(client.retry).toBe("3000");
    expect(ids(client.events)).toEqual((await journalAfter(String(hello.id))).slice(0, client.events.length));
  });

  it("goes on where a connection broke off, by the header or the address, without a gap or a double", async () => {
    const before = await listen("vic");
    const start = String((await before.first({ type: "hello" })).id);
    await submit("mia", 5);
    await before.until(() => before.events.length >= 7);
    const seen = before.events.slice(0, 7);
    before.close();
    await submit("mo", 5);
    const last = String(seen.at(-1)?.id);
    const all = await journalAfter(start);
    const byHeader = await listen("vic", "/api/v1/events?after=1-1-1", { "last-event-id": last });
    const byAddress = await listen("vic", `/api/v1/events?after=${last}`);
    const bySocket = await socketOf("vic", `/api/v1/ws?after=${last}`);
    for (const client of [byHeader, byAddress, bySocket]) {
      await client.until(() => client.events.length >= all.length - 7);
      expect([...ids(seen), ...ids(client.events)].slice(0, all.length)).toEqual(all);
    }
  });

  it("finds its place again with a server that knows nothing of it yet, among more than memory holds", async () => {
    const start = await sluice.feedEnd();
    await submit("mia", 40);
    const all = await journalAfter(start);
    const other = await serve({ ring: 5 });
    const client = await listen("vic", `/api/v1/events?after=${start}`, {}, other);
    await client.until(() => client.events.length >= all.length);
    await submit("mia");
    await client.until(() => client.events.length >= all.length + 3);
    expect(ids(client.events)).toEqual(await journalAfter(start));
  });

  it("beats when nothing happens, and moves a browser's place with that", async () => {
    const client = await listen("mo");
    const { id } = await client.first({ type: "hello" });
    await submit("mia");
    await client.until(() => client.heartbeats > 0 && client.lastId !== id);
    expect(client.events).toEqual([]);
    const socket = await socketOf("mo");
    let pings = 0;
    socket.socket.on("ping", () => {
      pings += 1;
    });
    await socket.first({ type: "heartbeat" });
    await socket.until(() => pings > 0);
  });

  it("lives through a database that is away for a moment", async () => {
    const [stream, socket] = [await listen("vic"), await socketOf("vic")];
    const { id: start } = await stream.first({ type: "hello" });
    await socket.first({ type: "hello" });
    await database.crashAndRestart();
    const { items } = await submit("mia");
    for (const one of [stream, socket]) await one.first({ event: "item.completed", jobId: items[0] });
    const all = await journalAfter(String(start));
    expect(ids(stream.events)).toEqual(all.slice(0, stream.events.length));
  });

  it("tells how far items are while they are worked on, which is no event", async () => {
    release = Promise.withResolvers();
    const client = await listen("vic");
    const mine = await listen("mia");
    const others = await listen("mo");
    await Promise.all([client, mine, others].map((one) => one.until(() => one.heartbeats > 0)));
    const { items, result } = await sluice.submit(slow, [{ title: "long" }], { owner: "mia" });
    for (const one of [client, mine]) await one.first({ event: "item.progress", jobId: items[0] });
    report(60);
    for (const one of [client, mine]) {
      const moved = await one.first({ event: "item.progress", jobId: items[0], stageProgress: 60 });
      expect(moved).toMatchObject({ id: null, status: "running", stage: "encode", progress: 60, type: "job.progress" });
    }
    release.resolve();
    await result();
    await submit("mo");
    await others.first({ event: "item.completed" });
    expect(others.heard.filter(({ jobId }) => jobId === items[0])).toEqual([]);
  });
});

describe("what belongs to whom", () => {
  it("a member hears nothing of another's: by stream, socket, page, whatever it asks for", async () => {
    const start = await sluice.feedEnd();
    const hers = await submit("mia");
    const topics = `item:${hers.items[0]},request:${hers.request},pipeline:films`;
    const queries = [`after=${start}`, `after=${start}&topics=${topics}`];
    const clients = [
      ...(await Promise.all(queries.map((query) => listen("mo", `/api/v1/events?${query}`)))),
      ...(await Promise.all(queries.map((query) => socketOf("mo", `/api/v1/ws?${query}`)))),
    ];
    const his = await submit("mo");
    for (const client of clients) {
      await client.first({ event: "item.completed", jobId: his.items[0] });
      expect(new Set(client.events.map(({ jobId }) => jobId))).toEqual(new Set(his.items));
    }
    for (const query of queries) {
      const { json } = await page("mo", query);
      expect(new Set(json.events.map(({ jobId }) => jobId))).toEqual(new Set(his.items));
      expect(JSON.stringify(json.events)).not.toContain(hers.request);
    }
    for (const query of queries) expect((await page("vic", query)).json.events).toHaveLength(6);
  });

  it("what is nobody's item is told to everybody, to members without what may be another's", async () => {
    const [vic, mia] = [await listen("vic"), await listen("mia")];
    for (const one of [vic, mia]) await one.first({ type: "hello" });
    await sluice.pause({ pipeline: "slow" }, { note: "ann's reasons" });
    expect(await vic.first({ type: "valve.changed" })).toMatchObject({ pipeline: "slow", message: "ann's reasons" });
    expect(await mia.first({ type: "valve.changed" })).toMatchObject({
      pipeline: "slow",
      code: "CLOSED",
      message: null,
    });
    await sluice.resume({ pipeline: "slow" });
  });

  it("topics narrow it down", async () => {
    const start = await sluice.feedEnd();
    const [first, second] = [await submit("mia"), await submit("mia")];
    const { json } = await page("vic", `after=${start}&topics=request:${second.request}`);
    expect(new Set(json.events.map(({ jobId }) => jobId))).toEqual(new Set(second.items));
    const other = await page("vic", `after=${start}&topics=item:${first.items[0]}`);
    expect(other.json.events).toHaveLength(3);
    expect((await page("vic", "topics=owner:mia")).json).toMatchObject({ code: "INVALID_INPUT" });
  });
});

describe("pages", () => {
  it("begin at the end as of now, and wait for what comes where they are told to", async () => {
    const { json } = await page("mo", "");
    expect(json).toMatchObject({ events: [], isEnd: true });
    const waiting = page("mo", `after=${json.cursor}&wait=30`);
    await submit("mia");
    await submit("mo");
    const { json: next } = await waiting;
    expect(next.events[0]).toMatchObject({ event: "item.accepted" });
  });

  it("that nobody waits for any more give their place back", async () => {
    const own = await serve({ perAccount: 2 });
    const wait = async () => {
      const asked = http.get(`${own.url}/api/v1/events?wait=30`, { headers: { cookie: await cookieOf("mo", own) } });
      asked.on("error", () => {}); // given up, which is what this is about
      return asked;
    };
    const polls: http.ClientRequest[] = [];
    const isRefused = async () => {
      const client = await listen("mo", undefined, {}, own);
      client.close();
      return client.status === 429;
    };
    // Some find their place taken by the look before; so they are sent until there is none left.
    const fill = async () => {
      polls.push(await wait());
      return await isRefused();
    };
    await expect.poll(fill, { timeout: 10_000 }).toBe(true);
    for (const poll of polls) poll.destroy();
    await expect.poll(isRefused, { timeout: 10_000 }).toBe(false);
  });

  it("say that a place is of a feed that is no more; a stream says so in its own way", async () => {
    expect(await page("vic", "after=5-1-1")).toMatchObject({ status: 410, json: { code: "FEED_RESET" } });
    expect((await page("vic", "after=nonsense")).status).toBe(400);
    const client = await listen("vic", "/api/v1/events?after=5-1-1");
    const resync = await client.first({ type: "resync" });
    expect(resync).toMatchObject({ reason: "reset" });
    const { items } = await submit("mia");
    await client.first({ event: "item.completed", jobId: items[0] });
    expect((await listen("vic", "/api/v1/events", { "last-event-id": "nonsense" })).status).toBe(400);
  });
});

describe("what a client sends", () => {
  it("is answered where it is a ping now and then", async () => {
    const { socket } = await socketOf("vic");
    const pong = once(socket, "pong");
    socket.ping("are you there");
    expect(String((await pong)[0])).toBe("are you there");
  });

  it.each(["ping", "send"] as const)("ends it where it is too much: %s", async (way) => {
    const { socket, closed } = await socketOf("vic");
    let pongs = 0;
    socket.on("pong", () => {
      pongs += 1;
    });
    for (let n = 0; n < 5_000; n += 1) socket[way]("x".repeat(100));
    expect(await closed).toEqual({ code: 1008, reason: "too-much" });
    expect(pongs).toBeLessThanOrEqual(10);
  });
});

describe("the way in to a WebSocket", () => {
  it("is that of every request: no foreign page, no foreign name, nobody unknown", async () => {
    const cookie = await cookieOf("ann");
    const origin = served.url;
    expect(await connect({ cookie, origin: "http://evil.example" })).toBe(403);
    expect(await connect({ cookie, origin: "null" })).toBe(403);
    expect(await connect({ cookie })).toBe(403);
    expect(await connect({ cookie, origin, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await connect({ cookie, origin: "http://evil.example", host: "evil.example" })).toBe(421);
    expect(await connect({ origin })).toBe(401);
    expect(await connect({ origin, cookie }, "/api/v1/items")).toBe(400);
    expect(await connect({ origin, cookie }, "/nowhere")).toBe(404);
    expect(await connect({ origin, cookie }, "/api/v1/ws?topics=nonsense")).toBe(400);
    const plain = await fetch(`${served.url}/api/v1/ws`, { headers: { cookie } });
    expect([plain.status, await plain.json()]).toMatchObject([426, { code: "UPGRADE_REQUIRED" }]);
  });

  it("is not tried where another protocol is offered, as some programs always do", async () => {
    const headers = { connection: "Upgrade", upgrade: "h2c", cookie: await cookieOf("vic") };
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const request = http.get(`${served.url}/api/v1/me`, { headers }, (one) => resolve(one.resume().statusCode));
      request.on("error", reject);
    });
    expect(answer).toBe(200);
  });

  it("takes keys, by their scopes, from programs that have no origin", async () => {
    const ann: Principal = { user: "ann", role: "admin", via: "session", scopes: null };
    const reader = await access.makeKey(ann, { name: "reads", scopes: ["read"] }, null);
    const writer = await access.makeKey(ann, { name: "writes", scopes: ["submit"] }, null);
    const client = await connect({ authorization: `Bearer ${reader.key}` });
    expect(client).toBeInstanceOf(SocketClient);
    expect(await connect({ authorization: `Bearer ${writer.key}` })).toBe(403);
  });

  it("is closed on a client that sends too much at once", async () => {
    const client = await socketOf("mia");
    client.socket.send("small talk");
    client.socket.send("x".repeat(5_000));
    expect((await client.closed).code).toBe(1009);
  });
});

describe("an end of access", () => {
  it("ends what it opened: a key that is revoked, a session that is left, another role", async () => {
    const mia: Principal = { user: "mia", role: "member", via: "session", scopes: null };
    const { key, row } = await access.makeKey(mia, { name: "feed", scopes: ["read"] }, null);
    const authorization = `Bearer ${key}`;
    const socket = (await connect({ authorization })) as SocketClient;
    const stream = await SseClient.open(`${served.url}/api/v1/events`, { authorization });
    const token = await access.logIn("vic", PASSWORD, "here");
    const session = await SseClient.open(`${served.url}/api/v1/events`, {
      cookie: `sluice_${new URL(served.url).port}=${token}`,
    });
    const role = await socketOf("mo");
    await Promise.all([socket, stream, session, role].map((one) => one.first({ type: "hello" })));
    await access.revokeKey(mia, row.id, null);
    await access.logOut(token);
    await access.changeAccount("ann", "mo", { role: "viewer" }, null);
    expect(await socket.closed).toEqual({ code: 4401, reason: "access-ended" });
    expect((await role.closed).code).toBe(4401);
    await Promise.all([stream.ended, session.ended]);
    await access.changeAccount("ann", "mo", { role: "member" }, null);
  });

  it("is not that a session's token was renewed: it ends with the session", async () => {
    const sql = (text: string) => sluice.tables.query({ name: text.slice(0, 40), text }, []);
    const token = await access.logIn("vic", PASSWORD, "here");
    const cookie = (shown: string) => ({ cookie: `sluice_${new URL(served.url).port}=${shown}` });
    const stream = await SseClient.open(`${served.url}/api/v1/events`, cookie(token));
    await stream.first({ type: "hello" });
    await sql("update sluice_server.session set renewed_at = renewed_at - interval '2 days' where account = 'vic'");
    const renewed = (await access.admit(token))?.renewed?.token ?? "";
    await access.admit(renewed);
    await sql("update sluice_server.session set past_until = sluice.now() where account = 'vic'");
    expect(await access.principalOf(token)).toBeUndefined();
    // Another that may no longer come in: when it has ended, the first has been looked at as well.
    const vic: Principal = { user: "vic", role: "viewer", via: "session", scopes: null };
    const { key, row } = await access.makeKey(vic, { name: "feed", scopes: ["read"] }, null);
    const other = await SseClient.open(`${served.url}/api/v1/events`, { authorization: `Bearer ${key}` });
    await access.revokeKey(vic, row.id, null);
    await other.ended;
    const beats = stream.heartbeats;
    const lives = stream.until(() => stream.heartbeats > beats).then(() => "lives");
    expect(await Promise.race([lives, stream.ended.then(() => "ended")])).toBe("lives");
    await access.logOut(renewed);
    await stream.ended;
  });
});

describe("bounds", () => {
  it("whoever does not keep up is told to read anew, and goes on from there", async () => {
    const small = await serve({ lines: 5, heartbeatMs: 50 });
    const [stream, socket] = [await listen("vic", undefined, {}, small), await socketOf("vic", undefined, small)];
    // Whoever is beaten to has caught up, and hears the rest from the shared reader.
    await stream.until(() => stream.heartbeats > 0);
    await socket.first({ type: "heartbeat" });
    const start = String(stream.lastId);
    await submit("mia", 60);
    const end = (await journalAfter(start)).at(-1);
    for (const one of [stream, socket]) {
      expect(await one.first({ type: "resync" })).toMatchObject({ reason: "overflow" });
      await one.until(() => one.lastId === end);
    }
    const { items } = await submit("mia");
    for (const one of [stream, socket]) await one.first({ event: "item.completed", jobId: items[0] });
  });

  it("an account has so many connections, and a place that is left is free", async () => {
    const few = await serve({ perAccount: 2 });
    // Only asks what would come, so nothing is opened.
    const head = { cookie: await cookieOf("vic", few), accept: "text/event-stream" };
    for (let n = 0; n < 3; n += 1) await fetch(`${few.url}/api/v1/events`, { method: "HEAD", headers: head });
    const first = await listen("vic", undefined, {}, few);
    await socketOf("vic", undefined, few);
    const refused = await listen("vic", undefined, {}, few);
    await refused.ended;
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([429, { code: "RATE_LIMITED" }]);
    expect(await connect({ cookie: await cookieOf("vic", few), origin: few.url }, undefined, few)).toBe(429);
    await socketOf("mia", undefined, few);
    first.close();
    await expect.poll(async () => (await listen("vic", undefined, {}, few)).status).toBe(200);
  });

  it("a server that closes says so", async () => {
    const leaving = await serve({});
    const [stream, socket] = [await listen("vic", undefined, {}, leaving), await socketOf("vic", undefined, leaving)];
    await leaving.close();
    expect((await socket.closed).code).toBe(1001);
    await stream.ended;
  });

  it("a door that closes waits for no socket for ever, whatever it has become", async () => {
    const door = await openDoor({ host: "127.0.0.1", port: 0, closeMs: 50 });
    const answer: Answer = (_, env) => {
      (env as { upgrade: Upgrade }).upgrade.accept(
        () => {},
        () => {},
      );
      return new Response(null);
    };
    takeUpgrades(door.server, answer, silentLogger);
    const client = await connect({}, "", { ...served, url: door.url });
    if (typeof client === "number") throw new Error(`refused with ${client}`);
    await door.close();
    expect((await client.closed).code).toBe(1006);
  });

  it("a socket whose subscription ended before it was there is closed", async () => {
    const door = await openDoor({ host: "127.0.0.1", port: 0 });
    const live = new Live({ sluice, access, log: silentLogger });
    const ann: Principal = { user: "ann", role: "admin", via: "session", scopes: null };
    const answer: Answer = async (_, env) => {
      const subscription = await live.subscribe({ principal: ann, token: "" }, {});
      (env as { upgrade: Upgrade }).upgrade.accept(
        (socket) => void talk(socket, subscription, silentLogger),
        () => {},
      );
      live.close();
      return new Response(null);
    };
    takeUpgrades(door.server, answer, silentLogger);
    const client = await connect({}, "", { ...served, url: door.url });
    if (typeof client === "number") throw new Error(`refused with ${client}`);
    expect((await client.closed).code).toBe(1001);
    await door.close();
  });
});
