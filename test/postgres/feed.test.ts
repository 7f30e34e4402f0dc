// What one PGlite session cannot show: transactions that commit in another order than they began.

import { execFileSync } from "node:child_process";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/engine/db/database.ts";
import { migrate } from "../../src/engine/db/migrate.ts";
import { openPostgres } from "../../src/engine/db/postgres.ts";
import { parseCursor } from "../../src/engine/events/cursor.ts";
import type { SluiceEvent } from "../../src/engine/events/event.ts";
import { EVENTS } from "../../src/engine/events/feed.sql.ts";
import { openFeed } from "../../src/engine/events/feed-epoch.ts";
import { feedLag, newestCursor, readEvents } from "../../src/engine/events/read-events.ts";
import { seededRandom } from "../../src/kit/index.ts";
import { startServer, type TestServer } from "../support/server.ts";

const BINARIES = process.env.SLUICE_TEST_PGBIN ?? "/usr/lib/postgresql/15/bin";
const random = seededRandom(3);

let server: TestServer;
let db: Database;

beforeAll(async () => {
  server = await startServer({ max_prepared_transactions: "5" });
  await migrateServer(server);
  db = openPostgres({ url: server.url() });
  await openFeed(db, random);
});
afterAll(async () => {
  await db?.close();
  await server?.stop();
});

async function migrateServer(one: TestServer): Promise<void> {
  const kysely = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: one.url(), max: 2 }) }),
  });
  await migrate(kysely);
  await kysely.destroy();
}

/** A writer whose transaction the test begins and ends by hand. */
class Writer {
  readonly client: pg.Client;

  constructor(url: string) {
    this.client = new pg.Client(url);
  }

  async begin(): Promise<void> {
    await this.client.query("begin");
  }

  async write(code: string): Promise<void> {
    await this.client.query("insert into sluice.journal (at, kind, code) values (sluice.now(), 31, $1)", [code]);
  }

  async commit(): Promise<void> {
    await this.client.query("commit");
  }
}

const connected: Writer[] = [];

async function writers(count: number): Promise<Writer[]> {
  const made = Array.from({ length: count }, () => new Writer(server.url()));
  connected.push(...made);
  await Promise.all(made.map((writer) => writer.client.connect()));
  return made;
}

// Here and not in the tests: one that fails must not leave a transaction open for the others to wait for.
afterEach(async () => {
  await Promise.all(connected.splice(0).map((writer) => writer.client.end()));
});

/** A reader that remembers its cursor and what it saw. */
class Reader {
  readonly seen: string[] = [];
  after: string;

  constructor(after: string) {
    this.after = after;
  }

  async read(limit = 100): Promise<string[]> {
    const page = await readEvents({ db, random }, { after: this.after, limit });
    this.after = page.cursor;
    const codes = page.events.map((event: SluiceEvent) => event.code ?? "");
    this.seen.push(...codes);
    return codes;
  }
}

