// Retention beside an application: its tables refer to items, its transactions remove them, its long reads are in the way.

import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { dropWeek } from "../../src/engine/events/old-partition.sql.ts";
import { done, openSluice, parseId, type RequestHandle, type Sluice, wait } from "../../src/engine/index.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { removeDue } from "../../src/engine/retention/removal.ts";
import { runRetention } from "../../src/engine/retention/run.ts";
import { saveWalk } from "../../src/engine/retention/walk.sql.ts";
import { dropOldWeeks } from "../../src/engine/retention/weeks.ts";
import { type EngineDatabase, engineDatabase } from "./fixtures/engine-database.ts";

const DAY = 86_400_000;
const film = definePipeline("film", { version: 1, input: z.object({ name: z.string() }), keep: { done: "1d" } })
  .stage("fetch", { run: ({ input }) => done({ path: `/films/${input.name}` }) })
  .stage("show", { run: ({ input }) => (input.name === "slow" ? wait("dark", { signal: "dark" }) : done()) });

let server: EngineDatabase;
let sluice: Sluice;

beforeAll(async () => {
  server = await engineDatabase();
  await server.rows(`
    create schema app;
    create table app.title (id int primary key, item_id bigint references sluice.item (id) on delete restrict);
    create table app.poster (id int primary key, item_id bigint references sluice.item (id) on delete cascade);
    create table app.note (id int primary key, item_id bigint references sluice.item (id) on delete set null)`);
  sluice = await openSluice({ pipelines: [film], database: server.url, worker: { deadAfter: "60s" } });
  // Its own first run would have the runs of these tests rest; the next is a minute away.
  await vi.waitFor(async () => expect((await sluice.retention.status()).lastRun).not.toBeNull(), { timeout: 20_000 });
});
afterAll(async () => {
  await sluice?.close();
  await server?.stop();
});
beforeEach(async () => {
  await server.rows("truncate app.title, app.poster, app.note");
  await server.rows("delete from sluice.removal");
});

const numberOf = (request: RequestHandle): string => parseId("item", request.items[0] as string);
const isThere = async (request: RequestHandle): Promise<boolean> =>
  (await server.rows("select from sluice.item where id = $1", [numberOf(request)])).length === 1;

async function shown(name: string): Promise<RequestHandle> {
  const request = await sluice.submit(film, [{ name }]);
  await request.result();
  return request;
}

/** As if two days had passed since everything ended, with a round of retention from the beginning. */
async function twoDaysLater(): Promise<void> {
  await server.rows("update sluice.item set finished_at = finished_at - interval '2 days' where state <> 0");
  await server.rows("update sluice.request set created_at = created_at - interval '2 days'");
  await server.rows("delete from sluice.setting where name = 'retention-walk'");
  await runRetention(server.db);
}

describe("tables of an application", () => {
  it("go along, are emptied, or keep what they refer to, and hold up nobody else", async () => {
    const requests = [await shown("a"), await shown("b"), await shown("c"), await shown("d")];
    const [plain, kept, cascaded, emptied] = requests.map(numberOf);
    await server.rows("insert into app.title values (1, $1)", [kept]);
    await server.rows("insert into app.poster values (1, $1)", [cascaded]);
    await server.rows("insert into app.note values (1, $1)", [emptied]);
    await twoDaysLater();
    const left = await server.rows("select id from sluice.item where id = any ($1)", [
      [plain, kept, cascaded, emptied],
    ]);
    expect(left.map((row) => String(row.id))).toEqual([kept]);
    expect(await server.rows("select id from app.poster")).toEqual([]);
    expect(await server.rows("select id, item_id from app.note")).toEqual([{ id: 1, item_id: null }]);
    expect((await sluice.retention.status()).leaving).toMatchObject([
      {
        request: requests[1]?.request,
        by: null,
        obstacle: "rows of app.title still refer to it (title_item_id_fkey)",
      },
    ]);
    expect((await sluice.retention.preview()).requests).toBe(0);

    await server.rows("delete from app.title");
    await server.rows("update sluice.removal set due_at = sluice.now()");
    await removeDue(server.db);
    // The worker of this test may have been faster, and be at it.
    await expect.poll(() => isThere(requests[1] as RequestHandle), { timeout: 20_000 }).toBe(false);
    expect((await sluice.retention.status()).leaving).toEqual([]);
  });
});

