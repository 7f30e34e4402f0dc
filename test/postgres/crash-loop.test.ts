// The whole story with real processes: an input that kills whatever visits it, and a program that is started again.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { openSluice } from "../../src/engine/open.ts";
import type { Sluice } from "../../src/engine/sluice.ts";
import { parseId } from "../../src/kit/index.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { query } from "./fixtures/drive.ts";
import { acting, hurried, small } from "./fixtures/suspect-pipelines.ts";

const program = fileURLToPath(new URL("fixtures/acting-program.ts", import.meta.url));
const started: ChildProcess[] = [];
let server: TestServer;
let client: Sluice;

beforeAll(async () => {
  server = await startServer();
  client = await openSluice({ pipelines: [small, acting, hurried], database: server.url(), worker: false });
});
afterEach(async () => {
  for (const one of started.splice(0)) {
    if (one.exitCode !== null || one.signalCode !== null) continue;
    const ended = once(one, "exit");
    one.kill("SIGTERM");
    await ended;
  }
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

async function start(): Promise<ChildProcess> {
  const process_ = spawn(process.execPath, [program, server.url()], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(process_);
  await once(process_.stdout, "data");
  return process_;
}

const { accepted, reclaimed, crashed, fault, done } = JOURNAL_KIND;

async function kinds(item: string): Promise<number[]> {
  const text = `select kind from sluice.journal where item_id = ${parseId("item", item)} order by xid, seq`;
  return (await query<{ kind: number }>(server.url(), text)).map((row) => row.kind);
}

it("a poison input kills one process, then only children, and fails as CRASH_LOOP; its neighbours finish", async () => {
  const first = await start();
  const died = once(first, "exit");
  const { items } = await client.submit(acting, [{ deed: "abort" }, { deed: "linger" }, { deed: "linger" }]);
  const [poison = "", ...innocent] = items;
  expect(await died).toEqual([null, "SIGABRT"]);
  const second = await start();
  const until = (item: string) => expect.poll(() => kinds(item), { timeout: 30_000, interval: 100 });
  await until(poison).toEqual([accepted, reclaimed, crashed, crashed, fault]);
  for (const item of innocent) await until(item).toEqual([accepted, reclaimed, crashed, done]);
  expect(second.exitCode ?? second.signalCode).toBe(null);
  const [last] = await query<{ code: string }>(server.url(), "select code from sluice.journal where kind = 8");
  expect(last).toEqual({ code: "CRASH_LOOP" });
  second.kill("SIGTERM");
  expect(await once(second, "exit")).toEqual([0, null]);
});
