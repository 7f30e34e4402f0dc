// What visits note is there before they end: with a real worker, and with one that is killed.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, type ItemId, openSluice, type Sluice, type Visit } from "../../src/engine/index.ts";
import { parseId } from "../../src/kit/index.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { query } from "./fixtures/drive.ts";
import { noting } from "./fixtures/noting-pipelines.ts";

const program = fileURLToPath(new URL("fixtures/noting-program.ts", import.meta.url));
const started: ChildProcess[] = [];
let server: TestServer;
let client: Sluice;

beforeAll(async () => {
  server = await startServer();
  client = await openSluice({ pipelines: [noting], database: server.url(), worker: false });
});
afterEach(async () => {
  for (const one of started.splice(0)) {
    if (one.exitCode !== null || one.signalCode !== null) continue;
    const ended = once(one, "exit");
    one.kill("SIGKILL");
    await ended;
  }
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

const soon = { timeout: 20_000, interval: 100 };
const texts = async (item: ItemId) =>
  (await client.logs(item)).map(({ lines }) => lines.map(({ n, text }) => `${n} ${text}`));
const rowsOf = async (item: ItemId) =>
  (await query(server.url(), `select 1 from sluice.visit_log where item_id = ${parseId("item", item)}`)).length;

it("what a visit notes is told while it runs, each line with its own time, and once when it has ended", async () => {
  const visits = Promise.withResolvers<Visit>();
  const over = Promise.withResolvers<void>();
  const talking = definePipeline("talking", { version: 1, input: z.object({}) }).stage("talk", {
    run: async (visit) => {
      visits.resolve(visit as Visit);
      await over.promise;
      return done();
    },
  });
  const worker = await openSluice({ pipelines: [talking], database: server.url(), worker: { name: "w" } });
  try {
    const { items } = await worker.submit(talking, [{}]);
    const item = items[0] as ItemId;
    const { log } = await visits.promise;
    log.info("one");
    await expect.poll(() => texts(item), soon).toEqual([["1 one"]]);
    log.info("two");
    await expect.poll(() => texts(item), soon).toEqual([["1 one", "2 two"]]);
    expect(await rowsOf(item)).toBe(2);
    const [before] = await client.logs(item);
    const [one, two] = before?.lines ?? [];
    if (one === undefined || two === undefined) throw new Error("two lines");
    // To the millisecond what the visit's own clock says, and no later than the database had them.
    expect(two.at.getTime() - one.at.getTime()).toBe(two.ms - one.ms);
    expect(two.ms).toBeGreaterThan(one.ms);
    expect(before?.at.getTime()).toBeGreaterThanOrEqual(two.at.getTime());
    log.info("three");
    over.resolve();
    await expect.poll(async () => (await client.item(item)).state, soon).toBe("done");
    expect(await texts(item)).toEqual([["1 one", "2 two", "3 three"]]);
    expect(await rowsOf(item)).toBe(1);
  } finally {
    over.resolve();
    await worker.close();
  }
});

it("what was noted before kill -9 stays, beside what the next visit notes in its child process", async () => {
  const start = async () => {
    const process_ = spawn(process.execPath, [program, server.url()], { stdio: ["ignore", "pipe", "inherit"] });
    started.push(process_);
    await once(process_.stdout, "data");
    return process_;
  };
  const first = await start();
  const { items } = await client.submit(noting, [{ n: 1 }]);
  const item = items[0] as ItemId;
  const said = ["1 begun", "2 this takes a while"];
  await expect.poll(() => texts(item), soon).toEqual([said]);
  const died = once(first, "exit");
  first.kill("SIGKILL");
  await died;
  expect(await texts(item)).toEqual([said]);
  const second = await start();
  await expect.poll(() => texts(item), soon).toEqual([said, said]);
  const [former, now] = await client.logs(item);
  expect(former?.attempt).toBe(now?.attempt);
  expect(now?.visit).toBeGreaterThan(former?.visit ?? Number.NaN);
  // Neither the process that was killed nor the one that has taken over, but a child of it.
  for (const { pid } of [first, second]) expect(now?.lines[0]?.facts).not.toEqual({ pid });
  expect((await client.item(item)).state).toBe("running");
});
