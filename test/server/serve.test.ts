// `sluice server` as a process, on a real socket and a real database.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

const cli = path.resolve(import.meta.dirname, "../../src/main/cli.ts");
let database: TestServer;
let child: ChildProcess;
let said = "";
let isUp = true;

beforeAll(async () => {
  database = await startServer();
  child = spawn("node", [cli, "server"], {
    env: { ...process.env, DATABASE_URL: database.url(), SERVER_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
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
    const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
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
  });

  it("closes when it is told to", async () => {
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  });
});
