// `sluice logs -f` beside a visit that runs: on the database at hand, and on a server that is killed meanwhile.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import {
  definePipeline,
  done,
  type ItemId,
  openSluice,
  type Sluice,
  transient,
  type Visit,
} from "../../src/engine/index.ts";
import { type Going, runCli, startCli } from "../support/cli.ts";
import { startServer, type TestServer } from "../support/server.ts";

type Told = { visit: Visit; end(how: "done" | "fails"): void };

let database: TestServer;
let sluice: Sluice;
let folder: string;
/** Who waits for the next visit. */
let visited = Promise.withResolvers<Told>();
const local = () => ({ DATABASE_URL: database.url() });

const talking = definePipeline("talking", { version: 1, input: z.object({ n: z.number() }) }).stage("talk", {
  backoff: { base: "1ms", cap: "1ms" },
  run: async (visit) => {
    const ended = Promise.withResolvers<"done" | "fails">();
    visited.resolve({ visit: visit as Visit, end: ended.resolve });
    if ((await ended.promise) === "fails") throw transient("EIO", "bad sector");
    return done();
  },
});

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-logs-"));
  database = await startServer();
  sluice = await openSluice({ pipelines: [talking], database: database.url(), worker: { name: "w" } });
});
afterAll(async () => {
  await sluice.close();
  await database.stop();
  rmSync(folder, { recursive: true });
});

async function nextVisit(): Promise<Told> {
  const told = await visited.promise;
  visited = Promise.withResolvers();
  return told;
}

async function begun(): Promise<Told & { item: string }> {
  const { items } = await sluice.submit(talking, [{ n: 1 }]);
  return { item: items[0] as ItemId, ...(await nextVisit()) };
}

/** What it says until it has said so much, and how it ended. */
async function toTheEnd(going: Going): Promise<number | null> {
  if (going.child.exitCode === null) await new Promise((resolve) => going.child.once("exit", resolve));
  return going.child.exitCode;
}

const asked = (said: string) =>
  said
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

it("tells lines as they come, each once and with its own time, over attempts, until the item has ended", async () => {
  const { item, visit, end } = await begun();
  const people = startCli(["logs", item, "-f"], local(), folder);
  const programs = startCli(["logs", item, "-f", "--json"], local(), folder);
  const bothSay = (text: string) => Promise.all([people, programs].map((one) => one.says(new RegExp(`${text}.*\n`))));
  visit.log.info("one", { a: 1 });
  await bothSay("one");
  visit.log.warn("two");
  await bothSay("two");
  end("fails");
  const second = await nextVisit();
  second.visit.log.info("three");
  await bothSay("three");
  second.visit.log.info("four");
  second.end("done");
  expect(await Promise.all([toTheEnd(people), toTheEnd(programs)])).toEqual([0, 0]);
  const time = String.raw`\d\d:\d\d:\d\d`;
  expect(people.said()).toMatch(
    new RegExp(`^${time} talk#1 one {"a":1}\n${time} talk#1 warn two\n${time} talk#2 three\n${time} talk#2 four\n$`),
  );
  const lines = asked(programs.said());
  expect(lines.map(({ attempt, n, text }) => [attempt, n, text])).toEqual([
    [1, 1, "one"],
    [1, 2, "two"],
    [2, 1, "three"],
    [2, 2, "four"],
  ]);
  expect(lines[0].visit).toBeLessThan(lines[2].visit);
  const times = lines.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[1]).toBeGreaterThan(times[0] as number);
  // What is over is told whole, and the same; its times are reckoned anew from when the visit began, and may differ by a little.
  const whole = asked((await runCli(["logs", item, "--json"], local(), folder)).stdout);
  const isNear = (at: string, index: number) => Math.abs(Date.parse(at) - (times[index] ?? 0)) < 1_000;
  expect(whole.every(({ at }, index) => isNear(at, index))).toBe(true);
  expect(whole.map((line) => ({ ...line, at: null }))).toEqual(lines.map((line) => ({ ...line, at: null })));
});

it("goes on where it was when the server was killed and has come back", async () => {
  const serve = (port: string) => startCli(["server"], { ...local(), SERVER_PORT: port }, folder);
  let server = serve("0");
  const [, url = ""] = await server.says(/listening on (\S+)/);
  await runCli(
    ["user", "add", "vic", "--role", "viewer", "--password-stdin"],
    local(),
    folder,
    "correct horse battery\n",
  );
  const { stdout } = await runCli(["key", "create", "k", "--for", "vic", "--scopes", "read"], local(), folder);
  const remote = { SLUICE_URL: url, SLUICE_API_KEY: stdout.trim() };
  try {
    const { item, visit, end } = await begun();
    const going = startCli(["logs", item, "-f", "--json"], remote, folder);
    visit.log.info("one");
    await going.says(/"one".*\n/);
    await server.end("SIGKILL");
    visit.log.info("two");
    await going.says(/the work goes on/);
    server = serve(new URL(url).port);
    await going.says(/"two".*\n/);
    visit.log.info("three");
    end("done");
    expect(await toTheEnd(going)).toBe(0);
    expect(asked(going.said()).map(({ text }) => text)).toEqual(["one", "two", "three"]);
  } finally {
    await server.end("SIGKILL");
  }
});
