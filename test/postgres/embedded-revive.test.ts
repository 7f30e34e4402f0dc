// A Sluice that closes loses its connections as the server stops. It must not take that for a crash and start it again.

import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openEmbedded } from "../../src/engine/db/embedded/index.ts";
import { openDatabase } from "../../src/engine/db/open-database.ts";
import { silentLogger } from "../../src/kit/index.ts";

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

test("a Sluice that goes on finds it again, however often it is killed", async () => {
  const data = path.join(folder, "data");
  const opened = await openDatabase({ database: data, log: silentLogger });
  const ask = () => opened.db.query<{ one: number }>({ name: "one", text: "select 1 as one" }, []);
  try {
    for (let kill = 0; kill < 3; kill += 1) {
      await vi.waitFor(async () => expect(await ask()).toEqual([{ one: 1 }]), { timeout: 20_000, interval: 50 });
      const [pid] = readFileSync(path.join(data, "postgres", "postmaster.pid"), "utf8").split("\n");
      process.kill(Number(pid), "SIGKILL");
      // Every connection breaks now; from here on there is none left whose end could be noticed.
      await vi.waitFor(() => expect(ask()).rejects.toThrow(), { timeout: 20_000, interval: 10 });
    }
    await vi.waitFor(async () => expect(await ask()).toEqual([{ one: 1 }]), { timeout: 20_000, interval: 50 });
  } finally {
    await opened.close();
  }
});
