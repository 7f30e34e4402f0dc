// The client against the real qBittorrent of the distribution, with a tracker and a seeder, on the loopback.

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { bencode, makeTorrent } from "../../sandbox/media/make-torrent.ts";
import { infohashOf, type MadeTorrent, qbittorrent, torrentsContract } from "../../src/connectors/index.ts";
import { QbittorrentWorld } from "../support/qbittorrent-world.ts";
import { seenUntil, until } from "../support/until.ts";

const world = new QbittorrentWorld();
beforeAll(() => world.start());
afterAll(() => world.stop());
beforeEach(async () => {
  await world.person.empty();
  await prefer({ temp_path_enabled: false, bypass_local_auth: false, dl_limit: FAST });
});

const FAST = 0;
/** So that what is under way is seen on its way, also by a machine that is busy. */
const SLOW = 200_000;
const prefer = (preferences: object) => world.person.ask("app/setPreferences", { json: JSON.stringify(preferences) });
const limit = (bytes: number) => prefer({ dl_limit: bytes });
const ours = ({ infohash, file }: MadeTorrent, folder = world.leecher.downloads) => ({
  infohash,
  source: { file },
  tag: "sluice-a",
  folder,
});

describe("the client of a real qBittorrent", () => {
  test.each(torrentsContract)("keeps the contract: $name", ({ run }) => run(world.contract()));
});

