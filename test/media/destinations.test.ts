// Where files are taken to: a folder, a little SFTP server of our own, and the distribution's sshd.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test, vi } from "vitest";
import { Line } from "../../sandbox/media/line.ts";
import { SftpServer } from "../../sandbox/media/sftp-server.ts";
import { newKey, publicOf } from "../../sandbox/media/ssh-keys.ts";
import { SshdProcess } from "../../sandbox/media/sshd-process.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { destinationContract, partPath, remoteDestinationContract } from "../../src/connectors/index.ts";
import {
  folderWorld,
  littleServerClient,
  littleServerWorld,
  OutBox,
  sshdClient,
  sshdWorld,
} from "../support/destination-worlds.ts";
import { FolderOnDisk } from "../support/folder-on-disk.ts";
import { withUpload } from "./upload.ts";

const box = new OutBox();
const home = temporaryFolder("sluice-destinations");
const SOON = { timeout: 30_000 };
const IDLE_MS = 3_000;
const everything = [...destinationContract, ...remoteDestinationContract];

const openFiles = () =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    const path = `/proc/self/fd/${fd}`;
    return existsSync(path) ? [readlinkSync(path)] : [];
  });

function folder(name: string): FolderOnDisk {
  mkdirSync(join(home, name), { mode: 0o755 });
  return new FolderOnDisk(join(home, name));
}

afterAll(() => {
  box.empty();
  rmSync(home, { recursive: true });
});

describe("a folder", () => {
  const disk = folder("folder");
  beforeEach(() => disk.empty());
  afterAll(() => disk.empty());

  test.each(destinationContract)("keeps the contract: $name", ({ run }) => run(folderWorld(disk, box.file)));

  it("does not follow a link that lies where a part would be written", async () => {
    const parcel = { file: await box.file(Buffer.alloc(10)), to: "film.mkv", id: "a1" };
    const elsewhere = join(home, "elsewhere");
    writeFileSync(elsewhere, "mine");
    symlinkSync(elsewhere, join(disk.root, partPath(parcel)));
    await expect(folderWorld(disk, box.file).client.send(parcel)).rejects.toMatchObject({ code: "ELOOP" });
    expect(readFileSync(elsewhere, "utf8")).toBe("mine");
  });

  it("has a large film without our ever holding it in memory", async () => {
    const [bytes, file] = [256_000_000, join(home, "large.mkv")];
    writeFileSync(file, "");
    truncateSync(file, bytes);
    const held = () => process.memoryUsage().arrayBuffers;
    const before = held();
    let most = 0;
    const onBytes = () => {
      most = Math.max(most, held() - before);
    };
    const sent = await folderWorld(disk, box.file).client.send({ file, to: "film.mkv", id: "a1" }, { onBytes });
    expect(sent.bytes).toBe(bytes);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(bytes / 2);
    rmSync(file);
  });
});

