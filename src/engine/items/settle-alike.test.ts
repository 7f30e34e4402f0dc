// The statement for a batch that is all alike writes what the one for any batch writes.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertRequests } from "../intake/submit.sql.ts";
import { openPglite, type PgliteDatabase } from "../testing/pglite.ts";
import { type ClaimedRow, claim } from "./claim.sql.ts";
import { ITEM_STATE, JOURNAL_KIND, RUN_FLAG } from "./codes.ts";
import { type SettledRow, type Settlement, settle } from "./settle.sql.ts";

const EPOCH = "77";
const FIRST = 1;
const SECOND = 2;
const HOLDER = { epoch: EPOCH, servedLanes: [SECOND, FIRST] };

let db: PgliteDatabase;
beforeAll(async () => {
  db = await openPglite();
  await db.pglite.exec(`
    insert into sluice.pipeline (name, version, shape, stages, created_at) values ('p', 1, 's', '{a,b}', sluice.now());
    insert into sluice.lane (pipeline_id, stage) values (1, 0), (1, 1);
    insert into sluice.worker (name, host, pid, pid_started, epoch, started_at) values ('w', 'here', 1, '1', ${EPOCH}, sluice.now())`);
});
afterAll(() => db.close());

/** So many items of one request with a key, in our hands. */
async function held(count: number, priority = 3): Promise<ClaimedRow[]> {
  const item = { request: 1, pipeline: 1, lane: FIRST, nonce: "1", priority, delayMs: 0, owner: null, fairness: null };
  const items = Array.from({ length: count }, () => ({ ...item, key: "k", input: "{}" }));
  await insertRequests(db, [{ total: count, key: "k", owner: null, parent: null }], items);
  const rows = await claim(db, [{ lane: FIRST, priority, floor: 0 }], count, EPOCH);
  return rows.sort((one, other) => Number(one.id) - Number(other.id));
}

function done(row: ClaimedRow, change: Partial<Settlement>): Settlement {
  const { id, version, stage, priority } = row;
  const on = { ended: ITEM_STATE.live, toStage: 1, toLane: SECOND, handOff: true };
  return {
    ...{ id, version, stage, priority, pipeline: 1, kind: JOURNAL_KIND.done, ...on },
    ...{ tookMs: 5, output: '{"n":1}', detail: null, ...change },
  };
}

const OVER = { ended: ITEM_STATE.done, toStage: null, toLane: null, handOff: false };

const AGAIN = {
  ...{ kind: JOURNAL_KIND.again, toStage: 0, toLane: FIRST, handOff: false, output: null },
  detail: { reason: "again", delayMs: 1_000 },
};

/** All that there is of these items, but for what tells them apart. */
async function written(ids: readonly string[]): Promise<unknown> {
  const { rows } = await db.pglite.query(
    `select to_jsonb(i) - '{id,request_id,created_at,finished_at}'::text[] as item, i.finished_at is null as lives,
      to_jsonb(r) - '{id,request_id,ready_at,since,begun_at}'::text[] as run,
      r.ready_at = q.created_at as keeps_its_place, r.begun_at = r.since as has_begun, r.begun_at is null as has_not,
      to_jsonb(q) - '{id,created_at}'::text[] as request,
      (select jsonb_agg(to_jsonb(j) - '{xid,seq,at,item_id,request_id}'::text[] order by j.version, j.kind)
        from sluice.journal j where j.item_id = i.id) as journal,
      (select count(*) from sluice.checkpoint c where c.run_id = i.id) as checkpoints,
      (select count(*) from sluice.intent n where n.item_id = i.id and n.over_at is null) as open_intents,
      (select count(*) from sluice.unique_key k where k.request_id = i.request_id) as keys
    from sluice.item i join sluice.request q on q.id = i.request_id left join sluice.run r on r.id = i.id
    where i.id = any ($1::bigint[]) order by i.id`,
    [ids],
  );
  return rows;
}

