// The hot statements go by index whatever the statistics say: just after a bulk load nobody has counted, and a plan made for
// an empty table lives on in a connection that has prepared it.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Queryable } from "../../src/engine/db/database.ts";
import { insertAlike } from "../../src/engine/intake/alike.sql.ts";
import { type FewItem, insertFew } from "../../src/engine/intake/few.sql.ts";
import { insertAfar } from "../../src/engine/intake/few-afar.sql.ts";
import { insertRequests } from "../../src/engine/intake/submit.sql.ts";
import { claim } from "../../src/engine/items/claim.sql.ts";
import { readContext } from "../../src/engine/items/context.sql.ts";
import { reclaim, release, saveProgress } from "../../src/engine/items/lease.sql.ts";
import { resolveCommits } from "../../src/engine/items/resolve.sql.ts";
import { settle } from "../../src/engine/items/settle.sql.ts";
import { answerOverdue, wakeFollowers, wakeJoined, wakeSignalled } from "../../src/engine/items/wake.sql.ts";
import { cancelRuns, liveItemsOf, liveRuns } from "../../src/engine/operate/cancel.sql.ts";
import { askChildren, requestsOfKey } from "../../src/engine/retention/removal.sql.ts";
import {
  forgetAll,
  forgetKept,
  lockRequests,
  removeLocked,
  walkRequests,
} from "../../src/engine/retention/remove.sql.ts";
import { departedWorkers } from "../../src/engine/workers/worker-row.sql.ts";
import { ends } from "../interleavings/play.ts";
import { type BigDatabase, EPOCH, load, openBig, startBigServer } from "../scale/database.ts";
import { wholeIndexes, wholeTables } from "../scale/whole-reads.ts";
import type { TestServer } from "../support/server.ts";

const ROWS = 100_000;
/** What one process has in its hands. */
const HELD = 2_000;
const BATCH = 500;

let server: TestServer;
let big: BigDatabase;

beforeAll(async () => {
  server = await startBigServer();
  big = await openBig(server, "plans");
  // Counted while there was next to nothing: what a young installation's statistics are like.
  await load(big, { count: 10, lane: big.lanes[0], readyAt: "sluice.now()" });
  await big.client.query("analyze");
  await load(big, {
    count: ROWS,
    lane: big.lanes[0],
    readyAt: "sluice.now() - interval '1 hour' + n * interval '1 microsecond'",
    perRequest: 2,
  });
  await load(big, { count: ROWS, lane: big.lanes[1], readyAt: "sluice.now() - interval '1 hour'", perRequest: 2 });
  await load(big, {
    count: HELD,
    lane: big.lanes[0],
    readyAt: "sluice.now() - interval '1 hour'",
    state: 1,
    perRequest: 2,
  });
  await big.client.query(`
    insert into sluice.journal (at, item_id, request_id, version, kind, to_stage, series, output, kept)
    select sluice.now(), id, request_id, v.version, 0, 0, 1, '{}', v.kept
    from sluice.item cross join (values (0, true), (1, false)) v (version, kept)`);
  await big.client.query(`
    insert into sluice.waiter (run_id, kind, key)
    select r.id, (array['signal', 'item', 'children'])[1 + r.id % 3], r.id::text from sluice.run r where r.id % 661 = 0 and r.state = 0`);
  await big.client.query(
    "insert into sluice.signal (key, sent_at) select key, sluice.now() from sluice.waiter where kind = 'signal'",
  );
  await big.client.query(`
    insert into sluice.question (run_id, stage, text, asked_at, fallback_at)
    select r.id, 0, 'which?', sluice.now(), sluice.now() from sluice.run r where r.id % 1999 = 0 and r.state = 0`);
  const { rows } = await big.client.query(
    "select id::text, version, request_id::text from sluice.run where epoch = $1 order by id limit $2",
    [EPOCH, BATCH],
  );
  held = rows;
  await big.client.query("update sluice.worker set state = 2, ended_at = sluice.now() where epoch = $1", [EPOCH]);
  await big.client.query(
    "insert into sluice.worker (name, host, pid, pid_started, epoch, started_at) values ('living', 'here', 2, '1', 7002, sluice.now())",
  );
  await big.client.query("update sluice.worker set invites = 1, lanes = $1 where epoch = 7002", [big.lanes]);
}, 180_000);

afterAll(async () => {
  await big?.close();
  await server?.stop();
});

let held: { id: string; version: number; request_id: string }[];

const requestsHeld = () => held.map((row) => row.request_id);

const lane = (priority: number) => ({ lane: big.lanes[0], priority, floor: 0 });

/** The least urgent, so that it is looked for in front of it at every level. */
const arriving = (): FewItem => ({
  ...{
    total: 1,
    pipeline: big.pipeline,
    lane: big.lanes[0] as number,
    nonce: "1",
    priority: 5,
    delayMs: 0,
    input: "{}",
  },
  ...{ owner: null, fairness: null, isOffered: true },
});

/** What those have in common that enter together. */
const entering = () => ({
  ...{ pipeline: big.pipeline, lane: big.lanes[0] as number, priority: 3, delayMs: 0 },
  ...{ owner: null, fairness: null, key: null },
});