describe("the feed under late commits", () => {
  it("skips nothing and shows nothing twice when commits come in reverse order", async () => {
    const [first, second, third] = (await writers(3)) as [Writer, Writer, Writer];
    const reader = new Reader(await newestCursor({ db, random }));
    await first.begin();
    await first.write("A");
    await second.begin();
    await second.write("B");
    await third.begin();
    await third.write("C");
    await third.commit();
    expect(await reader.read()).toEqual([]);
    await second.commit();
    expect(await reader.read()).toEqual([]);
    // The first one is still running, and what it wrote belongs before the others.
    await first.commit();
    expect(await reader.read()).toEqual(["A", "B", "C"]);
    expect(await reader.read()).toEqual([]);
  });

  it("orders by transaction, though sequence numbers were given out the other way round", async () => {
    const [first, second] = (await writers(2)) as [Writer, Writer];
    const reader = new Reader(await newestCursor({ db, random }));
    await first.begin();
    await first.client.query("select pg_current_xact_id()");
    await second.begin();
    await second.write("B");
    await second.commit();
    expect(await reader.read()).toEqual([]);
    await first.write("A");
    await first.commit();
    expect(await reader.read()).toEqual(["A", "B"]);
  });

  it("goes past a transaction that was rolled back", async () => {
    const [first, second] = (await writers(2)) as [Writer, Writer];
    const reader = new Reader(await newestCursor({ db, random }));
    await first.begin();
    await first.write("A");
    await second.write("B");
    expect(await reader.read()).toEqual([]);
    await first.client.query("rollback");
    expect(await reader.read()).toEqual(["B"]);
  });

  it("is not held back by those who only read", async () => {
    const [holder, writer] = (await writers(2)) as [Writer, Writer];
    const reader = new Reader(await newestCursor({ db, random }));
    await holder.client.query("begin isolation level repeatable read");
    await holder.client.query("select count(*) from sluice.journal");
    await writer.write("A");
    expect(await reader.read()).toEqual(["A"]);
    await holder.commit();
  });

  it("shows every event once to readers of all paces, over many interleavings", async () => {
    const crew = await writers(6);
    const start = await newestCursor({ db, random });
    const readers = [1, 3, 100].map((limit) => ({ limit, reader: new Reader(start) }));
    const open = new Set<Writer>();
    let written = 0;
    const dice = seededRandom(11);
    for (let step = 0; step < 400; step += 1) {
      const writer = crew[Math.floor(dice.fraction() * crew.length)] as Writer;
      if (!open.has(writer)) {
        await writer.begin();
        open.add(writer);
      } else if (dice.fraction() < 0.4) {
        await writer.commit();
        open.delete(writer);
      } else {
        await writer.write(String(written));
        written += 1;
      }
      const who = readers[Math.floor(dice.fraction() * readers.length)];
      await who?.reader.read(who.limit);
    }
    for (const writer of open) await writer.commit();
    for (const { reader } of readers) {
      for (let more = await reader.read(); more.length > 0; ) more = await reader.read();
      expect(reader.seen).toHaveLength(written);
      expect(new Set(reader.seen).size).toBe(written);
      expect(reader.seen).toEqual(readers[0]?.reader.seen);
    }
    expect(written).toBeGreaterThan(100);
  });

  it("says who holds it back, and since when", async () => {
    const [holder, writer] = (await writers(2)) as [Writer, Writer];
    await holder.client.query("set application_name = 'slow import'");
    await holder.begin();
    await holder.write("A");
    expect(await feedLag(db)).toMatchObject({ holder: expect.stringContaining("slow import"), isHeldBack: false });
    await writer.write("B");
    const lag = await feedLag(db);
    expect(lag).toMatchObject({ holder: expect.stringContaining("slow import"), isHeldBack: true });
    expect(lag.ms).toBeGreaterThan(0);
    await holder.client.query("prepare transaction 'forgotten'");
    expect(await feedLag(db)).toMatchObject({ holder: "prepared transaction forgotten", isHeldBack: true });
    await holder.client.query("commit prepared 'forgotten'");
    expect(await feedLag(db)).toEqual({ ms: 0, holder: null, isHeldBack: false });
  });
});

describe("the feed's plan", () => {
  it("reads a page through the index, whatever the size of the journal", async () => {
    const [writer] = (await writers(1)) as [Writer];
    await writer.client.query(
      `insert into sluice.journal (xid, at, kind, item_id, code)
       select '5', sluice.now(), 1, n, 'bulk' from generate_series(1, 50000) n`,
    );
    await writer.client.query("analyze sluice.journal");
    const { rows } = await writer.client.query(`explain (analyze, buffers, format json) ${EVENTS.text}`, [
      "4",
      "0",
      200,
      null,
      7,
      true,
    ]);
    const text = JSON.stringify(rows);
    expect(text).toContain("journal_rest_xid_seq_idx");
    expect(text).toContain("ROW(");
    // Nothing is in journal_kept here, and that is read as a whole.
    expect(text).not.toMatch(/"Node Type":"Seq Scan"[^}]*"Relation Name":"(journal_(?!kept)|item)/);
    const plan = rows[0]["QUERY PLAN"][0].Plan;
    expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan(600);
  });
});

describe("after a dump was loaded into a younger cluster", () => {
  it("has a new epoch, keeps its old events readable, and puts new ones behind them", async () => {
    const [writer] = (await writers(1)) as [Writer];
    await writer.client.query("truncate sluice.journal");
    for (let n = 0; n < 500; n += 1) await writer.write(`old ${n}`);
    const cursor = await newestCursor({ db, random });
    const before = await readEvents({ db, random }, { limit: 1_000 });
    const younger = await startServer();
    try {
      const dump = execFileSync(`${BINARIES}/pg_dump`, ["--schema=sluice", server.url()], { maxBuffer: 2 ** 28 });
      execFileSync(`${BINARIES}/psql`, ["-q", "-v", "ON_ERROR_STOP=1", "-1", younger.url()], {
        input: dump,
        stdio: ["pipe", "ignore", "inherit"],
      });
      const moved = openPostgres({ url: younger.url() });
      try {
        await openFeed(moved, random);
        await expect(readEvents({ db: moved, random }, { after: cursor })).rejects.toMatchObject({
          code: "FEED_RESET",
        });
        await moved.query(
          { name: "new", text: "insert into sluice.journal (at, kind, code) values (sluice.now(), 31, 'new')" },
          [],
        );
        const after = await readEvents({ db: moved, random }, { limit: 1_000 });
        expect(after.events.map((event) => event.code)).toEqual([...before.events.map((event) => event.code), "new"]);
        const [oldest, newest] = [after.events[0], after.events.at(-1)].map((event) =>
          parseCursor(event?.cursor ?? ""),
        );
        expect(oldest?.xid).toBe("3");
        expect(Number(newest?.xid)).toBeLessThan(Number(parseCursor(cursor).xid));
      } finally {
        await moved.close();
      }
    } finally {
      await younger.stop();
    }
  });
});
