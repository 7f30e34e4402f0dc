import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openEmbedded } from "../../src/engine/db/embedded/index.ts";
import { definePipeline, done, openSluice } from "../../src/engine/index.ts";
import { describeAnywhere, describeServers } from "./cases/index.ts";
import { serverWorld } from "./server-world.ts";

let data = "";
const world = serverWorld(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-embedded-"));
  // Temporary folders are closed to others, and as root the database would move out of it.
  chmodSync(folder, 0o755);
  data = path.join(folder, "data");
  const server = await openEmbedded({ folder: data });
  const url = (database: string) => {
    const at = new URL(server.url);
    at.pathname = `/${database}`;
    return at.href;
  };
  return {
    address: (database) => ({ database: url(database) }),
    directUrl: url,
    async stop() {
      await server.leave();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
beforeAll(() => world.open());
afterAll(() => world.close());

describeAnywhere(world);
describeServers(world);

test("a folder is all that has to be named", async () => {
  const hello = definePipeline("hello", { version: 1, input: z.object({}) }).stage("say", { run: () => done("hello") });
  const sluice = await openSluice({ pipelines: [hello], database: data });
  const request = await sluice.submit(hello, [{}]);
  expect(await request.result()).toMatchObject({ ok: true, items: [{ output: "hello" }] });
  await sluice.close();
});
