// A handler that computes, in a real process: everybody else goes on meanwhile.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, type ItemId, openSluice, type Sluice } from "../../src/engine/index.ts";
import { startServer, type TestServer } from "../support/server.ts";

const heavy = definePipeline("heavy", { version: 1, input: z.object({ file: z.string() }) })
  .stage<"compute", { rounds: boolean }>("compute", {
    thread: new URL("../support/threads/until-file.ts", import.meta.url),
  })
  .stage("tell", {
    run: ({ out }) => {
      expectTypeOf(out.compute).toEqualTypeOf<{ rounds: boolean }>();
      return done(out.compute.rounds);
    },
  });
const light = definePipeline("light", { version: 1, input: z.object({}) }).stage("only", { run: () => done() });

const folder = mkdtempSync(path.join(tmpdir(), "sluice-threads-"));
let server: TestServer;
let sluice: Sluice;

beforeAll(async () => {
  server = await startServer();
  sluice = await openSluice({ pipelines: [heavy, light], database: server.url(), worker: { grace: 0 } });
});
afterAll(async () => {
  await sluice?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("ten others are done while it computes, and then it is done, too", async () => {
  // The file that ends it is written only when the others are done: were they to wait for it, nothing would ever end.
  const file = path.join(folder, "enough");
  const computing = await sluice.submit(heavy, [{ file }]);
  await expect.poll(() => existsSync(`${file}.begun`), { timeout: 20_000 }).toBe(true);
  for (let n = 0; n < 10; n += 1) expect((await (await sluice.submit(light, [{}])).result()).ok).toBe(true);
  expect((await sluice.item(computing.items[0] as ItemId)).state).toBe("running");
  writeFileSync(file, "");
  expect((await computing.result()).items[0]?.output).toBe(true);
  const [notes] = await sluice.logs(computing.items[0] as ItemId);
  expect(notes?.lines.map((line) => line.text)).toEqual(["computing"]);
});

it("an endless one is cancelled with its thread, and the next one finds another", async () => {
  const endless = await sluice.submit(heavy, [{ file: path.join(folder, "never") }]);
  await expect.poll(async () => (await sluice.item(endless.items[0] as ItemId)).state).toBe("running");
  await sluice.cancel(endless.items[0] as ItemId);
  const file = path.join(folder, "there");
  writeFileSync(file, "");
  expect((await (await sluice.submit(heavy, [{ file }])).result()).ok).toBe(true);
});
