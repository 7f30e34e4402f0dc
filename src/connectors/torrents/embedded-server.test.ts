// Two of them in this process, and a tracker between: what cannot be made to happen to a process from outside.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeTorrent } from "../../../sandbox/media/make-torrent.ts";
import { Tracker } from "../../../sandbox/media/tracker.ts";
import { systemClock } from "../../kit/index.ts";
import { Budget } from "./bittorrent/budget.ts";
import { StateFolder } from "./bittorrent/state.ts";
import { Storage } from "./bittorrent/storage.ts";
import { serveTorrents, type TorrentServer, type TorrentServerOptions } from "./embedded-server.ts";
import { embeddedTorrents } from "./embedded-torrents.ts";
import type { SeenTorrent } from "./torrents.ts";

const self = { pid: 1, started: "a test" };
const content = Buffer.alloc(100_000, "film");
let root = "";
let tracker: Tracker;
let servers: TorrentServer[] = [];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "sluice-embedded-"));
  tracker = new Tracker();
  await tracker.start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) await server.stop();
  await tracker.stop();
  rmSync(root, { recursive: true, force: true });
});

async function serve(name: string, options: Partial<TorrentServerOptions> = {}) {
  const folder = join(root, name);
  const server = await serveTorrents({ folder, port: 0, self, version: "0", reach: "lan", ...options });
  servers.push(server);
  const client = embeddedTorrents({ service: "torrents", baseUrl: server.url, token: server.token });
  return { server, client, folder };
}

const film = () =>
  makeTorrent({
    name: "film",
    files: ["a", "b", "c"].map((path) => ({ path, content })),
    announce: tracker.announceUrl,
  });

async function seeded() {
  const made = film();
  const seeder = await serve("seeder");
  mkdirSync(join(seeder.folder, "film"), { recursive: true });
  for (const path of ["a", "b", "c"]) writeFileSync(join(seeder.folder, "film", path), content);
  const source = { file: made.file };
  await seeder.client.add({ infohash: made.infohash, source, tag: "sluice-s", folder: seeder.folder });
  await until(seeder.client, made.infohash, ({ state }) => state === "complete");
  return made;
}

async function until(
  client: Awaited<ReturnType<typeof serve>>["client"],
  infohash: string,
  isSo: (seen: SeenTorrent) => boolean,
): Promise<SeenTorrent> {
  const late = AbortSignal.timeout(15_000);
  let seen: SeenTorrent | undefined;
  while (!late.aborted) {
    seen = (await client.look()).get(infohash);
    if (seen !== undefined && isSo(seen)) return seen;
    await systemClock.sleep(20);
  }
  throw new Error(`it never came to that: ${JSON.stringify(seen)}`);
}

