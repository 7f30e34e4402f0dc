// Films to real servers: the distribution's sshd, a little SFTP server that can be broken, and folders; with PostgreSQL.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LittleMediaServer } from "../../sandbox/media/media-server.ts";
import { SftpServer } from "../../sandbox/media/sftp-server.ts";
import { SshdProcess } from "../../sandbox/media/sshd-process.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { MEDIA_TABLES, type ServerRow, setClient, setIndexer, setServer } from "../../src/apps/media/index.ts";
import { findServer, forgetHostKey } from "../../src/apps/media/settings/servers.sql.ts";
import { prepareTables } from "../../src/engine/index.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import {
  type Delivering,
  type DeliveryPlaces,
  FILMS,
  openDelivering,
  type ProofFilm,
  sha256Of,
} from "./delivery-world.ts";

const home = temporaryFolder("sluice-delivering");
const folder = (name: string): string => {
  mkdirSync(join(home, name), { mode: 0o755 });
  return join(home, name);
};
const roots = {
  little: folder("little"),
  cellar: folder("cellar"),
  near: folder("near"),
  loft: folder("loft"),
  shelf: folder("shelf"),
};
const sshd = new SshdProcess(folder("sshd"));
const little = new SftpServer({ root: roots.little });
const cellar = new SftpServer({ root: roots.cellar });
const jellyfin = new LittleMediaServer({ kind: "jellyfin", key: "right", folders: ["/media/Films"] });

let database: TestServer;
let world: Delivering;
let places: DeliveryPlaces;
const films = [...FILMS];
let film: ProofFilm;
const children: ChildProcess[] = [];

const BASE: ServerRow = {
  ...{ name: "", kind: "folder", host: null, port: 22, username: null, has_password: false, has_private_key: false },
  ...{ host_key: null, root: "/", films: "Films", series: "Series", bytes_per_second: null, encoding: null },
  ...{ is_default: false, media_kind: null, media_url: null, has_media_key: false, media_root: null },
};
const set = (name: string, row: Partial<ServerRow>) => setServer(world.sluice.tables, { ...BASE, name, ...row });
const far = (server: SftpServer): Partial<ServerRow> => ({
  ...{ kind: "sftp", host: "127.0.0.1", port: server.port, username: server.username, has_password: true },
  root: "/",
});

