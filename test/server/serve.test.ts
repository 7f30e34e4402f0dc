// `sluice server` as a process, on a real socket and a real database.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

const cli = path.resolve(import.meta.dirname, "../../src/main/cli.ts");
let database: TestServer;
let child: ChildProcess;
let said = "";
let logged = "";
let isUp = true;
let cookie = "";

beforeAll(async () => {
  database = await startServer();
  child = spawn("node", [cli, "server"], {
    env: { ...process.env, DATABASE_URL: database.url(), SERVER_PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr?.on("data", (chunk) => {
    logged += String(chunk);
  });
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`it ended, having said: ${said}`)));
    child.stdout?.on("data", (chunk) => {
      said += String(chunk);
      if (/set-up|made here: \S+\n/.test(said)) resolve();
    });
  });
}, 60_000);
afterAll(async () => {
  if (child.exitCode === null) child.kill("SIGKILL");
  if (isUp) await database.stop();
});

/** Every connection has a process of its own. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
}

const url = () => /listening on (\S+)/.exec(said)?.[1] ?? "";
const setup = () => /made here: \S+#(\S+)/.exec(said)?.[1] ?? "";

describe("sluice server", () => {
  it("listens on this machine alone, and prints where, and a link for the first account", () => {
    expect(url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(setup()).toMatch(/^slu_/);
  });

  it("lets the first account in with the link, once", async () => {
    const enter = () =>
      fetch(`${url()}/api/v1/setup`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: url() },
        body: JSON.stringify({ token: setup(), name: "ann", password: "correct horse battery" }),
      });
    const entered = await enter();
    expect(entered.status).toBe(200);
    cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(cookie).toMatch(/^sluice_\d+=sls_/);
    const me = await fetch(`${url()}/api/v1/me`, { headers: { cookie } });
    expect(await me.json()).toEqual({ user: "ann", role: "admin", via: "session", scopes: null });
    expect((await enter()).status).toBe(410);
  });

  it("refuses a name that may be another's", async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = http.get(`${url()}/healthz`, { headers: { host: "evil.example" } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      request.on("error", reject);
    });
    expect(status).toBe(421);
  });

  it("says within seconds that its database hangs, and lives on for whoever asks with whatever", async () => {
    const postgres = [database.pid(), ...childrenOf(database.pid())];
    for (const pid of postgres) process.kill(pid, "SIGSTOP");
    try {
      const began = performance.now();
      const [alive, away] = await Promise.all([
        fetch(`${url()}/healthz`, { headers: { authorization: `Bearer slk_${"a".repeat(43)}`, cookie } }),
        fetch(`${url()}/readyz`, { headers: { cookie } }),
      ]);
      expect(performance.now() - began).toBeLessThan(5_000);
      expect([alive.status, away.status, await away.json()]).toEqual([
        200,
        503,
        { status: "not ready", reasons: ["the database does not answer"] },
      ]);
    } finally {
      for (const pid of postgres) process.kill(pid, "SIGCONT");
    }
    await expect.poll(async () => (await fetch(`${url()}/readyz`)).status, { timeout: 30_000 }).toBe(200);
  });

  it("takes a body that is cut short for nobody's mistake", async () => {
    const { port } = new URL(url());
    const socket = net.connect(Number(port), "127.0.0.1");
    socket.write("POST /api/v1/session HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n");
    socket.write('transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n', () => socket.destroy());
    await expect.poll(() => logged, { timeout: 10_000 }).toMatch(/"route":"\/api\/v1\/session","status":400/);
    expect(logged).not.toContain("http.unexpected");
  });

  it("says so when its database is away, and lives on", async () => {
    await database.stop();
    isUp = false;
    const away = await fetch(`${url()}/readyz`);
    expect(away.status).toBe(503);
    expect(await away.json()).toMatchObject({
      status: "not ready",
      reasons: ["the database does not answer"],
    });
    expect((await fetch(`${url()}/healthz`)).status).toBe(200);
    const asked = await fetch(`${url()}/api/v1/me`, { headers: { cookie } });
    expect(asked.status).toBe(503);
    await expect.poll(() => logged, { timeout: 10_000 }).toContain("http.database-away");
    expect(logged).not.toContain("http.unexpected");
  });

  it("closes when it is told to", async () => {
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  });
});
