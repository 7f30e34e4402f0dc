// Actions on what moves meanwhile: each takes the version it read, or nothing.

import type { Database, Queryable, Statement } from "../../../src/engine/db/database.ts";
import { addQuestion, addWaiter } from "../../../src/engine/items/beside.sql.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { writeIntents } from "../../../src/engine/items/intent.sql.ts";
import { saveCheckpoint } from "../../../src/engine/items/lease.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { type ItemFacts, liveItemsAfter, readFacts, readVersions } from "../../../src/engine/operate/facts.sql.ts";
import type { Action, Change } from "../../../src/engine/operate/plan.ts";
import { retryItem } from "../../../src/engine/operate/retry.ts";
import { retryParts } from "../../../src/engine/operate/retry-parts.ts";
import { writeChanges } from "../../../src/engine/operate/write.ts";
import { registerPipeline } from "../../../src/engine/workers/registry.sql.ts";
import { seededRandom } from "../../../src/kit/index.ts";
import type { Arena } from "../arena.ts";
import { begin, split } from "../parts-play.ts";
import { BY_FILE, BY_INDEX } from "../plans.ts";
import {
  ANNA,
  advances,
  ask,
  askAll,
  countOf,
  ends,
  enter,
  fails,
  journalled,
  listed,
  moveBehind,
  must,
  refuseLater,
  settled,
  take,
  taken,
} from "../play.ts";
import { intentOf, keyOf, openFarm, put, runNow, standingOf, takenAfar, untouched } from "../play-afar.ts";
import type { Scenario } from "../scenario.ts";

const random = seededRandom(1);
const replay: Action = { type: "replay", from: "anywhere", as: "same" };

async function does(tx: Queryable, action: Action, facts: readonly ItemFacts[], change: Change): Promise<string[]> {
  const planned = facts.map((one) => ({ facts: one, change }));
  const registry = { pipelineOf: () => undefined };
  return [...(await writeChanges({ tx, actor: "person", random, registry }, action, planned)).keys()];
}

const ofVersion: Scenario = {
  name: "an action takes the version it read, and the fence moves with it",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const { line } = arena.dictionary;
        const move = (stage: number): Change => ({ type: "move", stage, series: 2, pipeline: line.pipeline });
        const first: Action = { type: "set-priority", priority: 1 };
        const prior: Change = { type: "set-priority", priority: 1 };
        const { items } = await ask(arena, 5);
        const queued = await readFacts(arena, items);
        const rows = await take(arena, line, ANNA);
        const [a, b, c, d, e] = rows as [ClaimedRow, ClaimedRow, ClaimedRow, ClaimedRow, ClaimedRow];
        must((await does(arena, replay, queued, move(0))).length === 0, "what was claimed since is not moved");
        must((await does(arena, first, queued, prior)).length === 0, "nor given another priority");
        const leased = await readFacts(arena, items);
        await settled(arena, [advances(a, line)], ANNA);
        const back = await does(arena, { type: "take-back" }, leased.slice(0, 2), { type: "take-back" });
        must(listed(back) === b.id, "what was settled since is not taken back");
        const takeBack: Change = { type: "take-back" };
        must((await does(arena, takeBack, leased.slice(1, 2), takeBack)).length === 0, "nor anything twice");
        must((await settled(arena, [ends(b)], ANNA)).length === 0, "who held it is refused");
        must((await runNow(arena, b.id)).lane === line.lanes[0], "it queues where it was");
        must((await does(arena, replay, leased.slice(2, 3), move(0))).length === 1, "one is moved");
        must((await does(arena, replay, leased.slice(2, 3), move(0))).length === 0, "once");
        must((await does(arena, replay, leased.slice(3, 4), move(1))).length === 1, "another elsewhere");
        must((await settled(arena, [ends(c), ends(d)], ANNA)).length === 0, "who held them is refused");
        must((await runNow(arena, c.id)).lane === line.lanes[0], "into the lane of its stage");
        must((await runNow(arena, d.id)).lane === line.lanes[1], "as the other");
        must((await does(arena, first, leased.slice(4), prior)).length === 1, "who is held has another priority");
        must((await journalled(arena, e.id, "priority")) === 0, "under the same fence");
        must((await settled(arena, [ends(e)], ANNA)).length === 1, "and its holder goes on");
        const idle = await readFacts(arena, [b.id]);
        must((await does(arena, first, idle, prior)).length === 1, "who is queued as well");
        must((await journalled(arena, b.id, "priority")) === 1, "which is written down");
        must((await does(arena, first, idle, prior)).length === 0, "once");
      },
    };
  },
};

