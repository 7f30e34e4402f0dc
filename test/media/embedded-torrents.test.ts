// The embedded client as it runs: processes of its own, a tracker and seeders of two kinds, on the loopback.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { bencode, makeTorrent } from "../../sandbox/media/make-torrent.ts";
import { type MadeTorrent, type SeenTorrent, torrentsContract } from "../../src/connectors/index.ts";
import { EmbeddedWorld } from "../support/embedded-world.ts";
import { LyingPeer } from "../support/lying-peer.ts";
import { OtherClient } from "../support/other-client.ts";
import { TorrentsProcess } from "../support/torrents-process.ts";
import { seenUntil, until } from "../support/until.ts";

const world = new EmbeddedWorld();
const other = new OtherClient(join(world.root, "qbittorrent"));
beforeAll(async () => void (await Promise.all([world.start(), other.start()])));
afterAll(async () => {
  await other.stop();
  await world.stop();
});
beforeEach(() => world.empty());

const TAG = "sluice-a";
const ours = ({ infohash, file }: MadeTorrent, folder = world.leecher.folder) => ({
  infohash,
  source: { file },
  tag: TAG,
  folder,
});
const linked = ({ infohash, magnet }: MadeTorrent) => ({ ...ours({ infohash } as MadeTorrent), source: { magnet } }); // no file is looked at
const seen = async (infohash: string): Promise<SeenTorrent | undefined> =>
  (await world.leecher.client().look()).get(infohash);
const becomes = (infohash: string, isSo: (torrent: SeenTorrent) => boolean) =>
  seenUntil(world.leecher.client(), (all) => {
    const torrent = all.get(infohash);
    return torrent !== undefined && isSo(torrent);
  });
const isComplete = ({ state }: SeenTorrent) => state === "complete";

describe("the embedded client", () => {
  test.each(torrentsContract)("keeps the contract: $name", ({ run }) => run(world.contract()));
});

describe("with another kind of client", () => {
  it("downloads from it, by file and by link", async () => {
    for (const [name, add] of [["from-it", ours] as const, ["by-link-from-it", linked] as const]) {
      const made = await world.make(name, { isSeeded: false, bytes: 3_000_000 });
      world.writeTo(made.infohash, join(other.downloads, name));
      await other.seed(made, join(other.downloads, name));
      await world.leecher.client().add(add(made));
      await becomes(made.infohash, isComplete);
      expect(world.isOnDisk(made.infohash, world.leecher.folder)).toBe(true);
    }
  });

  it("gives to it what it has", async () => {
    const made = await world.make("to-it", { isSeeded: true, bytes: 3_000_000 });
    const folder = join(other.downloads, "to-it");
    await other.add(made, folder);
    await until(() => world.isOnDisk(made.infohash, folder), "the other client to have it");
    const given = await seenUntil(world.seeder.client(), (all) => (all.get(made.infohash)?.ratio ?? 0) > 0.9);
    expect(given.get(made.infohash)?.state).toBe("complete");
  });
});

describe("a process that ends", () => {
  const slow = ["--download-limit", "300"];

  it("killed amid a download goes on with the pieces it had, and has lost nothing that it was told", async () => {
    const made = await world.make("killed", { isSeeded: true, bytes: 4_000_000 });
    await world.leecher.stop();
    await world.leecher.start(...slow);
    await world.leecher.client().add(ours(made));
    // Noted every two seconds: what was noted is what has to be there.
    const progress = join(world.leecher.folder, ".sluice-torrents", `${made.infohash}.progress`);
    await until(() => noted(progress) > 0, "some of it to be noted");
    const sure = noted(progress);
    await world.leecher.kill();
    await world.leecher.start(...slow);
    const back = await seen(made.infohash);
    expect(back).toMatchObject({ tags: [TAG], isOurs: true, folder: world.leecher.folder });
    await becomes(made.infohash, ({ state }) => state === "downloading");
    expect((await seen(made.infohash))?.doneBytes).toBeGreaterThanOrEqual(sure);
    await world.leecher.kill();
    await world.leecher.start();
    await becomes(made.infohash, isComplete);
    expect(world.isOnDisk(made.infohash, world.leecher.folder)).toBe(true);
    const { receivedBytes = 0 } = (await seen(made.infohash)) ?? {};
    expect(receivedBytes).toBeLessThan(made.bytes * 1.5);
  });

  it("killed after a link told what it is of does not ask again", async () => {
    const made = await world.make("link-killed", { isSeeded: true });
    await world.leecher.client().add(linked(made));
    await becomes(made.infohash, isComplete);
    await world.leecher.kill();
    await world.tracker.stop();
    await world.leecher.start();
    await becomes(made.infohash, isComplete);
    expect((await seen(made.infohash))?.path).toBe(join(world.leecher.folder, made.name));
    await world.tracker.start();
  });

  it("finds out that its files are gone, and fetches them again after a nudge", async () => {
    const made = await world.make("lost", { isSeeded: true });
    await world.leecher.client().add(ours(made));
    await becomes(made.infohash, isComplete);
    await world.leecher.stop();
    rmSync(join(world.leecher.folder, made.name), { recursive: true });
    await world.leecher.start();
    await becomes(made.infohash, ({ state }) => state === "missing-files");
    expect((await seen(made.infohash))?.problem).toContain(made.name);
    await world.leecher.client().nudge(made.infohash);
    await becomes(made.infohash, isComplete);
    expect(world.isOnDisk(made.infohash, world.leecher.folder)).toBe(true);
  });

  it("is alone in its folder", async () => {
    const second = new TorrentsProcess(world.leecher.folder);
    await expect(second.start()).rejects.toThrow(`process ${world.leecher.pid} keeps the torrents`);
  });
});

