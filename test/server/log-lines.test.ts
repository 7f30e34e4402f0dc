// The log of a real server process that is killed: every transition has its line, and few have two.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { definePipeline, done, openSluice, type Sluice } from "../../src/engine/index.ts";
import { startServer, type TestServer } from "../support/server.ts";

const cli = path.resolve(import.meta.dirname, "../../src/main/cli.ts");
const film = definePipeline("film", { version: 1, input: z.object({ n: z.number() }) })
  .stage("find", { run: () => done() })
  .stage("encode", { run: () => done() });

let database: TestServer;
let sluice: Sluice;
let child: ChildProcess;
/** What the log says happened, in its order. */
let lines: string[] = [];

beforeAll(async () => {
  database = await startServer();
  sluice = await openSluice({ pipelines: [film], database: database.url() });
  await started();
});
afterAll(async () => {
  child.kill("SIGKILL");
  await sluice.close();
  await database.stop();
});

/** The first ever has written a line about an item when this resolves, so that its place is stored. */
async function started(): Promise<void> {
  child = spawn("node", [cli, "server"], {
    env: { ...process.env, DATABASE_URL: database.url(), SERVER_PORT: "0" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (child.stderr === null) throw new Error("its standard error is not to be read");
  createInterface({ input: child.stderr }).on("line", (text) => {
    const { event, itemId, stage } = JSON.parse(text);
    if (String(event).startsWith("item.")) lines.push(`${itemId} ${stage} ${event}`);
  });
  await vi.waitFor(async () => {
    await sluice.submit(film, [{ n: -1 }]);
    expect(lines.length).toBeGreaterThan(0);
  }, SOON);
}

const SOON = { timeout: 60_000, interval: 200 };

async function submit(count: number): Promise<readonly string[]> {
  const { items, result } = await sluice.submit(
    film,
    Array.from({ length: count }, (_, n) => ({ n })),
  );
  await result();
  return items;
}

const expected = (items: readonly string[]) =>
  items.flatMap((id) => [`${id} find item.accepted`, `${id} find item.done`, `${id} encode item.completed`]);

describe("the log of transitions", () => {
  it("is complete after a kill, with the lines of about a second twice at most", async () => {
    const first = await submit(300);
    await vi.waitFor(() => expect(lines.some((line) => line.startsWith(String(first[5])))).toBe(true), SOON);
    child.kill("SIGKILL");
    await once(child, "exit");
    const second = await submit(300);
    await started();
    const all = expected([...first, ...second]);
    await vi.waitFor(() => expect(all.filter((line) => !lines.includes(line))).toEqual([]), SOON);
    // What came before the kill may be of its last second, and then it is there twice; what came after it is there once.
    const times = (items: readonly string[]) =>
      expected(items).map((one) => lines.filter((line) => line === one).length);
    expect(Math.max(...times(first))).toBeLessThanOrEqual(2);
    expect(Math.max(...times(second))).toBe(1);
  });

  it("is complete after an orderly stop, with none twice", async () => {
    lines = [];
    const first = await submit(100);
    await vi.waitFor(() => expect(lines.length).toBeGreaterThan(50), SOON);
    child.kill("SIGTERM");
    await once(child, "exit");
    const second = await submit(100);
    await started();
    const all = expected([...first, ...second]);
    await vi.waitFor(() => expect(all.filter((line) => !lines.includes(line))).toEqual([]), SOON);
    expect(lines.length).toBe(new Set(lines).size);
  });
});