describe("a real qBittorrent", () => {
  it("has a torrent whose seeder is gone stand still in its bytes, whatever its word, and a nudge brings it back", async () => {
    const made = await world.make("stalled", { isSeeded: true, bytes: 3_000_000 });
    const client = world.client();
    await limit(SLOW);
    await client.add(ours(made));
    await seenUntil(client, (seen) => (seen.get(made.infohash)?.receivedBytes ?? 0) > 0);
    await world.seeder.kill();
    await seenUntil(client, (seen) => seen.get(made.infohash)?.seeds === 0);
    const before = (await client.look()).get(made.infohash);
    expect(before).toMatchObject({ state: "downloading", problem: null });
    const announced = world.tracker.announces.length;
    await client.nudge(made.infohash);
    await until(() => world.tracker.announces.length > announced, "it asks the tracker again");
    const after = (await client.look()).get(made.infohash);
    expect(after?.receivedBytes).toBe(before?.receivedBytes);
    await world.seeder.start();
    await limit(FAST);
    await until(async () => {
      await client.nudge(made.infohash);
      return (await client.look()).get(made.infohash)?.state === "complete";
    }, "the rest of it");
    expect(world.isOnDisk(made.infohash, world.leecher.downloads)).toBe(true);
  });

  it("killed and started again goes on, from where it had noted, and its client with it", async () => {
    const made = await world.make("killed", { isSeeded: true, bytes: 3_000_000 });
    const client = world.client();
    await limit(SLOW);
    await client.add(ours(made));
    const before = await seenUntil(client, (seen) => (seen.get(made.infohash)?.doneBytes ?? 0) > 500_000);
    // Nobody who could send it more before it is looked at.
    await world.seeder.stop();
    await world.leecher.kill();
    await expect(client.look()).rejects.toMatchObject({ kind: "unavailable", code: "NOT_REACHED" });
    await world.leecher.start();
    const back = (await seenUntil(client, (seen) => seen.has(made.infohash))).get(made.infohash);
    expect(back).toMatchObject({ tags: ["sluice-a"], isOurs: true });
    expect(back?.doneBytes).toBeLessThan(before.get(made.infohash)?.doneBytes ?? 0);
    await world.seeder.start();
    await limit(FAST);
    await until(async () => {
      await client.nudge(made.infohash);
      return (await client.look()).get(made.infohash)?.state === "complete";
    }, "the rest of it");
    expect(world.isOnDisk(made.infohash, world.leecher.downloads)).toBe(true);
  });

  it("says that a folder cannot be written to", async () => {
    const made = await world.make("no-folder", { isSeeded: true });
    const client = world.client();
    await client.add(ours(made, "/proc/nowhere"));
    const seen = await seenUntil(client, (all) => all.get(made.infohash)?.state === "failed");
    expect(seen.get(made.infohash)).toMatchObject({ clientState: "error", problem: expect.stringContaining("error") });
  });

  it("says that files are missing which it had", async () => {
    const made = await world.make("lost", { isSeeded: true });
    const client = world.client();
    await client.add(ours(made));
    await seenUntil(client, (seen) => seen.get(made.infohash)?.state === "complete");
    await world.leecher.stop();
    rmSync(join(world.leecher.downloads, "lost"), { recursive: true });
    await world.leecher.start();
    await seenUntil(client, (seen) => seen.get(made.infohash)?.state === "missing-files");
  });

  it("with a folder for what is incomplete says complete only of what lies where it belongs", async () => {
    const made = await world.make("moved", { isSeeded: true, bytes: 1_000_000 });
    const client = world.client();
    const temporary = join(world.folder, "incomplete");
    await prefer({ temp_path_enabled: true, temp_path: temporary, dl_limit: SLOW });
    await client.add(ours(made));
    const folders = new Set<string | null | undefined>();
    await seenUntil(client, (seen) => {
      const { state, folder } = seen.get(made.infohash) ?? {};
      if (state !== "complete") folders.add(folder);
      return state === "complete";
    });
    expect(world.isOnDisk(made.infohash, world.leecher.downloads)).toBe(true);
    expect((await client.look()).get(made.infohash)?.folder).toBe(world.leecher.downloads);
    expect(folders).toContain(temporary);
  });

  it("that trusts this machine needs no password, and minds none", async () => {
    await prefer({ bypass_local_auth: true });
    const made = await world.make("trusted", { isSeeded: false });
    await world.client().add(ours(made));
    const trusted = qbittorrent({ service: "downloads:trusted", baseUrl: world.leecher.url });
    expect([(await trusted.look()).size, (await trusted.look()).size]).toEqual([1, 1]);
    await prefer({ bypass_local_auth: false });
    await world.leecher.stop();
    await world.leecher.start();
    await expect(trusted.look()).rejects.toMatchObject({ kind: "unavailable", code: "AUTH" });
  });

  it("takes three hundred torrents, and shows them in one call", async () => {
    let calls = 0;
    const resolve = async () => {
      calls += 1;
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const baseUrl = world.leecher.url.replace("127.0.0.1", "localhost");
    // Every call is a connection of its own, for which the name is looked up.
    const client = world.client({ baseUrl, resolve });
    const infohashes = Array.from({ length: 300 }, (_, i) => createHash("sha1").update(`film ${i}`).digest("hex"));
    const urls = infohashes.map((infohash) => `magnet:?xt=urn:btih:${infohash}`).join("\n");
    await world.person.ask("torrents/add", { urls, tags: "sluice,sluice-many" });
    await seenUntil(client, ({ size }) => size === 300);
    calls = 0;
    const seen = await client.look();
    expect([calls, seen.size]).toEqual([1, 300]);
    expect([...seen.keys()].sort()).toEqual([...infohashes].sort());
  });

  it("calls a hybrid by another name, and the client by the one that everybody knows", async () => {
    const content = Buffer.alloc(10_000, "hybrid");
    const digest = (kind: string) => createHash(kind).update(content).digest();
    const tree = { "h.bin": { "": { length: content.byteLength, "pieces root": digest("sha256") } } };
    const info = {
      "file tree": tree,
      length: content.byteLength,
      "meta version": 2,
      name: "h.bin",
      "piece length": 16_384,
    };
    const file = bencode({
      announce: world.tracker.announceUrl,
      info: { ...info, pieces: digest("sha1") },
      "piece layers": {},
    });
    const infohash = infohashOf({ file });
    const client = world.client();
    await client.add({ infohash, source: { file }, tag: "sluice-a", folder: world.leecher.downloads });
    const [torrent] = await world.person.torrents();
    expect(torrent?.infohash_v1).toBe(infohash);
    expect(torrent?.hash).not.toBe(infohash);
    expect([...(await client.look()).keys()]).toEqual([infohash]);
    expect(await client.files(infohash)).toMatchObject([{ path: "h.bin", bytes: 10_000 }]);
    await client.release(infohash, "sluice-a", { withFiles: true });
    expect(await world.person.torrents()).toEqual([]);
  });

  it("has no tags of ours left when all is let go", async () => {
    const made = makeTorrent({
      name: "tags",
      files: [{ content: Buffer.from("x") }],
      announce: world.tracker.announceUrl,
    });
    const client = world.client();
    await client.add({ infohash: made.infohash, source: { file: made.file }, tag: "sluice-tags", folder: "/tmp" });
    expect(JSON.parse(await world.person.ask("torrents/tags"))).toContain("sluice-tags");
    await client.release(made.infohash, "sluice-tags", { withFiles: true });
    expect(JSON.parse(await world.person.ask("torrents/tags"))).not.toContain("sluice-tags");
  });

  it("refuses a wrong password, and bans whoever goes on with that", async () => {
    const wrong = () => world.client({ password: "wrong" }).look();
    const refused = { kind: "unavailable", code: "AUTH", breaker: "open" };
    for (let i = 0; i < 5; i += 1)
      await expect(wrong()).rejects.toMatchObject({ ...refused, message: expect.stringContaining("password") });
    await expect(wrong()).rejects.toMatchObject({ ...refused, message: expect.stringContaining("banned") });
    await expect(world.client().look()).rejects.toMatchObject({ message: expect.stringContaining("banned") });
    // A restart forgets bans; the other tests have to get in. It may also bring back what was deleted a moment before.
    await world.leecher.stop();
    await world.leecher.start();
    await expect(world.client().look()).resolves.toBeInstanceOf(Map);
  });
});
