// `sluice why` and `sluice doctor` as processes, on a real server, and the one check that needs two sessions.

import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSluice, type Sluice } from "../../src/engine/index.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { echo } from "./fixtures/cli-pipelines.ts";

const cli = path.resolve(import.meta.dirname, "../../src/main/cli.ts");
let server: TestServer;
let sluice: Sluice;
let client: pg.Client;

beforeAll(async () => {
  server = await startServer();
  sluice = await openSluice({ pipelines: [echo], database: server.url(), worker: false });
  client = new pg.Client(server.url());
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await sluice?.close();
  await server?.stop();
});

async function run(...args: string[]) {
  const env = { ...process.env, DATABASE_URL: server.url(), TZ: "UTC" };
  try {
    const { stdout, stderr } = await promisify(execFile)("node", [cli, ...args], { env, timeout: 60_000 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

describe("sluice why", () => {
  it("tells in a few lines", async () => {
    const { items } = await sluice.submit(echo, [{ word: "ahoy" }], { key: "greeting" });
    const { code, stdout } = await run("why", String(items[0]));
    expect(code).toBe(0);
    const lines = stdout.replaceAll(/\d+:\d+ \(.*?\)/g, "TIME").split("\n");
    expect(lines.filter((line) => !line.includes("estimate"))).toEqual([
      `${items[0]} (echo 1, greeting) is PENDING in say since TIME`,
      "  Waiting for a worker since TIME: none that is running serves say of echo version 1.",
      "  Start one that does.",
      "  That costs no attempt (0 used).",
      `You can:  sluice cancel ${items[0]}`,
      "",
    ]);
  });

  it("says what it needs", async () => {
    expect(await run("why")).toMatchObject({ code: 2, stdout: "" });
    expect((await run("why", "itm_0000000000000")).stderr).toContain("there is no item");
  });
});

describe("sluice doctor", () => {
  it("ends with 0 where nothing is wrong", async () => {
    const { code, stdout } = await run("doctor");
    expect(stdout).toMatch(/^ok {6}item-without-run\n[\s\S]*\nNothing is wrong\.\n$/);
    expect(code).toBe(0);
  });

  it("ends with 1 and says what to do where something is", async () => {
    await client.query("update sluice.request set total = 5");
    const { code, stdout } = await run("doctor");
    expect(stdout).toMatch(/BROKEN {2}request-counts: .*\n {8}request \d+\n {8}→ .*\n/);
    expect(stdout).toContain("1 of 20 checks found something.");
    expect(code).toBe(1);
    await client.query("update sluice.request set total = 1");
  });

  it("finds a session that holds the feed back", async () => {
    await client.query("begin");
    await client.query("insert into sluice.journal (at, kind) select sluice.now(), 31");
    const other = new pg.Client(server.url());
    await other.connect();
    await other.query(
      "create or replace function sluice.now() returns timestamptz language sql stable as 'select now() + interval ''10 minutes'''",
    );
    await other.query("insert into sluice.journal (at, kind) select sluice.now(), 31");
    const broken = (await sluice.doctor()).checks.filter((check) => !check.isOk);
    expect(broken.map((check) => check.name)).toEqual(["feed-held-back"]);
    await other.end();
    await client.query("rollback");
    expect((await sluice.doctor()).isOk).toBe(true);
  });
});
