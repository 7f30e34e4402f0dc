// Where the embedded PostgreSQL lies and what it runs from, when that is not simple; and what it says when it cannot run.
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { locateBinaries } from "../../src/engine/db/embedded/binaries.ts";
import { openEmbedded } from "../../src/engine/db/embedded/index.ts";
import { query, Workshop } from "./fixtures/drive.ts";

const LONG = 120_000;
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

let shop: Workshop;
let clusters: string[];
beforeEach(async () => {
  shop = await Workshop.make();
  clusters = [shop.cluster];
});
afterEach(async () => {
  await shop.destroy(clusters);
}, LONG);

/** The package's programs as npm unpacks them with install scripts off: without the libraries' links. */
async function unlinkedBinaries() {
  const found = await locateBinaries();
  const folder = shop.path("native");
  const filter = async (source: string) => !(await lstat(source)).isSymbolicLink();
  await cp(found.folder, folder, { recursive: true, filter });
  return { folder, version: found.version };
}

describe("a folder only its owner can enter", () => {
  test("as root the database lies elsewhere and says so, now and later; as anybody else it lies in the folder", {
    timeout: LONG,
  }, async () => {
    const closed = shop.path("closed");
    await mkdir(closed, { mode: 0o700 });
    const folder = join(closed, "data");
    const first = await shop.open({ folder });
    const { url } = await first.until("open");
    await query(url, "create table kept (n int)");
    if (!isRoot) {
      clusters = [join(folder, "postgres")];
      expect(await shop.servers(clusters[0])).not.toEqual([]);
      return;
    }
    const away = (await readdir(shop.path("elsewhere"))).filter((name) => /^[0-9a-f]{16}$/.test(name));
    expect(away).toHaveLength(1);
    const home = shop.path("elsewhere", away[0] ?? "");
    clusters = [join(home, "postgres")];
    expect(await shop.servers(clusters[0])).not.toEqual([]);
    expect(first.lines).toContainEqual(expect.stringMatching(`cannot be reached by the user sluice.*lies in ${home}`));
    expect(await readFile(join(folder, "database-is-in.txt"), "utf8")).toBe(`${home}\n`);
    await first.leave();

    // Reachable from now on: still the same database, not an empty one.
    await chmod(closed, 0o755);
    const second = await shop.open({ folder });
    expect(await query((await second.until("open")).url, "select n from kept")).toEqual([]);
    await second.leave();

    // Moved: refused rather than empty.
    await rename(closed, shop.path("moved"));
    const moved = await shop.start({ folder: shop.path("moved", "data") }).until("failed");
    expect(moved).toMatchObject({ code: "FOLDER_UNREACHABLE", message: expect.stringContaining(home) });
  });

  test("a database begun in the folder is never passed over when the folder is closed later", {
    timeout: LONG,
  }, async () => {
    await mkdir(shop.path("open"));
    const folder = shop.path("open", "data");
    await (await shop.open({ folder })).leave();
    await chmod(shop.path("open"), 0o700);
    const again = shop.start({ folder });
    if (isRoot) expect(await again.until("failed")).toMatchObject({ code: "FOLDER_UNREACHABLE" });
    else await again.until("open").then(() => again.leave());
  });
});

