// A process that only submits and asks stands beside a worker that is killed: it says so, instead of speaking of a line that nobody serves.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { type ItemId, openSluice } from "../../src/engine/index.ts";
import { startServer } from "../support/server.ts";
import { noting } from "./fixtures/noting-pipelines.ts";

const program = fileURLToPath(new URL("fixtures/noting-program.ts", import.meta.url));

it("finds the only worker dead, frees what it held, and says that there is no worker", async () => {
  const server = await startServer();
  const client = await openSluice({ pipelines: [noting], database: server.url(), worker: false });
  const { items } = await client.submit(noting, [{ n: 1 }, { n: 2 }]);
  const worker = spawn(process.execPath, [program, server.url()], { stdio: "ignore" });
  const ended = once(worker, "exit");
  try {
    const reasons = async () => await Promise.all(items.map(async (one: ItemId) => (await client.explain(one)).reason));
    await expect.poll(reasons, { timeout: 20_000 }).toEqual(["running", "running"]);
    worker.kill("SIGKILL");
    await expect.poll(reasons, { timeout: 20_000 }).toEqual(["no_worker", "no_worker"]);
    expect((await client.workers()).map(({ name, state, items: held }) => ({ name, state, held }))).toEqual([
      { name: "noting", state: "dead", held: 0 },
    ]);
  } finally {
    worker.kill("SIGKILL");
    await ended;
    await client.close();
    await server.stop();
  }
}, 60_000);
