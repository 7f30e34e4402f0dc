// A Sluice that closes loses its connections as the server stops. It must not take that for a crash and start it again.

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openEmbedded } from "../../src/engine/db/embedded/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-revive-"));
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

test("whoever has left does not start the server again", async () => {
  const server = await openEmbedded({ folder: path.join(folder, "data") });
  expect(await answers(server.url)).toBe(true);
  const leaving = server.leave();
  await Promise.all([leaving, server.revive()]);
  await server.revive();
  expect(await answers(server.url)).toBe(false);
});
