// Sluice's own PostgreSQL with real processes: started, shared, killed, adopted, stopped.
import { spawn } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { killAll, query, Workshop } from "./fixtures/drive.ts";

const LONG = 120_000;

let shop: Workshop;
beforeEach(async () => {
  shop = await Workshop.make();
});
afterEach(async () => {
  await shop.destroy();
}, LONG);

const members = async () => (await readdir(shop.path("data", "members"))).length;

/** The last of its processes may still be on its way out when the postmaster is gone. */
const noServer = () =>
  vi.waitFor(async () => expect(await shop.servers()).toEqual([]), { timeout: 5_000, interval: 20 });

describe("starting, sharing, stopping", () => {
  test("the first start makes a durable database behind a password only its owner can read", {
    timeout: LONG,
  }, async () => {
    const first = await shop.open();
    const { url } = await first.until("open");
    expect(first.lines).toContain(`preparing a database in ${shop.path("data")} (first start, about a second)`);
    const settings = await query(
      url,
      `select current_database() as database, current_setting('server_version_num')::int / 10000 as major, current_setting('fsync') as fsync,
        current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as commit, current_setting('data_checksums') as checksums,
        current_setting('server_encoding') as encoding, current_setting('listen_addresses') as listens, current_setting('unix_socket_directories') as sockets`,
    );
    expect(settings).toEqual([
      {
        database: "sluice",
        major: 18,
        fsync: "on",
        pages: "on",
        commit: "on",
        checksums: "on",
        encoding: "UTF8",
        listens: "127.0.0.1",
        sockets: "",
      },
    ]);
    expect((await stat(shop.path("data", "password"))).mode & 0o777).toBe(0o600);
    await expect(query(url.replace(/:[0-9a-f]{64}@/, ":guess@"), "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  test("a second process shares it, and only the last one out stops it", { timeout: LONG }, async () => {
    const first = await shop.open();
    const second = await shop.open();
    expect(await second.until("open")).toMatchObject({ adopted: true, url: (await first.until("open")).url });
    await first.leave();
    expect(await shop.servers()).not.toEqual([]);
    await second.leave();
    await noServer();
    expect(await readFile(shop.path("data", "postgres.log"), "utf8")).toContain("database system is shut down");
  });

  test("ten processes that start at once start one server, and the last of the ten stops it", {
    timeout: LONG,
  }, async () => {
    const ten = await Promise.all(Array.from({ length: 10 }, () => shop.open()));
    const urls = await Promise.all(ten.map(async (one) => (await one.until("open")).url));
    expect(new Set(urls).size).toBe(1);
    expect(ten.filter((one) => one.lines.some((line) => line.startsWith("starting")))).toHaveLength(1);
    expect((await readFile(shop.path("data", "postgres.log"), "utf8")).match(/listening on/g)).toHaveLength(1);
    expect(await members()).toBe(10);
    await Promise.all(ten.map((one) => one.leave()));
    await noServer();
    expect((await readdir(shop.path("data"))).sort()).toEqual([
      "members",
      "password",
      "port",
      "postgres",
      "postgres.log",
    ]);
  });
});

describe("after a kill, a plain start needs no hand", () => {
  test("Sluice killed: the server runs on and the next process adopts it", { timeout: LONG }, async () => {
    const killed = await shop.open();
    const postmaster = await shop.postmaster();
    await killed.kill();
    const next = await shop.open();
    expect(await next.until("open")).toMatchObject({ adopted: true });
    expect(await shop.postmaster()).toBe(postmaster);
    expect(await members()).toBe(2);
    // The dead member does not keep it alive.
    await next.leave();
    await noServer();
    expect(await members()).toBe(0);
  });

  test("the server killed under a living Sluice: the next process starts it on the same port, and so does revive", {
    timeout: LONG,
  }, async () => {
    const living = await shop.open();
    const { url } = await living.until("open");
    killAll(await shop.servers());
    const next = await shop.open();
    expect(await next.until("open")).toMatchObject({ adopted: false, url });
    killAll(await shop.servers());
    living.tell({ do: "revive" });
    expect((await living.until("revived")).url).toBe(url);
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("only the postmaster killed while a backend computes: the orphan is ended and the server starts", {
    timeout: LONG,
  }, async () => {
    const living = await shop.open();
    const { url } = await living.until("open");
    // Burns the processor without ever looking whether its postmaster is alive.
    const busy = query(url, "select count(*) from generate_series(1, 100000000000) n").catch((error: unknown) => error);
    await expect
      .poll(() => query(url, "select count(*)::int as n from pg_stat_activity where query like '%100000000000%'"))
      .toEqual([{ n: 2 }]);
    process.kill(await shop.postmaster(), "SIGKILL");
    const next = await shop.open();
    expect(await next.until("open")).toMatchObject({ adopted: false });
    expect(await busy).toBeInstanceOf(Error);
  });

  test("Sluice killed in the middle of the first start, wherever it was", { timeout: LONG }, async () => {
    for (const moment of ["preparing", "initdb", "starting"]) {
      const killed = shop.start();
      await killed.until("log", ({ line }) => line.startsWith(moment === "starting" ? "starting" : "preparing"));
      if (moment === "initdb") await expect.poll(unfinished, { interval: 5, timeout: 20_000 }).not.toEqual([]);
      await killed.kill();
      if (moment !== "starting") expect(await readdir(shop.path("data"))).not.toContain("postgres");
    }
    const next = await shop.open();
    expect(await query((await next.until("open")).url, "select 1 as one")).toEqual([{ one: 1 }]);
    const litter = (await readdir(shop.path("data"))).filter((name) => /^making-|\.draft-|^start\.lock/.test(name));
    expect(litter).toEqual([]);
  });

  async function unfinished(): Promise<string[]> {
    const making = (await readdir(shop.path("data"))).filter((name) => name.startsWith("making-"));
    const lists = await Promise.all(making.map((name) => readdir(shop.path("data", name, "postgres")).catch(() => [])));
    return lists.flat().filter((name) => name === "PG_VERSION");
  }

  test("files left behind name pids that now belong to others", { timeout: LONG }, async () => {
    await (await shop.open()).leave();
    const { uid, gid } = await stat(shop.cluster);
    // Of the same user as the server: PostgreSQL itself refuses to start beside such a process.
    const stranger = spawn("sleep", ["600"], { uid, gid, stdio: "ignore" });
    try {
      const boot = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
      await writeFile(join(shop.cluster, "postmaster.pid"), `${stranger.pid}\n${shop.cluster}\n1\n5432\n\n127.0.0.1\n`);
      await writeFile(shop.path("data", "start.lock"), `${stranger.pid} 1 ${boot}\n`);
      await writeFile(shop.path("data", "members", "stale"), `${stranger.pid} 1 ${boot}\n`);
      await writeFile(shop.path("data", "members", "cut-short"), `${stranger.pid}`);
      const next = await shop.open();
      expect(await next.until("open")).toMatchObject({ adopted: false });
      await next.leave();
      await noServer();
      expect(stranger.exitCode).toBeNull();
    } finally {
      stranger.kill("SIGKILL");
    }
  });

  test("the recorded port was taken by somebody else meanwhile", { timeout: LONG }, async () => {
    const first = await shop.open();
    const port = Number(new URL((await first.until("open")).url).port);
    await first.leave();
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(port, "127.0.0.1", resolve));
    try {
      const next = await shop.open();
      expect(Number(new URL((await next.until("open")).url).port)).not.toBe(port);
    } finally {
      await new Promise((resolve) => squatter.close(resolve));
    }
  });
});

test("10,000 acknowledged rows, Sluice, PostgreSQL or both killed again and again: none is missing", {
  timeout: 300_000,
}, async () => {
  const acks = shop.path("acks");
  await writeFile(acks, "");
  const acked = async () => (await readFile(acks, "utf8")).split("\n").filter((line) => line !== "");
  const setUp = await shop.open();
  await query(
    (await setUp.until("open")).url,
    "create table acked (id bigint generated always as identity primary key)",
  );
  await setUp.leave();

  const kinds = ["sluice", "server", "both", "postmaster"] as const;
  const perRound = 500;
  let kills = 0;
  for (; (await acked()).length < 10_000; kills += 1) {
    const kind = kinds[kills % kinds.length];
    const running = await shop.open({ acks });
    running.tell({ do: "insert", connections: 6 });
    await running.until("acked", ({ count }) => count >= perRound);
    if (kind === "sluice" || kind === "both") running.child.kill("SIGKILL");
    if (kind === "postmaster") process.kill(await shop.postmaster(), "SIGKILL");
    if (kind === "server" || kind === "both") killAll(await shop.servers());
    if (kind === "sluice" || kind === "both") await running.exited;
    else await running.until("broken").then(() => running.leave());
  }

  const last = await shop.open();
  const { url } = await last.until("open");
  const stored = new Set((await query<{ id: string }>(url, "select id::text as id from acked")).map(({ id }) => id));
  const ids = await acked();
  expect(ids.filter((id) => !stored.has(id))).toEqual([]);
  expect(new Set(ids).size).toBeGreaterThanOrEqual(10_000);
  expect(kills).toBeGreaterThanOrEqual(16);
  await query(url, "create extension amcheck");
  await query(url, "select bt_index_check('acked_pkey', true)");
});