const facts: Scenario = {
  name: "the facts of an action: how it ended, whether it has begun, what of it lives",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const { line } = arena.dictionary;
        const { request, items } = await ask(arena, 2);
        const [one, two] = (await take(arena, line, ANNA)) as [ClaimedRow, ClaimedRow];
        await settled(arena, [fails(one)], ANNA);
        await retryItem(arena, one.id, "person");
        const [again] = (await take(arena, line, ANNA)) as [ClaimedRow];
        await settled(arena, [fails(again)], ANNA);
        await settled(arena, [fails(again)], ANNA);
        await refuseLater(arena);
        must((await readFacts(arena, [one.id]))[0]?.series === 2, "of its end, not of what was refused after it");
        must(listed(await liveItemsAfter(arena, request, "0", 10)) === two.id, "those that live");
        must((await liveItemsAfter(arena, request, two.id, 10)).length === 0, "after one of them");
        const isFresh = async () => (await readFacts(arena, [two.id]))[0]?.is_fresh;
        must((await isFresh()) === false, "held");
        await does(arena, { type: "take-back" }, await readFacts(arena, [two.id]), { type: "take-back" });
        must((await isFresh()) === true, "not begun");
        const set = (what: string) => arena.rows(`update sluice.run set ${what} where id = $1`, [two.id]);
        await set("begun_at = sluice.now()");
        must((await isFresh()) === false, "begun before");
        await set("begun_at = null, attempts = 1");
        must((await isFresh()) === false, "tried");
        await set("attempts = 0, reason = 'rain'");
        must((await isFresh()) === false, "waits");
        await set("reason = null");
        const shape = { shape: "other", stages: ["line-0"] };
        await registerPipeline(arena, "line", 2, shape);
        must((await readVersions(arena, ["line", "keyed"], 2)).length === 1, "one version");
        await arena.rows("delete from sluice.pipeline where name = 'line' and version = 2");
        await cancelItems(arena, items, "person");
      },
    };
  },
};

const moveAndIntent: Scenario = {
  name: "a replay and a start that is being written down: what may exist outside is owed",
  async prepare(arena) {
    await openFarm(arena, ANNA);
    const { afar } = arena.dictionary;
    const [row] = (await takenAfar(arena, ANNA, 1)) as [ClaimedRow];
    for (const standing of ["owed", "over", "taken care of"]) await put(arena, `old ${standing}`, row.id, standing);
    for (const column of ["answered_at", "withdrawn_at", "fallback_at"]) {
      const id = await addQuestion(arena, row.id, { text: column, options: null, fallback: null, fallbackMs: null });
      await arena.rows(`update sluice.question set ${column} = '2000-01-01' where id = $1`, [id]);
    }
    await addWaiter(arena, row.id, "signal", "never");
    await saveCheckpoint(arena, row, ANNA, "1");
    const change: Change = { type: "move", stage: 0, series: 2, pipeline: afar.pipeline };
    let written = 0;
    return {
      sessions: {
        person: async (db) => {
          const read = await readFacts(db, [row.id]);
          await db.transaction((tx) => does(tx, replay, read, change));
        },
        worker: async (db) => (written = (await writeIntents(db, [intentOf(arena, row)], ANNA)).size),
      },
      async check() {
        must((await journalled(arena, row.id, "replayed")) === 1, "it is replayed");
        must((await standingOf(arena, keyOf(row.id))) === (written > 0 ? "owed" : undefined), "what it left is owed");
        must((await untouched(arena)) === 3, "what was settled before stays as it is");
        const olden = "from sluice.question where withdrawn_at = '2000-01-01'";
        must((await countOf(arena, olden)) === 1, "a question that was withdrawn stays so");
        must(
          (await countOf(arena, "from sluice.question where answered_at is not null and withdrawn_at is null")) === 1,
          "an answered one too",
        );
        must(
          (await countOf(arena, "from sluice.question where answered_at is null and withdrawn_at is null")) === 0,
          "none is open",
        );
        must(
          (await countOf(arena, "from sluice.waiter")) + (await countOf(arena, "from sluice.checkpoint")) === 0,
          "nothing else is left",
        );
        must((await runNow(arena, row.id)).lane === afar.lanes[0], "it enters its stage anew");
      },
    };
  },
};

const moveAndSettle: Scenario = {
  name: "a replay and its holder's settlement: one of the two, or the one after the other",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    const [row] = (await taken(arena, ANNA, [1])) as [ClaimedRow];
    let accepted = 0;
    let moved = 0;
    return {
      sessions: {
        person: async (db) => {
          const read = (await readFacts(db, [row.id])).filter((one) => one.run_version !== null);
          const change: Change = { type: "move", stage: 0, series: 2, pipeline: line.pipeline };
          moved = await db.transaction(async (tx) => (await does(tx, replay, read, change)).length);
        },
        worker: async (db) => (accepted = (await settled(db, [ends(row)], ANNA)).length),
      },
      async check() {
        must(accepted + moved === 1, `one of them (${accepted}, ${moved})`);
        must((await countOf(arena, "from sluice.run")) === moved, "it lives where it was replayed");
      },
    };
  },
};

