// A few that enter by the shorter statements, and what is handed over to the process they enter in.

import type { Queryable } from "../../../src/engine/db/database.ts";
import { type FewItem, handedOver, insertFew } from "../../../src/engine/intake/few.sql.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { reclaim } from "../../../src/engine/items/lease.sql.ts";
import { setValve } from "../../../src/engine/operate/valve.sql.ts";
import { departedWorkers, markDead } from "../../../src/engine/workers/worker-row.sql.ts";
import type { Arena } from "../arena.ts";
import type { Line } from "../dictionary.ts";
import {
  ANNA,
  type Asked,
  ask,
  BERT,
  countOf,
  ends,
  enter,
  kill,
  listed,
  moveValves,
  must,
  settled,
  take,
} from "../play.ts";
import type { Scenario } from "../scenario.ts";

/** In the first lane of the usual line, unless it is said otherwise. */
function few(arena: Arena, change: Partial<FewItem> = {}): FewItem {
  const { pipeline, lanes } = arena.dictionary.line;
  const [lane = 0] = lanes;
  const given = { nonce: "1", priority: 3, delayMs: 0, owner: null, fairness: null, input: "{}" };
  return { pipeline, lane, total: 1, ...given, ...change };
}

const requests: Scenario = {
  name: "a few that enter together are of the requests they came with",
  async prepare(arena) {
    return {
      sessions: {},
      async check() {
        const rows = await insertFew(
          arena,
          [
            few(arena, { total: 2, owner: "ann" }),
            few(arena, { total: null, owner: "ann" }),
            few(arena),
            few(arena, { owner: "bo", delayMs: 60_000 }),
          ],
          false,
        );
        const [first, second, third, fourth] = rows.map((row) => row.request_id);
        must(first === second && new Set([first, third, fourth]).size === 3, "three requests, the first of two items");
        const owners = await arena.rows<{ owner: string; request_id: string }>(
          "select owner, request_id from sluice.request_owner order by owner",
        );
        must(
          JSON.stringify(owners) ===
            JSON.stringify([first, fourth].map((id, n) => ({ owner: n === 0 ? "ann" : "bo", request_id: id }))),
          "each belongs to who asked for it, once",
        );
        must((await countOf(arena, "from sluice.run where ready_at <= sluice.now()")) === 3, "one comes later");
        must((await countOf(arena, "from sluice.run where reason = 'scheduled'")) === 1, "and says why");
      },
    };
  },
};

/** Entered by a process that works, with everything offered; says what was handed over. */
async function offer(
  db: Queryable,
  items: readonly FewItem[],
  servedLanes: readonly number[],
  { epoch = ANNA, valves = "0" } = {},
): Promise<boolean[]> {
  const offered = items.map((item) => ({ isOffered: true, ...item }));
  const rows = await insertFew(db, offered, false, { epoch, servedLanes, valves });
  return rows.map((row) => row.held === true);
}

const asClaimed: Scenario = {
  name: "what is handed over at the door stands there as if it had been claimed",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    const columns = `stage, lane, priority, state, epoch, version, reason, attempts, series, flags, since = begun_at as began,
      ready_at = since as is_ready, fair`;
    const look = async () => JSON.stringify(await arena.rows(`select ${columns} from sluice.run order by id`));
    return {
      sessions: {},
      async check() {
        const item = few(arena, { fairness: "ann", owner: "ann", trace: "t", input: '{"b":1,"a":[2]}' });
        const rows = await insertFew(arena, [{ ...item, isOffered: true }], false, {
          epoch: ANNA,
          servedLanes: line.lanes,
          valves: "0",
        });
        const [handed] = handedOver([item], rows);
        const stood = await look();
        await settled(arena, handed === undefined ? [] : [ends(handed)], ANNA);
        must((await countOf(arena, "from sluice.item where state = 1")) === 1, "its settlement is accepted");
        await arena.reset();
        await enter(arena, ANNA);
        await insertFew(arena, [item], false);
        const [claimed] = await take(arena, line, ANNA);
        must(
          stood === (await look()).replace('"is_ready":false', '"is_ready":true'),
          `${stood} is what a claim writes`,
        );
        const same = (row: ClaimedRow | undefined) =>
          JSON.stringify({ ...row, id: 0, request_id: 0, ready: 0 }, keysOf(claimed));
        must(same(handed) === same(claimed), `${same(handed)} is what a claim brings: ${same(claimed)}`);
      },
    };
  },
};

const keysOf = (row: object | undefined) => [...Object.keys(row ?? {}), "a", "b"].sort();

