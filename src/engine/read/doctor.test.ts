import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type SmallWorld, smallWorld } from "../../../test/support/small-world.ts";
import type { Queryable } from "../db/database.ts";
import { ensurePartitions } from "../events/partition.sql.ts";
import { ask, done, wait } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { openPglite, type PgliteDatabase } from "../testing/pglite.ts";
import { selfCheck } from "../workers/self-check.ts";
import { CHECKS, type CheckName } from "./checks.sql.ts";
import { CHECK_WORDS, examine } from "./doctor.ts";

const film = definePipeline("film", { version: 1, input: z.unknown() })
  .stage("search", { run: () => done() })
  .stage("encode", { run: () => done() });

let db: PgliteDatabase;
let world: SmallWorld;

const settle = async (epoch: string, result: Parameters<SmallWorld["settle"]>[2]) => {
  const [held] = await world.claim(epoch, 1);
  if (held === undefined) throw new Error("nothing to claim");
  await world.settle(held, epoch, result);
};

/** A bit of everything, all of it well: queued, in hand, waiting, asking, ended. */
beforeAll(async () => {
  db = await openPglite();
  await ensurePartitions(db);
  world = await smallWorld(db, [film]);
  await world.worker("7");
  await world.submit(film, 6);
  await settle("7", { outcome: wait("payment", { signal: "paid" }) });
  await settle("7", { outcome: ask("Which?") });
  await settle("7", { outcome: done() });
  await settle("7", { outcome: wait("later", { again: "1h" }) });
  await world.claim("7", 1);
});
afterAll(() => db.close());

const sql = (tx: Queryable, text: string) => tx.query({ name: "damage", text }, []);