describe("a torrent that stands still", () => {
  it("is downloading without a byte when its seeder is gone, and goes on when one comes", async () => {
    const made = await world.make("stalled", { isSeeded: true, bytes: 4_000_000 });
    await world.leecher.stop();
    await world.leecher.start("--download-limit", "300");
    await world.leecher.client().add(ours(made));
    await becomes(made.infohash, ({ receivedBytes }) => receivedBytes > 0);
    await world.seeder.kill();
    await becomes(made.infohash, ({ seeds }) => seeds === 0);
    const before = await seen(made.infohash);
    expect(before).toMatchObject({ state: "downloading", problem: null });
    const announced = world.tracker.announces.length;
    await world.leecher.client().nudge(made.infohash);
    await until(() => world.tracker.announces.length > announced, "the tracker to be asked again");
    expect((await seen(made.infohash))?.receivedBytes).toBe(before?.receivedBytes);
    await world.leecher.stop();
    await Promise.all([world.leecher.start(), world.seeder.start()]);
    await becomes(made.infohash, isComplete);
    expect(world.isOnDisk(made.infohash, world.leecher.folder)).toBe(true);
  });

  it("waits for its turn where only so many run", async () => {
    await world.leecher.stop();
    await world.leecher.start("--at-a-time", "1");
    const [first, second] = [
      await world.make("first", { isSeeded: false }),
      await world.make("second", { isSeeded: false }),
    ];
    for (const made of [first, second]) await world.leecher.client().add(ours(made));
    await becomes(first.infohash, ({ state }) => state === "downloading");
    await becomes(second.infohash, ({ state }) => state === "queued");
    await world.leecher.client().release(first.infohash, TAG, { withFiles: true });
    await becomes(second.infohash, ({ state }) => state === "downloading");
    await world.leecher.stop();
    await world.leecher.start();
  });

  it("gives back until its goal, and stays complete", async () => {
    const made = await world.make("goal", { isSeeded: true });
    await world.leecher.stop();
    await world.leecher.start("--seed-time", "1s");
    await world.leecher.client().add(ours(made));
    await becomes(made.infohash, ({ clientState }) => clientState === "done");
    const { state, seededMs = 0 } = (await seen(made.infohash)) ?? {};
    expect(state).toBe("complete");
    expect(seededMs).toBeGreaterThanOrEqual(1_000);
    await world.leecher.stop();
    await world.leecher.start();
  });
});