const reopenAll: Scenario = {
  name: "what ended in any way is reopened once, and the counts follow",
  async prepare(arena) {
    const { item } = await split(arena, ["a", "b"]);
    return {
      sessions: {},
      async check() {
        const { line } = arena.dictionary;
        must((await readFacts(arena, [item.id]))[0]?.has_live_parts === false, "its parts have ended");
        // Done, with a part that is missing.
        await arena.db.transaction(async (tx) => {
          await settled(tx, [ends(item)], ANNA);
          await arena.rows("update sluice.request set partly = 1 where id = $1", [item.request_id]);
        });
        const asked = await ask(arena, 3);
        const [one, two, three] = (await take(arena, line, ANNA)) as [ClaimedRow, ClaimedRow, ClaimedRow];
        // Failed, with parts that all did.
        const parts = await begin(arena, one, ["x"]);
        await settled(
          arena,
          parts.map((part) => fails(part)),
          ANNA,
        );
        await arena.rows("delete from sluice.waiter");
        const held = await readFacts(arena, [one.id]);
        await cancelItems(arena, [two.id], "person");
        await settled(arena, [ends(three)], ANNA);
        await arena.rows("update sluice.run set state = 1, epoch = $2, flags = 0 where id = $1", [one.id, ANNA]);
        const version = held[0]?.run_version ?? 0;
        must((await settled(arena, [fails({ ...one, version })], ANNA)).length === 1, "it failed");
        const ids = [item.id, ...asked.items];
        const read = await readFacts(arena, ids);
        const change: Change = { type: "reopen", stage: 0, pipeline: line.pipeline };
        must((await does(arena, replay, read, change)).length === 4, "all of them");
        must((await does(arena, replay, read, change)).length === 0, "once");
        must(
          (await countOf(
            arena,
            "from sluice.request where completed + failed + cancelled > 0 and parts_of is null",
          )) === 0,
          "none has ended",
        );
      },
    };
  },
};

const HOLD: Statement = { name: "hold-item", text: "select from sluice.item where id = $1 for no key update" };

const reopenInOrder: Scenario = {
  name: "two replays of the same items, which lie in another order: no deadlock",
  preemptions: 1,
  settings: {
    one: BY_INDEX,
    other: BY_FILE,
  },
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [3]);
    await settled(
      arena,
      rows.map((row) => fails(row)),
      ANNA,
    );
    await moveBehind(arena, "item", rows[0]?.id);
    const ids = rows.map((row) => row.id);
    const change: Change = { type: "reopen", stage: 0, pipeline: arena.dictionary.line.pipeline };
    const reopen = async (db: Database) => {
      const read = (await readFacts(db, ids)).filter((one) => one.run_version === null);
      if (read.length > 0) await db.transaction((tx) => does(tx, replay, read, change));
    };
    return {
      sessions: { busy: (db) => db.transaction((tx) => tx.query(HOLD, [ids[1]])), one: reopen, other: reopen },
      check: async () => must((await countOf(arena, "from sluice.run where series = 2")) === 3, "all live, once"),
    };
  },
};

const reopenAndParts: Scenario = {
  name: "an item is replayed while its parts are tried again: no deadlock, and it lives once",
  preemptions: 1,
  async prepare(arena: Arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    const [row] = (await taken(arena, ANNA, [1])) as [ClaimedRow];
    const parts = await begin(arena, row, ["a"]);
    await settled(
      arena,
      parts.map((part) => fails(part)),
      ANNA,
    );
    await arena.rows("delete from sluice.waiter");
    await arena.rows("update sluice.run set state = 1, epoch = $2, flags = 16 where id = $1", [row.id, ANNA]);
    const { version } = await runNow(arena, row.id);
    const failing = fails({ ...row, version }, { detail: { code: "PARTS_FAILED", attempt: 1 } });
    must((await settled(arena, [failing], ANNA)).length === 1, "it failed");
    const change: Change = { type: "reopen", stage: 0, pipeline: line.pipeline };
    return {
      sessions: {
        person: async (db) => {
          const read = (await readFacts(db, [row.id])).filter((one) => one.run_version === null);
          if (read.length > 0) await db.transaction((tx) => does(tx, replay, read, change));
        },
        other: (db) => retryParts(db, row.id, "other"),
      },
      check: async () => must((await countOf(arena, "from sluice.run where id = $1", [row.id])) === 1, "it lives"),
    };
  },
};

const skipAndClaim: Scenario = {
  name: "a skip and a claim: it goes on, or is visited",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    const [given] = await askAll(arena, [1]);
    const id = given?.items[0] as string;
    let skipped = 0;
    return {
      sessions: {
        person: async (db) => {
          const read = (await readFacts(db, [id])).filter((one) => one.run_state === 0);
          const action: Action = { type: "skip", reason: "no" };
          skipped = await db.transaction(
            async (tx) => (await does(tx, action, read, { type: "end", as: "done" })).length,
          );
        },
        worker: (db) => take(db, line, ANNA),
      },
      async check() {
        must((await countOf(arena, "from sluice.run where state = 1")) === 1 - skipped, "one of the two");
        must((await journalled(arena, id, "skip")) === skipped, "and it is written down");
        must((await countOf(arena, "from sluice.audit where action = 'skip'")) === skipped, "with who did it");
      },
    };
  },
};

export const acting = [
  ofVersion,
  facts,
  moveAndIntent,
  moveAndSettle,
  reopenAll,
  reopenInOrder,
  reopenAndParts,
  skipAndClaim,
];