const conditions: Scenario = {
  name: "handed over at the door is only what a claim would take at once",
  async prepare(arena) {
    const { line, narrow, limited } = arena.dictionary;
    const [first = 0, second = 0, third = 0] = line.lanes;
    const at = (to: Line): Partial<FewItem> => ({ pipeline: to.pipeline, lane: to.lanes[0] as number });
    const before = (asked: Asked) => () => ask(arena, 1, asked);
    const other = (lane: number) => async () => {
      await ask(arena, 1);
      await arena.rows("update sluice.run set lane = $1, stage = 1", [lane]);
    };
    const change = (text: string) => async () => {
      await ask(arena, 1);
      await arena.rows(text);
    };
    const cases: readonly [string, boolean, Partial<FewItem>, () => Promise<unknown>][] = [
      ["nothing else there", true, {}, async () => undefined],
      ["a cap", false, at(narrow), async () => undefined],
      ["a limit per key", false, at(limited), async () => undefined],
      ["not offered", false, { isOffered: false }, async () => undefined],
      ["a worker that was marked dead", false, {}, () => kill(arena, ANNA)],
      ["valves that moved since it was offered", false, {}, () => moveValves(arena)],
      ["as urgent and older", false, {}, before({})],
      ["more urgent", false, {}, before({ priority: 1 })],
      ["less urgent", true, {}, before({ priority: 4 })],
      ["more urgent, and not yet due", true, {}, before({ priority: 1, delayMs: 60_000 })],
      ["as urgent, in another lane that is served", false, {}, other(second)],
      ["as urgent, in a lane that others serve", true, {}, other(third)],
      ["as urgent, and held by somebody", true, {}, change("update sluice.run set state = 1, epoch = 7002")],
      ["the least urgent, and nothing there", true, { priority: 5 }, async () => undefined],
    ];
    return {
      sessions: {},
      async check() {
        for (const [what, isHanded, item, happens] of cases) {
          await arena.reset();
          await enter(arena, ANNA, BERT);
          await happens();
          const [held] = await offer(arena, [few(arena, item)], [first, second]);
          must(held === isHanded, `${what}: ${isHanded ? "" : "not "}handed over`);
          const [row] = await arena.rows<{ state: number; version: number }>(
            "select state, version from sluice.run order by id desc limit 1",
          );
          must(row?.state === (isHanded ? 1 : 0) && row.version === row.state, `${what}: and stands there so`);
        }
        await arena.reset();
      },
    };
  },
};

const together: Scenario = {
  name: "of a few that enter together each is handed over by its own priority and lane",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line, narrow } = arena.dictionary;
    await ask(arena, 1, { priority: 3 });
    return {
      sessions: {},
      async check() {
        const capped = { pipeline: narrow.pipeline, lane: narrow.lanes[0] as number, priority: 2 };
        const items = [few(arena, { priority: 2 }), few(arena, capped), few(arena), few(arena, { priority: 1 })];
        const held = await offer(arena, items, line.lanes);
        must(JSON.stringify(held) === "[true,false,false,true]", `handed over: ${JSON.stringify(held)}`);
      },
    };
  },
};

const doorAndValve: Scenario = {
  name: "a valve that closed before an item entered keeps it from being handed over",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    let isHeld: boolean | undefined;
    return {
      sessions: {
        worker: async (db) => ([isHeld] = await offer(db, [few(arena)], line.lanes)),
        person: (db) =>
          db.transaction((tx) =>
            setValve(tx, { kind: "pause", scope: { stage: "line-0" }, closed: true, note: null, actor: "person" }),
          ),
      },
      check({ trace }) {
        const wasClosed = trace.indexOf("person: commit") < trace.indexOf("worker: submit-one-at-hand");
        must(isHeld === !wasClosed, `closed before: ${wasClosed}, handed over: ${isHeld}`);
      },
    };
  },
};

const doorAndDeath: Scenario = {
  name: "an item that enters a process while that is marked dead is handed over or queues, and is never left with the dead",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    let isHeld: boolean | undefined;
    return {
      sessions: {
        worker: async (db) => ([isHeld] = await offer(db, [few(arena)], line.lanes)),
        other: async (db) => {
          await markDead(db, ANNA, "0");
          await reclaim(db, ANNA);
        },
      },
      async check({ trace }) {
        const wasDead = trace.indexOf("other: worker-mark-dead") < trace.indexOf("worker: submit-one-at-hand");
        must(isHeld === !wasDead, `dead before: ${wasDead}, handed over: ${isHeld}`);
        must(
          (await departedWorkers(arena)).every(({ holds }) => holds),
          "who still holds something is not forgotten",
        );
        await reclaim(arena, ANNA);
        must(
          (await countOf(arena, "from sluice.run where state = 0 and epoch is null")) === 1,
          "it is ready for others",
        );
      },
    };
  },
};

const doorAndClaim: Scenario = {
  name: "an item that is handed over at the door is nobody else's to claim",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const { line } = arena.dictionary;
    const got: string[] = [];
    return {
      sessions: {
        [ANNA]: async (db) => {
          const held = await offer(db, [few(arena), few(arena)], line.lanes);
          got.push(...held.filter((one) => one).map(() => ANNA));
        },
        [BERT]: async (db) => got.push(...(await take(db, line, BERT)).map(() => BERT)),
      },
      async check() {
        must(listed(got) === `${ANNA} ${ANNA}`, `taken by ${listed(got)}`);
        must((await countOf(arena, "from sluice.run where state = 1 and epoch = $1", [ANNA])) === 2, "both are held");
      },
    };
  },
};

export const entering = [requests, asClaimed, conditions, together, doorAndValve, doorAndDeath, doorAndClaim];
