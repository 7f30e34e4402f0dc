// `sluice up` as a process: it waits for its database, works and serves, is killed, and tells what became of it.

import net from "node:net";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openSluice } from "../../src/engine/index.ts";
import { type Going, startCli } from "../support/cli.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { slow } from "./fixtures/slow-pipelines.ts";

const module = path.resolve(import.meta.dirname, "fixtures/slow-pipelines.ts");
let server: TestServer;
const going: Going[] = [];
beforeAll(async () => {
  server = await startServer();
}, 60_000);
afterEach(async () => {
  for (const one of going.splice(0)) await one.end("SIGKILL");
});
afterAll(() => server.stop());

function up(url: string, env: NodeJS.ProcessEnv = {}): Going {
  const started = startCli(["up", module], { DATABASE_URL: url, SERVER_PORT: "0", WORKER_GRACE_SEC: "0", ...env });
  going.push(started);
  return started;
}

async function makeDatabase(name: string): Promise<string> {
  const client = new pg.Client(server.url());
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return server.url(name);
}

const LISTENING = /listening on (\S+)/;

describe("sluice up", () => {
  it("works, serves, and hands back in order when it is told to stop", async () => {
    const process = up(await makeDatabase("orderly"));
    await process.says(/working on slow@1/);
    const [, url = ""] = await process.says(LISTENING);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await process.says(/made here: \S+setup#slu_/);
    expect(await process.end("SIGTERM")).toBe(0);
    expect(process.said()).toContain("handing back");
  });

  it("tells programs in lines of JSON", async () => {
    const process = startCli(["up", module, "--json"], { DATABASE_URL: await makeDatabase("told"), SERVER_PORT: "0" });
    going.push(process);
    const [listening] = await process.says(/^\{"event":"listening".*$/m);
    expect(JSON.parse(listening)).toEqual({ event: "listening", url: expect.stringMatching(/^http/) });
    const [setup] = await process.says(/^\{"event":"setup".*$/m);
    expect(JSON.parse(setup).setupUrl).toContain("/setup#slu_");
    expect(process.said()).toContain('{"event":"working","pipelines":["slow@1"],"stages":[]}');
    process.child.kill("SIGTERM");
    await process.says(/^\{"event":"stopping","signal":"SIGTERM"\}$/m);
  });

  it("ends with what will never pass, instead of waiting for it", async () => {
    const url = await makeDatabase("odd");
    const client = new pg.Client(url);
    await client.connect();
    await client.query("create schema sluice; create table sluice.setting (nothing int)");
    await client.end();
    const process = up(url);
    await process.says(/→ this is a bug of ours/);
    expect(process.said()).not.toContain("waiting for the database");
  });

  it("waits for a database that is not there yet, says so to whoever comes, and goes on without a restart", async () => {
    const process = up(server.url("late"), { SERVER_PORT: String(await freePort()) });
    const [, url = ""] = await process.says(
      /waiting for the database: it has no database of that name.*; (\S+) says so/,
    );
    const page = await fetch(url, { headers: { accept: "text/html" } });
    expect(page.status).toBe(503);
    expect(await page.text()).toContain("Sluice is waiting for its database…");
    const api = await fetch(`${url}/api/v1/items`);
    expect([api.status, api.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await api.json()).toMatchObject({ code: "UNAVAILABLE" });
    const ready = await fetch(`${url}/readyz`);
    expect(await ready.json()).toEqual({
      status: "not ready",
      reasons: ["waiting for the database: it has no database of that name"],
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await makeDatabase("late");
    await process.says(LISTENING);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/api/v1/items`)).status).toBe(401);
  });

  it("waits for a server that starts late, and can be stopped meanwhile", async () => {
    const url = new URL(await makeDatabase("afar"));
    const port = await freePort();
    url.port = String(port);
    const stopped = up(url.href);
    await stopped.says(/waiting for the database: nothing listens at its address/);
    expect(await stopped.end("SIGTERM")).toBe(0);
    const process = up(url.href);
    await process.says(/waiting for the database/);
    const bridge = net.createServer((socket) => {
      const there = net.connect(server.port, "127.0.0.1");
      for (const one of [socket, there]) one.on("error", () => {});
      socket.pipe(there).pipe(socket);
    });
    bridge.listen(port, "127.0.0.1");
    try {
      await process.says(LISTENING);
    } finally {
      await process.end("SIGKILL");
      bridge.close();
    }
  });

  it("killed with work in its hands, it is back with what became of it", async () => {
    const url = await makeDatabase("killed");
    const first = up(url);
    await first.says(LISTENING);
    const client = await openSluice({ pipelines: [slow], database: url, worker: false });
    await client.submit(slow, [...Array.from({ length: 6 }, () => ({ saves: false })), { saves: true }]);
    // All in hand, and the checkpoint written.
    await expect.poll(async () => await held(url), { timeout: 30_000 }).toEqual({ running: 7, checkpoints: 1 });
    // Whoever else has the database open would take it over, and on a busy machine be first.
    await client.close();
    await first.end("SIGKILL");
    const second = up(url);
    const [told] = await second.says(/Back after .*\n/);
    expect(told).toMatch(
      /^Back after \d+ (m?s|s \d+ ms)\. 7 items were running: 6 resumed, 1 continued from its checkpoint\.\n$/,
    );
    expect(await second.end("SIGTERM")).toBe(0);
    // Ended in order: nothing to tell.
    const third = up(url);
    await third.says(LISTENING);
    await expect.poll(async () => (await held(url)).running, { timeout: 30_000 }).toBe(7);
    expect(third.said()).not.toContain("Back after");
  });

  it("ends at once when it is told twice", async () => {
    const url = await makeDatabase("twice");
    const process = up(url, { WORKER_GRACE_SEC: "3600" });
    await process.says(LISTENING);
    const client = await openSluice({ pipelines: [slow], database: url, worker: false });
    await client.submit(slow, [{ saves: false }]);
    await expect.poll(async () => (await held(url)).running, { timeout: 30_000 }).toBe(1);
    await client.close();
    process.child.kill("SIGINT");
    await process.says(/SIGINT: handing back/);
    expect(await process.end("SIGINT")).toBe(1);
  });

  it("says where nothing can be listened on", async () => {
    const taken = net.createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as net.AddressInfo;
    const process = up(server.url(), { SERVER_PORT: String(port) });
    await process.says(/another program listens there; choose another port/);
    taken.close();
  });
});

it("as many connections as were asked for do something at once", async () => {
  const sluice = await openSluice({ pipelines: [], database: server.url(), worker: false, connections: 7 });
  try {
    let inside = 0;
    const met = new Promise<void>((resolve) => {
      const enter = () => {
        inside += 1;
        if (inside === 7) resolve();
        return met;
      };
      for (let n = 0; n < 7; n += 1) void sluice.tables.transaction(enter);
    });
    await met;
  } finally {
    await sluice.close();
  }
  await expect(openSluice({ pipelines: [], connections: 1 })).rejects.toThrow(/^connections must be/);
});

async function held(url: string): Promise<{ running: number; checkpoints: number }> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    "select (select count(*)::int from sluice.run where state = 1) as running, (select count(*)::int from sluice.checkpoint) as checkpoints",
  );
  await client.end();
  return rows[0];
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as net.AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