/** Two items, settled as asked for: together, and beside one that goes another way. */
async function bothWays(
  change: Partial<Settlement>,
  prepare: (ids: readonly string[]) => Promise<void> = async () => {},
) {
  const seen: { answer: SettledRow[]; rows: unknown; sent: string[] }[] = [];
  for (const isAlike of [true, false]) {
    const rows = await held(2, change.priority);
    const others = isAlike ? [] : await held(1);
    const ids = rows.map((row) => row.id);
    await prepare(ids);
    const other = others.map((row) => done(row, AGAIN));
    const sent: string[] = [];
    const watched: Parameters<typeof settle>[0] = {
      query: (statement, values) => {
        sent.push(statement.name);
        return db.query(statement, values);
      },
    };
    const answer = await settle(watched, [...rows.map((row) => done(row, change)), ...other], HOLDER);
    const own = answer
      .filter((row) => ids.includes(row.id))
      .map((row) => ({ ...row, id: String(ids.indexOf(row.id)) }));
    seen.push({ answer: own, rows: await written(ids), sent });
    await db.pglite.exec(
      "delete from sluice.run; delete from sluice.unique_key; update sluice.worker set state = 0, ended_at = null",
    );
  }
  const [alike, any] = seen;
  if (alike === undefined || any === undefined) throw new Error("both were settled");
  expect(any.sent).toEqual(["settle"]);
  expect(alike.rows).toEqual(any.rows);
  expect(alike.answer).toEqual(any.answer);
  return alike;
}

describe("a batch that is all alike is written as any other", () => {
  it("handed on", async () => {
    const { sent, answer } = await bothWays({});
    expect(sent).toEqual(["settle-on"]);
    expect(answer.map((row) => row.held)).toEqual([true, true]);
  });

  it("handed on with what the run row knew before", async () => {
    const flags = RUN_FLAG.hasCheckpoint;
    await bothWays({ output: null }, async (ids) => {
      await db.pglite.query(
        `update sluice.run set attempts = 2, waits = 3, crashes = 1, suspicion = 1, flags = ${flags}, is_manual = true, progress = 40,
           ref = 'r', marks = '{}', active_at = sluice.now(), reason = 'backoff' where id = any ($1::bigint[])`,
        [ids],
      );
    });
  });

  it("queued where nobody asks for more", async () => {
    const { answer } = await bothWays({ handOff: false });
    expect(answer.map((row) => row.held)).toEqual([false, false]);
  });

  it("queued where its next lane is closed", async () => {
    await db.pglite.exec(
      "insert into sluice.valve (kind, stage, closed, generation, changed_at) values ('switch', 'b', true, 1, sluice.now())",
    );
    const { answer } = await bothWays({});
    await db.pglite.exec("delete from sluice.valve");
    expect(answer.map((row) => row.held)).toEqual([false, false]);
  });

  it("queued where its next lane is counted", async () => {
    await db.pglite.exec(`update sluice.lane set cap = 5 where id = ${SECOND}`);
    const { answer } = await bothWays({});
    await db.pglite.exec(`update sluice.lane set cap = null`);
    expect(answer.map((row) => row.held)).toEqual([false, false]);
  });

  it("queued behind what is more urgent", async () => {
    const queue = async () => {
      const [row] = await held(1, 1);
      await db.pglite.query("update sluice.run set state = 0, epoch = null where id = $1", [row?.id]);
    };
    const { answer } = await bothWays({}, queue);
    expect(answer.map((row) => row.held)).toEqual([false, false]);
  });

  it("queued by a worker that was marked dead", async () => {
    const { answer } = await bothWays({}, async () => {
      await db.pglite.exec("update sluice.worker set state = 2, ended_at = sluice.now()");
    });
    expect(answer.map((row) => row.held)).toEqual([false, false]);
  });

  it("over, with its request, its key, its checkpoint and its intents", async () => {
    const flags = RUN_FLAG.hasCheckpoint | RUN_FLAG.hasIntent;
    const { sent, answer } = await bothWays(OVER, async (ids) => {
      await db.pglite.query(`update sluice.run set flags = ${flags} where id = any ($1::bigint[])`, [ids]);
      await db.pglite.query(
        `insert into sluice.checkpoint (run_id, stage, value, written_at)
         select id, 0, '1', sluice.now() from unnest($1::bigint[]) u (id)`,
        [ids],
      );
      await db.pglite.query(
        `insert into sluice.intent (key, item_id, service, pipeline_id, stage, intended_at)
         select 'intent ' || id, id, 's', 1, 0, sluice.now() from unnest($1::bigint[]) u (id)`,
        [ids],
      );
      await db.pglite.query(
        `insert into sluice.unique_key (pipeline, key, request_id, scope)
         select 'p', 'k', request_id, 'live' from sluice.item where id = $1`,
        [ids[0]],
      );
    });
    expect(sent).toEqual(["settle-end"]);
    expect(answer.map((row) => row.held)).toEqual([false, false]);
  });

  it("refused where somebody else has owned it since, and that is told", async () => {
    for (const change of [{}, OVER]) {
      const { answer } = await bothWays(change, async (ids) => {
        await db.pglite.query("update sluice.run set version = version + 1 where id = $1", [ids[0]]);
      });
      expect(answer.map((row) => row.id)).toEqual(["1"]);
    }
  });
});