/** Does the damage, looks, and undoes it. */
async function damaged<T>(damage: string[], look: (tx: Queryable) => Promise<T>): Promise<T> {
  let seen: { value: T } | undefined;
  const undo = new Error("undo");
  await db
    .transaction(async (tx) => {
      for (const text of damage) await sql(tx, text);
      seen = { value: await look(tx) };
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  if (seen === undefined) throw new Error("nothing was seen");
  return seen.value;
}

const intent = (columns: string, values: string) =>
  `insert into sluice.intent (key, item_id, service, pipeline_id, stage, intended_at, ${columns})
   values ('k', 0, 'x', 1, 0, sluice.now(), ${values})`;
const worker = (state: number, ended: string) =>
  `insert into sluice.worker (name, host, pid, pid_started, epoch, state, started_at, ended_at)
   values ('w', 'h', 1, '1', 99, ${state}, sluice.now() - interval '1 day', ${ended})`;
const anHourAgo = "sluice.now() - interval '1 hour'";

const DAMAGES: { readonly [Name in Exclude<CheckName, "feed-held-back">]: readonly string[] } = {
  "item-without-run": ["delete from sluice.run where reason = 'later'"],
  "run-without-item": [
    "update sluice.item set state = 3, finished_at = sluice.now() where id = (select min(id) from sluice.run where reason = 'later')",
    "update sluice.request set cancelled = 1",
  ],
  "run-without-place": ["update sluice.run set stage = 9 where reason = 'later'"],
  "run-out-of-range": ["update sluice.run set series = 0 where reason = 'later'"],
  "run-without-key": ["update sluice.lane set per_key = 1", "update sluice.run set fair = null"],
  "wait-without-reason": ["update sluice.run set ready_at = 'infinity', reason = null where reason = 'later'"],
  "wait-without-end": ["update sluice.run set ready_at = 'infinity' where reason = 'later'"],
  "request-counts": ["update sluice.request set failed = 1"],
  "lease-of-nobody": ["update sluice.run set epoch = 12345 where state = 1"],
  "watch-of-nobody": ["update sluice.run set state = 2, epoch = -lane where state = 1"],
  "worker-not-cleared": [worker(2, anHourAgo)],
  "key-of-ended": [
    "insert into sluice.unique_key (pipeline, key, request_id, scope) values ('film', 'k', 999, 'live')",
  ],
  "question-of-ended": [
    "insert into sluice.question (run_id, stage, text, asked_at) values (999, 0, 'Well?', sluice.now())",
  ],
  "cleanup-not-begun": [intent("owed_at", anHourAgo)],
  "cleanup-given-up": [intent("owed_at, cleanup_id", `${anHourAgo}, 999`)],
  "weeks-ahead": [
    "do $$ begin execute (select 'drop table ' || max(inhrelid::regclass::text) from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'sluice.journal'::regclass and c.relkind = 'r' and c.relname like 'journal_2%' and inhrelid::regclass::text < (select max(inhrelid::regclass::text) from pg_inherits where inhparent = 'sluice.journal'::regclass and inhrelid::regclass::text like '%journal_2%')); end $$",
  ],
  "outside-all-weeks": ["insert into sluice.journal (at, kind) values ('1999-01-01', 31)"],
  "duty-overdue": [
    "update sluice.worker set started_at = sluice.now() - interval '1 day'",
    "insert into sluice.duty (name, due_at) values ('tidy', sluice.now() - interval '3 hours')",
  ],
  "service-down-for-a-day": [
    "insert into sluice.service (name, is_open, changed_at, resumed_at, probe_at) values ('x', true, sluice.now() - interval '2 days', sluice.now(), sluice.now())",
  ],
};

describe("the database", () => {
  it.each([
    ["an end without its time", "update sluice.item set state = 1 where state = 0", "item_check"],
    ["a time without its end", "update sluice.item set finished_at = sluice.now() where state = 0", "item_check"],
    ["in hand without anybody", "update sluice.run set state = 1 where state = 0", "run_check"],
    ["nobody's, with a holder", "update sluice.run set epoch = 7 where state = 0", "run_check"],
    ["more ended than there are", "update sluice.request set completed = total + 1", "request_check1"],
    ["a service that is down, and is never asked", "update sluice.service set is_open = true", "service_check"],
  ])("takes no state without what belongs to it: %s", async (_, damage, rule) => {
    const service =
      "insert into sluice.service (name, changed_at, resumed_at) values ('x', sluice.now(), sluice.now())";
    await expect(damaged([service, damage], async () => "taken")).rejects.toThrow(rule);
  });
});

describe("the doctor", () => {
  it("finds nothing wrong where nothing is", async () => {
    const { isOk, checks } = await examine(db);
    expect(checks.filter((check) => !check.isOk)).toEqual([]);
    expect(isOk).toBe(true);
    expect(checks.map((check) => check.name)).toEqual(Object.keys(CHECKS));
  });

  it.each(Object.entries(DAMAGES))("finds %s, and nothing else", async (name, damage) => {
    const { isOk, checks } = await damaged([...damage], (tx) => examine(tx));
    const broken = checks.filter((check) => !check.isOk);
    expect(broken.map((check) => check.name)).toEqual([name]);
    expect(broken[0]?.found.length).toBeGreaterThan(0);
    expect(isOk).toBe(false);
  });

  it("looks at a table of any size in windows: the newest, and another one at every turn", async () => {
    const many = `insert into sluice.item (id, request_id, nonce, created_at, finished_at, pipeline_id, priority, state, codec, input)
      select n, 999, n, sluice.now(), sluice.now(), 1, 3, 1, 1, '{}' from generate_series(1000, 40000) n`;
    const lost = "update sluice.item set state = 0, finished_at = null where id = 3000";
    const seen = await damaged([many, lost], async (tx) => {
      const found: boolean[] = [];
      await sql(
        tx,
        "create or replace function sluice.now() returns timestamptz language sql stable as 'select to_timestamp(600 * current_setting(''sluice.turn'')::int)'",
      );
      for (let turn = 0; turn < 8; turn += 1) {
        await sql(tx, `select set_config('sluice.turn', '${turn}', true)`);
        found.push((await examine(tx)).checks.some((one) => one.name === "item-without-run" && !one.isOk));
      }
      return found;
    });
    expect(seen.filter(Boolean)).toHaveLength(1);
  });

  it("tells what is newly broken once, as an event, keeps looking there, and tells when it is mended", async () => {
    const lines: string[] = [];
    const log = {
      info: (event: string) => void lines.push(event),
      warn: () => {},
      error: (event: string) => void lines.push(event),
    };
    const events = await damaged([...DAMAGES["lease-of-nobody"]], async (tx) => {
      await selfCheck(tx, log);
      await selfCheck(tx, log);
      expect((await examine(tx)).checks.find((one) => one.name === "lease-of-nobody")?.since).toBeInstanceOf(Date);
      await sql(tx, "update sluice.run set epoch = 7 where state = 1");
      await selfCheck(tx, log);
      await selfCheck(tx, log);
      return await sql(tx, "select code, reason from sluice.journal where kind = 60 order by seq");
    });
    expect(events).toEqual([
      { code: "BROKEN", reason: "lease-of-nobody" },
      { code: "MENDED", reason: "lease-of-nobody" },
    ]);
    expect(lines).toEqual(["check.broken", "check.mended"]);
  });

  it.each(Object.entries(CHECK_WORDS))("says of %s what is wrong and what to do", (_, { wrong, remedy }) => {
    expect(wrong).toMatch(/^[A-Z].*\.$/);
    expect(remedy).toMatch(/^[A-Z].*\.$/);
  });
});