describe("the programs", () => {
  test("unpacked with install scripts off: the libraries' links are made", { timeout: LONG }, async () => {
    const binaries = await unlinkedBinaries();
    const first = await shop.open({ binaries });
    expect(await query((await first.until("open")).url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect((await lstat(shop.path("native", "lib", "libpq.so.5"))).isSymbolicLink()).toBe(true);
  });

  test("an ordinary user with programs that are not his to mend runs a copy, and is the server's user himself", {
    timeout: LONG,
  }, async () => {
    const binaries = await unlinkedBinaries();
    await mkdir(shop.path("data"));
    await chmod(shop.path("data"), 0o777);
    if (!isRoot) await chmod(shop.path("native", "lib"), 0o555);
    const first = shop.start({ binaries, ...(isRoot ? { uid: NOBODY } : {}) });
    // Writable again whatever came of it, or it could not be removed after the test.
    const { url } = await first.until("open").finally(() => chmod(shop.path("native", "lib"), 0o755));
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(await readdir(shop.path("data"))).toContain(`postgresql-${binaries.version}`);
    const user = isRoot ? NOBODY : process.getuid?.();
    expect((await lstat(shop.cluster)).uid).toBe(user);
    await first.leave();
    // What an ordinary user began, root goes on with as that user.
    const second = await shop.open();
    expect((await lstat(shop.cluster)).uid).toBe(user);
    await second.leave();
  });

  test("programs the server's user cannot reach are copied once", { timeout: LONG }, async () => {
    const binaries = await unlinkedBinaries();
    await chmod(shop.path("native"), 0o700);
    const first = await shop.open({ binaries });
    await first.leave();
    const copied = (one: typeof first) => one.lines.filter((line) => line.startsWith("copying PostgreSQL")).length;
    const second = await shop.open({ binaries });
    await second.leave();
    expect([copied(first), copied(second)]).toEqual(isRoot ? [1, 0] : [0, 0]);
  });

  test("none for this platform: the error says what to do instead", async () => {
    await expect(locateBinaries("sunos-x64")).rejects.toMatchObject({
      code: "UNSUPPORTED_PLATFORM",
      message: expect.stringContaining("DATABASE_URL"),
    });
    await expect(locateBinaries("linux-ppc64")).rejects.toMatchObject({
      code: "BINARIES_MISSING",
      message: expect.stringContaining("npm install"),
    });
  });
});

describe("what cannot work says why", () => {
  test("a folder of another major version", { timeout: LONG }, async () => {
    await (await shop.open()).leave();
    await writeFile(join(shop.cluster, "PG_VERSION"), "17\n");
    const failed = await shop.start().until("failed");
    expect(failed.code).toBe("WRONG_MAJOR");
    expect(failed.message).toMatch(/made by PostgreSQL 17; .* brings PostgreSQL 18.*pg_dump of PostgreSQL 17/);
  });

  test("a full disk at the first start", { timeout: LONG }, async () => {
    await mkdir(shop.path("full", "bin"), { recursive: true });
    const script = "#!/bin/sh\necho 'initdb: error: could not write file: No space left on device' >&2\nexit 1\n";
    await writeFile(shop.path("full", "bin", "initdb"), script, { mode: 0o755 });
    const failed = await shop.start({ binaries: { folder: shop.path("full"), version: "18.0.0" } }).until("failed");
    expect(failed).toMatchObject({ code: "DISK_FULL", message: expect.stringContaining("60 MB") });
    expect(await readdir(shop.path("data"))).toEqual([]);
  });

  test("settings PostgreSQL refuses: its own words", { timeout: LONG }, async () => {
    await (await shop.open()).leave();
    await writeFile(join(shop.cluster, "postgresql.auto.conf"), "max_connections = many\n");
    const failed = await shop.start().until("failed");
    expect(failed).toMatchObject({ code: "START_FAILED", message: expect.stringContaining("max_connections") });
  });

  test("a folder that is none, or is in the way, or has no name", { timeout: LONG }, async () => {
    await writeFile(shop.path("file"), "");
    expect(await shop.start({ folder: shop.path("file") }).until("failed")).toMatchObject({
      code: "FOLDER_UNREACHABLE",
    });
    await mkdir(join(shop.cluster, "something"), { recursive: true });
    const inTheWay = await shop.start().until("failed");
    expect(inTheWay).toMatchObject({
      code: "INITIALISE_FAILED",
      message: expect.stringContaining("holds no database"),
    });
    await expect(openEmbedded({ folder: " " })).rejects.toMatchObject({ code: "INVALID_INPUT", field: "folder" });
  });

  test("a lost password file", { timeout: LONG }, async () => {
    await (await shop.open()).leave();
    await rename(shop.path("data", "password"), shop.path("password"));
    expect(await shop.start().until("failed")).toMatchObject({
      code: "NOT_OURS",
      message: expect.stringContaining("backup"),
    });
  });

  test("a password file that does not fit the running server", { timeout: LONG }, async () => {
    const first = await shop.open();
    await writeFile(shop.path("data", "password"), "another\n");
    expect(await shop.start().until("failed")).toMatchObject({ code: "NOT_OURS" });
    await first.leave();
  });
});