describe("a download", () => {
  it("on a full disk stands still with words, and goes on after a nudge", async () => {
    const { infohash, file } = await seeded();
    const { client, folder } = await serve("leecher");
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    const write = vi.spyOn(Storage.prototype, "write").mockRejectedValue(full);
    await client.add({ infohash, source: { file }, tag: "sluice-a", folder });
    const seen = await until(client, infohash, ({ state }) => state === "failed");
    expect(seen).toMatchObject({ problem: expect.stringContaining("the disk is full"), doneBytes: 0 });
    write.mockRestore();
    await client.nudge(infohash);
    await until(client, infohash, ({ state }) => state === "complete");
    expect(readFileSync(join(folder, "film", "c")).equals(content)).toBe(true);
  });

  it("on a disk that is full to the last byte can be let go of, with its files", async () => {
    const { infohash, file } = await seeded();
    const { client, folder } = await serve("leecher");
    await client.add({ infohash, source: { file }, tag: "sluice-a", folder });
    await until(client, infohash, ({ state }) => state === "complete");
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    vi.spyOn(StateFolder.prototype, "writeRecord").mockRejectedValue(full);
    const other = { infohash: "ab".repeat(20), source: { magnet: `magnet:?xt=urn:btih:${"ab".repeat(20)}` } };
    const added = client.add({ ...other, tag: "sluice-b", folder });
    await expect(added).rejects.toMatchObject({ kind: "unavailable", code: "DISK_FULL" });
    await client.release(infohash, "sluice-a", { withFiles: true });
    expect((await client.look()).size).toBe(0);
    expect(readdirSync(folder)).toEqual([".sluice-torrents"]);
  });

  it("that cannot be taken is told so when peers have said what it is of", async () => {
    const { infohash, magnet } = await seeded();
    const { client, folder, server } = await serve("leecher", { mostFiles: 2 });
    await client.add({ infohash, source: { magnet }, tag: "sluice-a", folder });
    const seen = await until(client, infohash, ({ state }) => state === "failed");
    expect(seen).toMatchObject({ problem: expect.stringContaining("it has 3 files; 2 is the most"), path: null });
    // The next life knows it from its notes.
    await server.stop();
    servers = servers.filter((one) => one !== server);
    const again = await serve("leecher", { mostFiles: 2 });
    expect((await again.client.look()).get(infohash)).toMatchObject({ state: "failed", tags: ["sluice-a"] });
    await again.client.release(infohash, "sluice-a", { withFiles: true });
    expect(readdirSync(join(folder, ".sluice-torrents")).sort()).toEqual(["address", "lock", "token"]);
  });

  it("that a process ended amid removing is removed by the next", async () => {
    const { infohash, file } = film();
    const first = await serve("leecher");
    await first.client.add({ infohash, source: { file }, tag: "sluice-a", folder: first.folder });
    const record = join(first.folder, ".sluice-torrents", `${infohash}.json`);
    await first.server.stop();
    servers = servers.filter((one) => one !== first.server);
    writeFileSync(
      record,
      JSON.stringify({ ...JSON.parse(readFileSync(record, "utf8")), leaving: { withFiles: true } }),
    );
    const second = await serve("leecher");
    expect((await second.client.look()).size).toBe(0);
    expect(readdirSync(join(first.folder, ".sluice-torrents")).sort()).toEqual(["address", "lock", "token"]);
  });

  it("is kept within a limit", async () => {
    const { infohash, file } = await seeded();
    const { client, folder } = await serve("leecher", { downloadLimit: 150_000 });
    const start = systemClock.monotonic();
    await client.add({ infohash, source: { file }, tag: "sluice-a", folder });
    await until(client, infohash, ({ state }) => state === "complete");
    // A second's worth is free, the other half of it is not.
    expect(systemClock.monotonic() - start).toBeGreaterThan(700);
  });
});

describe("what it is told", () => {
  it("that cannot be read is told and left alone", async () => {
    const { server, folder } = await serve("leecher");
    await server.stop();
    servers = [];
    const broken = join(folder, ".sluice-torrents", `${"ab".repeat(20)}.json`);
    writeFileSync(broken, "{");
    const said: string[] = [];
    const error = (event: string) => void said.push(event);
    await serve("leecher", { log: { info: () => undefined, warn: () => undefined, error } });
    expect(said).toEqual(["torrents.unreadable"]);
    expect(readFileSync(broken, "utf8")).toBe("{");
  });

  it.each([
    [{ downloadLimit: -1 }, "downloadLimit must be a number from 0 up"],
    [{ folder: "downloads" }, "folder must be a whole path"],
  ])("is checked: %j", async (options, words) => {
    await expect(serve("leecher", options)).rejects.toThrow(words);
  });
});

it("a budget lends one block more than it has, and waits until that is paid back", () => {
  const budget = new Budget(1_000);
  expect([budget.take(900, 0), budget.take(900, 0), budget.take(1, 0)]).toEqual([true, true, false]);
  expect([budget.take(1, 800), budget.take(1, 801)]).toEqual([false, true]);
  expect(new Budget(0).take(10 ** 12, 0)).toBe(true);
});
