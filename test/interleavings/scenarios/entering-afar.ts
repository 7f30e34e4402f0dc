// A few that enter where nobody works, and are handed over to a worker that invited them.

import type { Database, Queryable } from "../../../src/engine/db/database.ts";
import type { FewItem } from "../../../src/engine/intake/few.sql.ts";
import { insertAfar } from "../../../src/engine/intake/few-afar.sql.ts";
import { reclaim } from "../../../src/engine/items/lease.sql.ts";
import { setValve } from "../../../src/engine/operate/valve.sql.ts";
import {
  departedWorkers,
  leaveWorker,
  markDead,
  withdrawInvitation,
} from "../../../src/engine/workers/worker-row.sql.ts";
import type { Arena } from "../arena.ts";
import type { Line } from "../dictionary.ts";
import {
  ANNA,
  type Asked,
  ask,
  BERT,
  countOf,
  enter,
  kill,
  knowValves,
  listed,
  moveValves,
  must,
  take,
} from "../play.ts";
import type { Scenario } from "../scenario.ts";

const item = (arena: Arena, change: Partial<FewItem> = {}): FewItem => {
  const { pipeline, lanes } = arena.dictionary.line;
  const given = { nonce: "1", priority: 3, delayMs: 0, owner: null, fairness: null, input: "{}" };
  return { pipeline, lane: lanes[0] as number, total: 1, ...given, ...change };
};

/** As its beat would say it. */
async function invite(arena: Arena, epoch: string, items: number, lanes: readonly number[]): Promise<void> {
  await arena.rows("update sluice.worker set invites = $2, lanes = $3 where epoch = $1", [epoch, items, lanes]);
}

const invitesOf = async (arena: Arena, epoch: string): Promise<number | undefined> =>
  (await arena.rows<{ invites: number }>("select invites from sluice.worker where epoch = $1", [epoch]))[0]?.invites;

/** Whose each is then; "-" for nobody's. */
async function handIn(db: Queryable, items: readonly FewItem[]): Promise<string[]> {
  return (await insertAfar(db, items)).map(({ epoch }) => epoch ?? "-");
}

const conditions: Scenario = {
  name: "handed over to another process is only what it invited, and what it would claim at once",
  async prepare(arena) {
    const { line, narrow, limited } = arena.dictionary;
    const [first = 0, second = 0, third = 0] = line.lanes;
    const at = (to: Line): Partial<FewItem> => ({ pipeline: to.pipeline, lane: to.lanes[0] as number });
    const before = (asked: Asked) => () => ask(arena, 1, asked);
    const other = (lane: number) => async () => {
      await ask(arena, 1);
      await arena.rows("update sluice.run set lane = $1, stage = 1", [lane]);
    };
    const close = () =>
      setValve(arena, { kind: "pause", scope: { stage: "line-0" }, closed: true, note: null, actor: "person" });
    const served = [first, second, narrow.lanes[0] as number, limited.lanes[0] as number];
    const cases: readonly [string, boolean, Partial<FewItem>, () => Promise<unknown>][] = [
      ["nothing else there", true, {}, async () => undefined],
      ["a cap", false, at(narrow), async () => undefined],
      ["a limit per key", false, at(limited), async () => undefined],
      ["a closed valve", false, {}, close],
      ["one that was marked dead", false, {}, () => kill(arena, ANNA)],
      ["one that left", false, {}, () => leaveWorker(arena, ANNA)],
      ["one that invites nobody any more", false, {}, () => withdrawInvitation(arena, ANNA)],
      ["a lane that it does not serve", false, { lane: third }, async () => undefined],
      ["valves that moved, and it does not know", false, {}, () => moveValves(arena)],
      ["valves that moved, and it knows", true, {}, () => moveValves(arena).then(() => knowValves(arena, ANNA))],
      ["as urgent and older", false, {}, before({})],
      ["more urgent", false, {}, before({ priority: 1 })],
      ["less urgent", true, {}, before({ priority: 4 })],
      ["more urgent, and not yet due", true, {}, before({ priority: 1, delayMs: 60_000 })],
      ["as urgent, in another lane that it serves", false, {}, other(second)],
      ["as urgent, in a lane that others serve", true, {}, other(third)],
      ["too long for a letter", false, { input: JSON.stringify("x".repeat(8_000)) }, async () => undefined],
    ];
    return {
      sessions: {},
      async check() {
        for (const [what, isHanded, change, happens] of cases) {
          await arena.reset();
          await enter(arena, ANNA, BERT);
          await invite(arena, ANNA, 2, served);
          await happens();
          const whose = await handIn(arena, [item(arena, change)]);
          must(listed(whose) === (isHanded ? ANNA : "-"), `${what}: ${listed(whose)}`);
          const [row] = await arena.rows<{ state: number; version: number; epoch: string | null }>(
            "select state, version, epoch from sluice.run order by id desc limit 1",
          );
          must(row?.state === (isHanded ? 1 : 0) && row?.version === row?.state, `${what}: and stands there so`);
          must(row?.epoch === (isHanded ? ANNA : null), `${what}: ${row?.epoch} holds it`);
          if (isHanded) must((await invitesOf(arena, ANNA)) === 1, `${what}: and it invites one less`);
        }
        await arena.reset();
      },
    };
  },
};