beforeAll(async () => {
  database = await startServer();
  await Promise.all([little.up(), cellar.up(), sshd.start(), jellyfin.up()]);
  places = {
    ...{ database: database.url(), disk: folder("downloads") },
    secrets: {
      "media.server.little.password": little.password,
      "media.server.cellar.password": cellar.password,
      "media.server.sshd.privateKey": sshd.privateKey,
      "media.server.shelf.mediaKey": "right",
    },
  };
  world = await openDelivering(places);
  const { tables } = world.sluice;
  await prepareTables(tables, "media", MEDIA_TABLES);
  await setIndexer(tables, {
    ...{ name: "main", url: "http://main", has_key: false, categories: [], links: "public", priority: 10, is_on: true },
  });
  await setClient(tables, {
    ...{ name: "main", kind: "qbittorrent", url: "http://main", username: null, has_password: false },
    ...{ folder: null, paths: [], priority: 25, is_on: true },
  });
  const media = {
    media_kind: "jellyfin",
    media_url: jellyfin.origin,
    has_media_key: true,
    media_root: "/media",
  } as const;
  await set("little", far(little));
  await set("cellar", far(cellar));
  await set("sshd", {
    ...{ kind: "sftp", host: "127.0.0.1", port: sshd.port, username: sshd.username, has_private_key: true },
    root: sshd.root,
  });
  await set("near", { root: roots.near });
  await set("loft", { root: roots.loft });
  await set("shelf", { root: roots.shelf, ...media });
});
afterAll(async () => {
  await world.close();
  await Promise.all([little.down(), cellar.down(), sshd.stop(), jellyfin.down()]);
  await database.stop();
  rmSync(home, { recursive: true });
});
beforeEach(() => {
  film = films.shift() ?? expect.fail("a film for each test");
  for (const server of [little, cellar])
    for (const name of Object.keys(server.troubles)) Reflect.deleteProperty(server.troubles, name);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

const rootOf = (name: string): string => (name === "sshd" ? sshd.root : roots[name as keyof typeof roots]);
const at = (name: string): string => join(rootOf(name), film.to);
const filesBelow = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((one) =>
    one.isFile() ? [join(one.parentPath, one.name)] : [],
  );
const parts = (name: string) => filesBelow(rootOf(name)).filter((path) => path.endsWith(".part"));
const partBytes = (name: string) =>
  parts(name).reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);

/** Looks all the time whether half of a file is to be seen under its name. */
function lookout(names: readonly string[]) {
  const halves = new Set<string>();
  const looking = setInterval(() => {
    for (const name of names) {
      const found = statSync(at(name), { throwIfNoEntry: false });
      if (found !== undefined && found.size !== film.bytes) halves.add(`${name} ${found.size}`);
    }
  }, 5);
  return () => {
    clearInterval(looking);
    return [...halves];
  };
}

describe("a film", () => {
  it("comes to three servers whole, by its checksum, and half of it is never seen under its name", async () => {
    const names = ["sshd", "little", "near"];
    const halves = lookout(names);
    const { request } = await world.ask(film, names);
    await world.stands(request, "COMPLETED");
    expect(halves()).toEqual([]);
    for (const name of names) expect([sha256Of(at(name)), parts(name)]).toEqual([film.sha256, []]);
    const known = await findServer(world.sluice.tables, "sshd");
    expect(known?.host_key).toMatch(/^SHA256:/);
  });

  it("has its media server look at it; one that is away is noted, and holds nothing", async () => {
    const { request } = await world.ask(film, ["shelf"]);
    await world.stands(request, "COMPLETED");
    expect(jellyfin.world.truth().told).toHaveLength(1);
    expect(jellyfin.world.truth().inVain).toEqual([]);
    film = films.shift() ?? expect.fail("one more");
    await jellyfin.down();
    const { request: other } = await world.ask(film, ["shelf"]);
    await world.stands(other, "COMPLETED");
    await jellyfin.up();
    const [target] = (await world.card(other)).items[0]?.targets ?? [];
    expect(target).toMatchObject({ state: "delivered", mediaServer: { ok: false, sentence: expect.any(String) } });
  });
});

describe("a server", () => {
  it("4 of 5 that cannot be reached has it when it is back, and nothing is sent to the others again", async () => {
    const names = ["sshd", "little", "near", "cellar", "loft"];
    await cellar.down();
    const before = little.receivedBytes;
    const { request } = await world.ask(film, names);
    const others = names.filter((name) => name !== "cellar");
    await until(async () => {
      const states = await world.states(request);
      return others.every((name) => states.includes(`${name} delivered`));
    }, "four of five have it");
    const inodes = others.map((name) => statSync(at(name)).ino);
    expect(little.receivedBytes - before).toBe(film.bytes);
    expect((await world.card(request)).status).toBe("PROCESSING");
    await cellar.up();
    await world.stands(request, "COMPLETED");
    expect(sha256Of(at("cellar"))).toBe(film.sha256);
    expect(little.receivedBytes - before).toBe(film.bytes);
    expect(others.map((name) => statSync(at(name)).ino)).toEqual(inodes);
  });

  it("whose line is cut at 60 % goes on from there", async () => {
    const before = little.receivedBytes;
    little.troubles.cutAfterBytes = Math.floor(film.bytes * 0.6);
    const { request } = await world.ask(film, ["little"]);
    await world.stands(request, "COMPLETED");
    expect(sha256Of(at("little"))).toBe(film.sha256);
    expect(little.receivedBytes - before).toBeLessThanOrEqual(film.bytes + 1_000_000);
  });

  it("without room is waited for, and has it when there is some", async () => {
    little.troubles.capacityBytes = 1_000_000;
    const { request, item } = await world.ask(film, ["little"]);
    await until(async () => {
      const [part] = (await world.sluice.item(item)).parts;
      return part !== undefined && (await world.sluice.explain(part.id)).reason === "disk_low";
    }, "it waits for room");
    expect((await world.sluice.item(item)).parts[0]?.attempts).toBe(0);
    little.troubles.capacityBytes = undefined;
    await world.stands(request, "COMPLETED");
    expect(sha256Of(at("little"))).toBe(film.sha256);
  });

  it("that lets nobody write fails for good in words, and has it when it is tried again alone", async () => {
    chmodSync(sshd.root, 0o555);
    const films_ = join(sshd.root, "Films");
    if (existsSync(films_)) chmodSync(films_, 0o555);
    const { request, item } = await world.ask(film, ["near", "sshd"]);
    await world.stands(request, "PARTIAL");
    expect(await world.states(request)).toEqual(["near delivered", "sshd failed PERMISSION_DENIED"]);
    chmodSync(sshd.root, 0o755);
    if (existsSync(films_)) chmodSync(films_, 0o755);
    expect(await world.sluice.retryParts(item, "ann")).toEqual({ ok: true });
    await world.stands(request, "COMPLETED");
    expect(sha256Of(at("sshd"))).toBe(film.sha256);
  });

  it("with another host key gets nothing, until the old one is forgotten", async () => {
    const { tables } = world.sluice;
    expect((await findServer(tables, "little"))?.host_key).toMatch(/^SHA256:/);
    await little.down();
    little.changeHostKey();
    await little.up();
    const { request, item } = await world.ask(film, ["near", "little"]);
    await world.stands(request, "PARTIAL");
    expect(await world.states(request)).toEqual(["little failed HOST_KEY_CHANGED", "near delivered"]);
    await forgetHostKey(tables, "little");
    expect(await world.sluice.retryParts(item, "ann")).toEqual({ ok: true });
    await world.stands(request, "COMPLETED");
    expect(sha256Of(at("little"))).toBe(film.sha256);
  });
});

describe("all or nothing", () => {
  it("leaves nothing anywhere where one server cannot have it", async () => {
    cellar.troubles.isReadOnly = true;
    const { request } = await world.ask(film, ["sshd", "near", "cellar"], "all-or-nothing");
    await world.stands(request, "FAILED");
    for (const name of ["sshd", "near", "cellar"]) expect([sha256Of(at(name)), parts(name)]).toEqual([null, []]);
  });
});

describe("amid a delivery", () => {
  const slow = { bytes_per_second: 1_000_000 };
  const halfway = () => until(() => partBytes("little") > film.bytes * 0.4, "nearly half of it is there");

  it("what is cancelled leaves no part behind", async () => {
    await set("little", { ...far(little), ...slow });
    const { item } = await world.ask(film, ["little"]);
    await halfway();
    expect(await world.sluice.cancel(item, "mia")).toEqual({ ok: true });
    await until(() => parts("little").length === 0, "no part is left");
    expect(sha256Of(at("little"))).toBeNull();
  });

  it("the database may crash and come back", async () => {
    await set("little", { ...far(little), ...slow });
    const { request } = await world.ask(film, ["little"]);
    await halfway();
    await database.crashAndRestart();
    await world.stands(request, "COMPLETED");
    expect(sha256Of(at("little"))).toBe(film.sha256);
  });

  it("the worker may be killed: another goes on from what is there", async () => {
    await set("little", { ...far(little), ...slow });
    await world.close();
    world = await openDelivering(places, true);
    const before = little.receivedBytes;
    const first = worker();
    const { request } = await world.ask(film, ["little"]);
    await halfway();
    const ended = once(first, "exit");
    first.kill("SIGKILL");
    await ended;
    worker();
    await world.stands(request, "COMPLETED");
    expect(sha256Of(at("little"))).toBe(film.sha256);
    expect(little.receivedBytes - before).toBeLessThanOrEqual(film.bytes + 1_000_000);
  });

  it("the worker may sleep: another has delivered it when it wakes, and nothing it says then changes that", async () => {
    await set("little", { ...far(little), ...slow });
    await world.close();
    world = await openDelivering(places, true);
    const first = worker();
    const { request } = await world.ask(film, ["little"]);
    await halfway();
    first.kill("SIGSTOP");
    worker();
    await world.stands(request, "COMPLETED");
    const name = async () =>
      await world.sluice.tables.query(
        {
          name: "t-name",
          text: "select state, turn, sha256 from media.delivery where server = 'little' and path = $1",
        },
        [film.to],
      );
    const before = await name();
    expect(before).toMatchObject([{ state: "kept", sha256: film.sha256 }]);
    const lives = async () =>
      (await world.sluice.tables.query({ name: "t-lives", text: "select 1 from sluice.worker where state = 0" }, []))
        .length;
    await until(async () => (await lives()) === 1, "the sleeper is taken for dead");
    first.kill("SIGCONT");
    await until(async () => (await lives()) === 2, "it has begun a new life");
    expect(await name()).toEqual(before);
    expect([sha256Of(at("little")), parts("little")]).toEqual([film.sha256, []]);
  });

  function worker(): ChildProcess {
    const script = fileURLToPath(new URL("fixtures/delivery-process.ts", import.meta.url));
    const child = fork(script, [JSON.stringify(places)], {
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    children.push(child);
    return child;
  }
});