describe("an application that deletes an entity", () => {
  async function inTransaction(end: "commit" | "rollback", work: (tx: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query("begin");
    await work(client);
    await client.query(end);
    await client.end();
  }

  it.each(["restrict", "cascade"])("removes its work in the same transaction, with on delete %s", async (rule) => {
    const table = rule === "restrict" ? "app.title" : "app.poster";
    const request = await shown(rule);
    await server.rows(`insert into ${table} values (7, $1)`, [numberOf(request)]);
    const remove = async (tx: pg.Client) => {
      await tx.query(`delete from ${table} where id = 7`);
      expect(await sluice.remove(request.request, { by: "app", tx })).toEqual({ ok: true });
    };
    await inTransaction("rollback", remove);
    await removeDue(server.db);
    expect((await sluice.request(request.request)).removal).toBeNull();
    await inTransaction("commit", remove);
    await expect.poll(() => isThere(request), { timeout: 20_000 }).toBe(false);
    expect(await server.rows(`select id from ${table}`)).toEqual([]);
  });

  it("is told what still refers to it", async () => {
    const request = await shown("kept");
    await server.rows("insert into app.title values (8, $1)", [numberOf(request)]);
    await sluice.remove(request.request, { by: "ann" });
    await expect
      .poll(async () => (await sluice.request(request.request)).removal?.sentence, { timeout: 20_000 })
      .toBe("Being removed, as ann asked: rows of app.title still refer to it (title_item_id_fkey).");
    await server.rows("delete from app.title");
    await server.rows("update sluice.removal set due_at = sluice.now()");
    await expect.poll(() => isThere(request), { timeout: 20_000 }).toBe(false);
  });

  it("ends what is live, and its rows go with it", async () => {
    const request = await sluice.submit(film, [{ name: "slow" }]);
    await expect.poll(async () => (await sluice.item(request.items[0] as never)).state).toBe("waiting");
    await server.rows("insert into app.poster values (9, $1)", [numberOf(request)]);
    await sluice.remove(request.request);
    await expect.poll(() => isThere(request), { timeout: 20_000 }).toBe(false);
    expect(await server.rows("select id from app.poster")).toEqual([]);
  });
});

describe("an old week of the journal", () => {
  const WEEK = "2020w02";

  async function oldWeek(rows: number): Promise<void> {
    await server.rows(`create table sluice.journal_${WEEK} partition of sluice.journal
      for values from (false, '2020-01-06+00') to (false, '2020-01-13+00')`);
    await server.rows(
      `insert into sluice.journal (at, item_id, version, kind) select '2020-01-07+00', -n, 0, 0 from generate_series(1, $1::int) n`,
      [rows],
    );
  }

  const isGone = async () =>
    (await server.rows(`select to_regclass('sluice.journal_${WEEK}') is null as gone`))[0]?.gone as boolean;

  it("is not waited for while somebody reads, and nobody waits behind it", async () => {
    await oldWeek(12_000);
    const reader = new pg.Client(server.url);
    await reader.connect();
    await reader.query("begin");
    await reader.query("select count(*) from sluice.journal");
    const first = await dropOldWeeks(server.db, 90 * DAY, null);
    expect(first).toMatchObject({ dropped: [], place: { week: WEEK } });
    expect(await isGone()).toBe(false);
    // Written and read as ever, while it lies there.
    expect((await (await shown("meanwhile")).result()).ok).toBe(true);
    await reader.query("commit");
    await reader.end();
    const second = await dropOldWeeks(server.db, 90 * DAY, first.place);
    expect(second).toEqual({ dropped: [WEEK], carried: 0, place: null });
    expect(await isGone()).toBe(true);
  });

  it("is not dropped with rows that came after the last look", async () => {
    await oldWeek(10);
    expect(await dropWeek(server.db, WEEK, { xid: "0", seq: "0" })).toBe(false);
    expect(await isGone()).toBe(false);
    expect((await dropOldWeeks(server.db, 90 * DAY, null)).dropped).toEqual([WEEK]);
  });
});

it("limits that an application gives are stored, and hold where none are given", async () => {
  const given = await openSluice({
    pipelines: [],
    database: server.url,
    worker: false,
    retention: { history: "14d", signals: "2d" },
  });
  await given.close();
  expect((await sluice.retention.status()).limits).toEqual({ history: 14 * DAY, audit: 730 * DAY, signals: 2 * DAY });
  await expect(
    openSluice({ pipelines: [], database: server.url, worker: false, retention: { history: "1d" } }),
  ).rejects.toMatchObject({ field: "retention.history" });
});

it("signals that nobody took, old audits and workers long gone are forgotten", async () => {
  await server.rows(
    "insert into sluice.signal (key, sent_at) values ('old', sluice.now() - interval '40 days'), ('new', sluice.now())",
  );
  await server.rows(`insert into sluice.audit (at, actor, action)
    values (sluice.now() - interval '3 years', 'ann', 'old'), (sluice.now(), 'ann', 'new')`);
  await server.rows(`insert into sluice.worker (name, host, pid, pid_started, epoch, state, started_at, ended_at, cleared_at)
    select 'gone', 'here', 1, '1', -n, 2, at, at, at
    from (values (1, sluice.now() - interval '1 year'), (2, sluice.now())) w (n, at)`);
  await saveWalk(server.db, { request: "0", restUntil: 0, week: null, rest: null, ranAt: null, heldUntil: 0 });
  await runRetention(server.db);
  expect(await server.rows("select key from sluice.signal")).toEqual([{ key: "new" }]);
  expect(await server.rows("select action from sluice.audit where action in ('old', 'new')")).toEqual([
    { action: "new" },
  ]);
  expect(await server.rows("select epoch::int from sluice.worker where name = 'gone'")).toEqual([{ epoch: -2 }]);
});