const together: Scenario = {
  name: "a few that enter together are all handed over to one worker that invited as many, or none of them",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const { line } = arena.dictionary;
    await invite(arena, ANNA, 2, line.lanes);
    await invite(arena, BERT, 3, line.lanes);
    return {
      sessions: {},
      async check() {
        must(listed(await handIn(arena, [item(arena)])) === BERT, "one goes to whom invited most");
        await invite(arena, BERT, 3, line.lanes);
        const three = [item(arena, { total: 2 }), item(arena, { total: null }), item(arena)];
        must(listed(await handIn(arena, three)) === `${BERT} ${BERT} ${BERT}`, "three go to whom invited as many");
        must(listed(await handIn(arena, three)) === "- - -", "nobody invites three any more");
      },
    };
  },
};

const twoSubmitters: Scenario = {
  name: "two that submit at once hand no more over to a worker than it invited",
  async prepare(arena) {
    await enter(arena, ANNA);
    await invite(arena, ANNA, 1, arena.dictionary.line.lanes);
    const got: string[] = [];
    const one = (db: Database) => db.transaction(async (tx) => void got.push(...(await handIn(tx, [item(arena)]))));
    return {
      sessions: { one, other: one },
      async check({ trace }) {
        must(!trace.some((line) => line.endsWith("(waits)")), "nobody waits for another");
        must(got.filter((epoch) => epoch === ANNA).length <= 1, `handed over: ${listed(got)}`);
        const held = await countOf(arena, "from sluice.run where state = 1 and epoch = $1", [ANNA]);
        must(held + ((await invitesOf(arena, ANNA)) ?? 0) === 1, "one was invited");
      },
    };
  },
};

const afarAndDeath: Scenario = {
  name: "an item that is handed over to a worker while that is marked dead is never left with it",
  async prepare(arena) {
    await enter(arena, ANNA);
    await invite(arena, ANNA, 1, arena.dictionary.line.lanes);
    const got: string[] = [];
    return {
      sessions: {
        client: (db) => db.transaction(async (tx) => void got.push(...(await handIn(tx, [item(arena)])))),
        other: async (db) => {
          await markDead(db, ANNA, "0");
          await reclaim(db, ANNA);
        },
      },
      async check({ trace }) {
        // Where it waited for the submission it came after it.
        const at = trace.indexOf("other: worker-mark-dead");
        const wasDead = at >= 0 && at < trace.indexOf("client: submit-one-afar");
        must(!wasDead || listed(got) === "-", `dead before: ${wasDead}, handed over: ${listed(got)}`);
        must(
          (await departedWorkers(arena)).every(({ holds }) => holds),
          "who still holds something is not forgotten",
        );
        await reclaim(arena, ANNA);
        must((await countOf(arena, "from sluice.run where state = 0 and epoch is null")) === 1, "others can have it");
      },
    };
  },
};

const afarAndWithdrawal: Scenario = {
  name: "once an invitation is withdrawn, nothing more is handed over to who withdrew it",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    await invite(arena, ANNA, 2, arena.dictionary.line.lanes);
    await invite(arena, BERT, 1, arena.dictionary.line.lanes);
    let held = -1;
    return {
      sessions: {
        client: (db) => db.transaction((tx) => handIn(tx, [item(arena)])),
        worker: async (db) => {
          await withdrawInvitation(db, ANNA);
          const rows = await db.query<{ id: string }>(
            { name: "held", text: "select id from sluice.run where epoch = $1" },
            [ANNA],
          );
          held = rows.length;
        },
      },
      async check() {
        const now = await countOf(arena, "from sluice.run where epoch = $1", [ANNA]);
        must(now === held, `it saw ${held} of ${now}`);
        must((await invitesOf(arena, ANNA)) === 0, "and invites nobody");
        const others = await countOf(arena, "from sluice.run where epoch = $1", [BERT]);
        must((await invitesOf(arena, BERT)) === 1 - others, "others do as they did");
      },
    };
  },
};

const afarAndClaim: Scenario = {
  name: "an item that is handed over to another process is nobody else's to claim",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const { line } = arena.dictionary;
    await invite(arena, ANNA, 5, line.lanes);
    const got: string[] = [];
    return {
      sessions: {
        client: async (db) => void got.push(...(await handIn(db, [item(arena), item(arena)]))),
        [BERT]: async (db) => got.push(...(await take(db, line, BERT)).map(() => BERT)),
      },
      async check() {
        must(listed(got) === `${ANNA} ${ANNA}`, `taken by ${listed(got)}`);
        must((await countOf(arena, "from sluice.run where state = 1 and epoch = $1", [ANNA])) === 2, "both are held");
      },
    };
  },
};

export const enteringAfar = [conditions, together, twoSubmitters, afarAndDeath, afarAndWithdrawal, afarAndClaim];