/** Each as the engine calls it; those that write are rolled back. */
const hot: Record<string, (db: Queryable) => Promise<unknown>> = {
  claim: (db) => claim(db, [1, 2, 3, 4, 5].map(lane), BATCH, "7002"),
  "settle, ending": async (db) => {
    const batch = held.map((row) => ends({ ...row, stage: 0, priority: 3 }));
    return await settle(db, batch, { epoch: EPOCH, servedLanes: big.lanes });
  },
  "settle, handing on": async (db) => {
    const next = { ended: 0, toStage: 1, toLane: big.lanes[1], handOff: true };
    const batch = held.map((row) => ends({ ...row, stage: 0, priority: 3 }, next));
    return await settle(db, batch, { epoch: EPOCH, servedLanes: big.lanes });
  },
  "settle, each its own way": async (db) => {
    const next = { ended: 0, toStage: 1, toLane: big.lanes[1], handOff: true };
    const batch = held.map((row, index) => ends({ ...row, stage: 0, priority: 3 }, index % 2 === 0 ? next : {}));
    return await settle(db, batch, { epoch: EPOCH, servedLanes: big.lanes });
  },
  submit: (db) =>
    insertRequests(
      db,
      [{ total: BATCH, key: null, owner: null, parent: null }],
      Array.from({ length: BATCH }, () => ({ ...entering(), ...{ request: 1, nonce: "1", input: "{}" } })),
    ),
  "submit, alike": (db) => {
    const inputs = Array.from({ length: BATCH }, () => "{}");
    return insertAlike(db, { ...entering(), deadlineMs: null, trace: null }, "1", { inputs, titles: null });
  },
  "submit, a few": (db) => insertFew(db, [arriving()], true),
  "submit, handed over": (db) =>
    insertFew(db, [arriving()], false, { epoch: "7002", servedLanes: big.lanes, valves: "0" }),
  "submit, handed over afar": (db) => insertAfar(db, [arriving()]),
  "held by the dead": (db) => reclaim(db, EPOCH),
  departed: (db) => departedWorkers(db),
  reclaim: async (db) => {
    return await reclaim(
      {
        query: async (statement, values) =>
          statement.name === "held-by" ? ([...held] as never) : await db.query(statement, values),
      },
      EPOCH,
    );
  },
  release: async (db) => release(db, held, EPOCH),
  progress: async (db) =>
    saveProgress(
      db,
      held.map((row) => ({ ...row, progress: 1 })),
      EPOCH,
    ),
  context: async (db) =>
    readContext(
      db,
      held.map((row) => row.id),
    ),
  resolve: async (db) => resolveCommits(db, held, EPOCH),
  "cancel, looking": async (db) =>
    liveRuns(
      db,
      held.map((row) => row.id),
    ),
  "cancel, writing": async (db) =>
    cancelRuns(
      db,
      held.map((row) => ({ ...row, state: 1 })),
      "person",
    ),
  "live items of a request": async (db) => liveItemsOf(db, [held[0]?.request_id ?? "1"]),
  "wake, signalled": (db) => wakeSignalled(db, null),
  "wake, joined": (db) => wakeJoined(db),
  "wake, followers": (db) => wakeFollowers(db),
  "answer, overdue": (db) => answerOverdue(db),
};

/** What runs in the background, days after anything was written: then everything was counted. */
const cold: typeof hot = {
  "retention, walking": (db) => walkRequests(db, "0", BATCH),
  "retention, locking": (db) => lockRequests(db, requestsHeld()),
  "retention, removing": (db) => removeLocked(db, requestsHeld()),
  "retention, forgetting": (db) => forgetKept(db, requestsHeld()),
  "removal, everything": (db) => forgetAll(db, requestsHeld(), []),
  "removal, children": (db) => askChildren(db, requestsHeld(), "person"),
  "removal, by key": (db) => requestsOfKey(db, "big", "none"),
};

async function rolledBack<T>(work: () => Promise<T>): Promise<T> {
  await big.client.query("begin");
  try {
    return await work();
  } finally {
    await big.client.query("rollback");
  }
}

async function whatItReads(run: (db: Queryable) => Promise<unknown>): Promise<string[]> {
  const before = big.explaining.plans.length;
  await rolledBack(() => run(big.explaining));
  const plans = big.explaining.plans.slice(before);
  expect(plans.length, "something was explained").toBeGreaterThan(0);
  return plans.flatMap((plan) => [...wholeTables(plan), ...wholeIndexes(plan)]);
}

/** EXPLAIN always plans for the values at hand, so a prepared plan is judged by what it makes the server count. */
async function rowsReadWhenPrepared(run: (db: Queryable) => Promise<unknown>): Promise<number> {
  const read = async () => {
    await big.client.query("select pg_stat_force_next_flush()");
    const { rows } = await big.client.query<{ n: number }>(`
      select (select coalesce(sum(seq_tup_read), 0) from pg_stat_user_tables where schemaname = 'sluice' and relname ~ '^(run|item|request|journal)')
        + (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes where schemaname = 'sluice' and relname ~ '^(run|item|request|journal)') as n`);
    return Number(rows[0]?.n);
  };
  const before = await read();
  await rolledBack(() => run(big.db));
  return (await read()) - before;
}

describe.each(["counted long ago", "counted now"])("with statistics %s", (when) => {
  beforeAll(async () => {
    if (when === "counted now") await big.client.query("vacuum analyze");
  });

  it.each(Object.entries(hot))("%s goes by index", async (_, run) => {
    await big.client.query("set plan_cache_mode = auto");
    expect(await whatItReads(run)).toEqual([]);
  });

  it.each(Object.entries(hot))("%s goes by index with a plan that fits any values", async (_, run) => {
    await big.client.query("set plan_cache_mode = force_generic_plan");
    expect(await rowsReadWhenPrepared(run)).toBeLessThan(ROWS / 4);
  });
});

describe("in the background", () => {
  beforeAll(async () => {
    await big.client.query("vacuum analyze");
  });

  it.each(Object.entries(cold))("%s goes by index", async (_, run) => {
    await big.client.query("set plan_cache_mode = auto");
    expect(await whatItReads(run)).toEqual([]);
    await big.client.query("set plan_cache_mode = force_generic_plan");
    expect(await rowsReadWhenPrepared(run)).toBeLessThan(ROWS / 4);
  });
});