describe("a little SFTP server", () => {
  const disk = folder("little");
  const server = new SftpServer({ root: disk.root });
  const world = () => littleServerWorld(server, disk, box.file);
  const parcel = async (bytes: number) => ({ file: await box.file(Buffer.alloc(bytes, 7)), to: "film.mkv", id: "a1" });
  beforeAll(() => server.up());
  afterAll(() => server.down());
  beforeEach(() => {
    for (const name of Object.keys(server.troubles)) Reflect.deleteProperty(server.troubles, name);
    disk.empty();
  });

  test.each(everything)("keeps the contract: $name", ({ run }) => run(world()));

  it("that says all was written and stored something else is not believed, and the part is removed", async () => {
    server.troubles.storesZeros = true;
    await expect(world().client.send(await parcel(2_000_000))).rejects.toMatchObject({ code: "WRONG_BYTES" });
    expect(disk.paths()).toEqual([]);
  });

  it("has no connection, file or timer of ours left after an abort", async () => {
    const busy = () =>
      process.getActiveResourcesInfo().filter((name) => /Timeout|TCPSocketWrap|FSReq/.test(name)).length;
    const before = busy();
    const controller = new AbortController();
    server.troubles.slowMs = 5;
    const sent = await parcel(5_000_000);
    const sending = world().client.send(sent, {
      signal: controller.signal,
      onBytes: () => controller.abort(new Error("enough")),
    });
    await expect(sending).rejects.toThrow("enough");
    await vi.waitFor(() => {
      expect(server.connections).toBe(0);
      expect(busy()).toBeLessThanOrEqual(before);
      expect(openFiles()).not.toContain(sent.file);
    }, SOON);
  });

  it("has no connection of ours left where the greeting came to nothing", async () => {
    const { hostKey } = await world().client.about();
    const greeted = async (options: Parameters<typeof littleServerClient>[1], code: string) =>
      await expect(littleServerClient(server, options).about()).rejects.toMatchObject({ code });
    await greeted({ password: "open wheat" }, "AUTH");
    await greeted({ hostKey: `${hostKey?.slice(0, -1)}!` }, "HOST_KEY_CHANGED");
    await greeted({ username: "nobody" }, "AUTH");
    await vi.waitFor(() => expect(server.connections).toBe(0), SOON);
    const open = new Set<Socket>();
    // Takes whoever comes, and says nothing.
    const mute = createServer((socket) => {
      open.add(socket.resume().once("close", () => open.delete(socket)));
    });
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
    const address = mute.address();
    if (address === null || typeof address === "string") throw new Error("it listens on a port");
    await greeted({ port: address.port, connectMs: 300 }, "NOT_REACHED");
    await vi.waitFor(() => expect(open.size).toBe(0), SOON);
    await new Promise((resolve) => mute.close(resolve));
  });

  it("is left by an abort while it is silent, long before it would be given up", async () => {
    const controller = new AbortController();
    const sending = world().client.send(await parcel(5_000_000), {
      signal: controller.signal,
      onBytes: () => {
        server.troubles.isSilent = true;
      },
    });
    const outcome = expect(sending).rejects.toThrow("enough");
    await vi.waitFor(() => expect(server.troubles.isSilent).toBe(true), SOON);
    // What it has said already is on its way.
    await sleep(100);
    controller.abort(new Error("enough"));
    await outcome;
  });

  it("whose disk is broken is not taken for one whose disk is full", async () => {
    const onBytes = (bytes: number) => {
      if (bytes > 1_000_000) server.troubles.failsWrites = true;
    };
    const sending = world().client.send(await parcel(3_000_000), { onBytes });
    await expect(sending).rejects.toMatchObject({ kind: "transient", code: "SFTP_4" });
  });

  it("is sent no more in a second than was said", async () => {
    const started = performance.now();
    const paced = littleServerClient(server, { bytesPerSecond: 2_000_000 });
    await paced.send(await parcel(2_000_000));
    expect(performance.now() - started).toBeGreaterThan(900);
  });

  it("that is slow is waited for, as long as it answers now and then", async () => {
    server.troubles.slowMs = 150;
    const started = performance.now();
    const { bytes } = await world()
      .as({ idleMs: IDLE_MS })
      .send(await parcel(10_000_000));
    expect(bytes).toBe(10_000_000);
    // In less time nobody could have been given up.
    expect(performance.now() - started).toBeGreaterThan(IDLE_MS);
  });

  it("lets in by a key too, and one that cannot be read opens nothing", async () => {
    const key = newKey();
    const keyed = new SftpServer({ root: disk.root, authorizedKey: publicOf(key) });
    await keyed.up();
    const as = (privateKey: string) => littleServerClient(keyed, { password: undefined, privateKey });
    expect(await as(key).about()).toMatchObject({
      kind: "sftp",
      isAtomic: false,
      hasSync: false,
      freeBytes: null,
    });
    await expect(as("no key").about()).rejects.toMatchObject({
      code: "AUTH",
      message: expect.stringContaining("read"),
    });
    await keyed.down();
  });

  it("without the folder that is set is not reached, whatever its disk would take", async () => {
    const lost = littleServerClient(server, { root: "/not mounted" });
    await expect(lost.send(await parcel(10))).rejects.toMatchObject({ kind: "unavailable", code: "NOT_REACHED" });
    expect(disk.paths()).toEqual([]);
  });

  it("at an address that only serves attacks is not gone to", async () => {
    const metadata = littleServerClient(server, { host: "169.254.169.254" });
    await expect(metadata.about()).rejects.toMatchObject({ kind: "unavailable", code: "EGRESS_REFUSED" });
  });
});

describe("a real sshd", () => {
  const disk = new FolderOnDisk(join(home, "sshd", "files"));
  mkdirSync(join(home, "sshd"), { mode: 0o711 });
  const sshd = new SshdProcess(join(home, "sshd"));
  const line = new Line(() => sshd.port);
  beforeAll(async () => {
    await sshd.start();
    await line.up();
  });
  beforeEach(() => disk.empty());
  afterAll(async () => {
    disk.empty();
    await line.down();
    await sshd.stop();
  });

  test.each(everything)("keeps the contract: $name", ({ run }) => run(sshdWorld(sshd, line, disk, box.file)));

  it("replaces a name in one step, and writes out what it was sent", async () => {
    expect(await sshdClient(sshd, line).about()).toMatchObject({ root: disk.root, isAtomic: true, hasSync: true });
  });

  it("tells how much room it has, and what does not fit is not begun", async () => {
    const { folder } = await disk.smallDisk();
    const before = line.bytes;
    const parcel = { file: await box.file(Buffer.alloc(7_000_000)), to: `${folder}film.mkv`, id: "a1" };
    await expect(sshdClient(sshd, line).send(parcel)).rejects.toMatchObject({
      code: "DISK_FULL",
      message: expect.stringMatching(/has \d+ bytes left, and 7000000 are to come/),
    });
    expect(line.bytes - before).toBeLessThan(100_000);
    expect(disk.paths()).toEqual([]);
  });

  it("killed in the middle is a lost line, and goes on where it was when it is back", async () => {
    const film = Buffer.alloc(5_000_000, "a film ");
    const parcel = { file: await box.file(film), to: "film.mkv", id: "a1" };
    const client = sshdClient(sshd, line);
    const onBytes = (bytes: number) => bytes > 3_000_000 && line.cut();
    await expect(client.send(parcel, { onBytes })).rejects.toMatchObject({
      kind: "transient",
      code: "CONNECTION_LOST",
    });
    await sshd.stop();
    await expect(client.send(parcel)).rejects.toMatchObject({ kind: "unavailable", code: "NOT_REACHED" });
    await sshd.start();
    expect((await client.send(parcel)).sentBytes).toBeLessThanOrEqual(2_000_000);
  });

  it("has 40 MB that were cut at 60 % whole, after less than a megabyte was sent again", async () => {
    const { sentAgain, isSame } = await withUpload(40, (upload) => upload.cut());
    // Nothing where the server had taken in all that was under way before it lost the line.
    expect([isSame, sentAgain >= 0, sentAgain <= 1_000_000]).toEqual([true, true, true]);
  });
});