describe("what could do harm", () => {
  it("keeps nothing that is wrong, says so, does not ask the liar again, and takes it from whoever has it right", async () => {
    const made = await world.make("wrong", { isSeeded: false, bytes: 200_000 });
    const liar = new LyingPeer(made.infohash, Math.ceil(made.bytes / PIECE));
    await liar.start(world.tracker.announceUrl);
    await world.leecher.client().add(ours(made));
    await becomes(made.infohash, ({ problem }) => problem?.includes("was wrong") === true);
    const { doneBytes, receivedBytes, state } = (await seen(made.infohash)) ?? {};
    expect([doneBytes, state]).toEqual([0, "downloading"]);
    expect(receivedBytes).toBeGreaterThan(0);
    await world.seed(made);
    await world.leecher.client().nudge(made.infohash);
    await becomes(made.infohash, isComplete);
    expect(world.isOnDisk(made.infohash, world.leecher.folder)).toBe(true);
    expect(liar.connections).toBe(1);
    await liar.stop();
  });

  const PIECE = 16_384;
  /** Seeded by qBittorrent's own file, so only the link is known to us: the names come from peers. */
  const hostile = (info: Parameters<typeof bencode>[0]) => {
    const bytes = bencode(info);
    const infohash = createHash("sha1").update(bytes).digest("hex");
    const file = bencode({ announce: world.tracker.announceUrl, info });
    const magnet = `magnet:?xt=urn:btih:${infohash}&tr=${encodeURIComponent(world.tracker.announceUrl)}`;
    return { infohash, file, magnet };
  };
  const pieces = createHash("sha1").update(Buffer.alloc(10)).digest();
  const torrentOf = (path: readonly string[], more: object = {}) =>
    hostile({ files: [{ length: 10, path, ...more }], name: "x", "piece length": PIECE, pieces });

  it.each([
    ["a way out", ["..", "..", "etc", "passwd"]],
    ["a whole path", ["/etc/passwd"]],
    ["a NUL", ["a\0b"]],
    ["nothing", [""]],
  ])("refuses %s as a name", async (_, path) => {
    const { infohash, file } = torrentOf(path);
    const add = world.leecher.client().add({ infohash, source: { file }, tag: TAG, folder: world.leecher.folder });
    await expect(add).rejects.toMatchObject({ kind: "permanent", code: "NOT_A_TORRENT" });
    // And where nobody looked before: at its own door.
    const body = { infohash, file: Buffer.from(file).toString("base64"), tag: TAG, folder: world.leecher.folder };
    const answer = await world.leecher.ask("POST", "torrents", body);
    expect([answer.status, (await answer.text()).split(":")[0]]).toEqual([422, "NOT_A_TORRENT"]);
    expect(await world.all()).toEqual([]);
  });

  it("refuses a link to another file, and too many files", async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => ({ length: 1, path: [`${index}`] }));
    const torrents = [
      torrentOf(["link"], { attr: "l", "symlink path": ["..", "etc", "passwd"] }),
      hostile({ files: many, name: "many", "piece length": PIECE, pieces }),
    ];
    for (const { infohash, file } of torrents) {
      const body = { infohash, file: Buffer.from(file).toString("base64"), tag: TAG, folder: world.leecher.folder };
      expect((await world.leecher.ask("POST", "torrents", body)).status).toBe(422);
    }
  });

  it("shortens a name that no disk takes", async () => {
    const content = Buffer.from("0123456789");
    const name = `${"n".repeat(300)}.mkv`;
    const made = makeTorrent({ name, files: [{ content }], announce: world.tracker.announceUrl });
    const folder = join(world.seeder.folder, "long");
    await world.leecher.client().add({ ...ours({ ...made, name, bytes: 10 }) });
    const path = (await becomes(made.infohash, ({ path }) => path !== null)).get(made.infohash)?.path ?? "";
    expect(path).toMatch(/n~[0-9a-f]{8}\.mkv$/);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, path.slice(path.lastIndexOf("/") + 1)), content);
    await world.seeder.client().add({ ...ours({ ...made, name, bytes: 10 }), tag: "sluice-seed", folder });
    await becomes(made.infohash, isComplete);
    expect(readFileSync(path)).toEqual(content);
  });

  it("writes nowhere but below its folder, and over nobody's file", async () => {
    const made = await world.make("elsewhere", { isSeeded: true });
    const outside = world.leecher.client().add(ours(made, "/etc/cron.d"));
    await expect(outside).rejects.toMatchObject({ kind: "permanent", message: expect.stringContaining("below it") });
    const place = join(world.leecher.folder, "theirs");
    mkdirSync(join(place, made.name), { recursive: true });
    writeFileSync(join(place, made.name, "part one.bin"), "somebody's own");
    await world.leecher.client().add(ours(made, place));
    await becomes(made.infohash, ({ state }) => state === "failed");
    expect((await seen(made.infohash))?.problem).toContain("something else");
    await world.leecher.client().release(made.infohash, TAG, { withFiles: true });
    expect(readFileSync(join(place, made.name, "part one.bin"), "utf8")).toBe("somebody's own");
  });

  it("refuses a second torrent in the place of another", async () => {
    const [one, two] = [await world.make("place", { isSeeded: false }), await world.make("place", { isSeeded: false })];
    await world.leecher.client().add(ours(one));
    await expect(world.leecher.client().add(ours(two))).rejects.toMatchObject({
      kind: "permanent",
      code: "PLACE_TAKEN",
    });
    expect(await world.all()).toEqual([one.infohash]);
  });

  it("answers nobody without the token", async () => {
    for (const authorization of [undefined, "Bearer wrong"]) {
      const headers = authorization === undefined ? {} : { authorization };
      expect((await fetch(new URL("torrents", world.leecher.url), { headers })).status).toBe(401);
    }
    const { mode } = statSync(join(world.leecher.folder, ".sluice-torrents", "token"));
    expect(mode & 0o077).toBe(0);
    expect(existsSync(join(world.leecher.folder, ".sluice-torrents", "lock"))).toBe(true);
  });
});

/** Bytes of pieces that stand in its notes. */
function noted(progress: string): number {
  if (!existsSync(progress)) return 0;
  const { have } = JSON.parse(readFileSync(progress, "utf8")) as { have: string | null }; // what the client wrote
  const bits = Buffer.from(have ?? "", "base64").reduce(
    (sum, byte) => sum + byte.toString(2).replaceAll("0", "").length,
    0,
  );
  return Math.max(0, bits - 1) * 16_384;
}
