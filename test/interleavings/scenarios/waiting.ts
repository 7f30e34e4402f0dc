// Waits and what ends them, begun and ended at the same moment.

import type { Database } from "../../../src/engine/db/database.ts";
import { addQuestion, addWaiter, dropWaiter } from "../../../src/engine/items/beside.sql.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { answerOverdue, answerQuestion, keepSignal, wakeFollowers, wakeJoined, wakeSignalled } from "../../../src/engine/items/wake.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { ANNA, ask, countOf, ends, enter, fails, journalled, must, settled, take, taken, waits } from "../play.ts";
import type { Arena } from "../arena.ts";
import type { Scenario } from "../scenario.ts";

type Kind = "signal" | "item" | "children";

async function beginWait(db: Database, arena: Arena, row: ClaimedRow, kind: Kind, key: string): Promise<void> {
  await db.transaction(async (tx) => {
    await settled(tx, [waits(row, arena.dictionary.line, kind)], ANNA);
    await addWaiter(tx, row.id, kind, key);
  });
}

/** An item that waits already. */
async function waiting(arena: Arena, kind: Kind, key: string): Promise<ClaimedRow> {
  const [row] = await taken(arena, ANNA, [1]);
  if (row === undefined) throw new Error("nothing was claimed");
  await beginWait(arena.db, arena, row, kind, key);
  return row;
}

const signalAndWait: Scenario = {
  name: "a signal sent while a wait begins: found by whoever comes second",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [row] = await taken(arena, ANNA, [1]);
    if (row === undefined) throw new Error("nothing was claimed");
    return {
      sessions: {
        sender: async (db) => {
          await keepSignal(db, "door", '"open"');
          await wakeSignalled(db, "door");
        },
        worker: async (db) => {
          await beginWait(db, arena, row, "signal", "door");
          await wakeSignalled(db, null);
        },
      },
      async check() {
        must((await journalled(arena, row.id, "signalled")) === 1, "it is woken once");
        must((await countOf(arena, "from sluice.signal")) === 0, "and the signal is used up");
        must((await take(arena, arena.dictionary.line, ANNA)).length === 1, "and it can be claimed");
      },
    };
  },
};

const twoSignals: Scenario = {
  name: "one signal for two who wait: both told it may be, each once",
  async prepare(arena) {
    await enter(arena, ANNA);
    const row = await waiting(arena, "signal", "door");
    await keepSignal(arena, "door", "1");
    const wake = (db: Database) => db.transaction((tx) => wakeSignalled(tx, null));
    return {
      sessions: { one: wake, two: wake },
      async check({ waits: waited }) {
        must((await journalled(arena, row.id, "signalled")) === 1, "it is woken once");
        must(waited.length === 0, "nobody waits for another who does the same");
      },
    };
  },
};

const signalAgain: Scenario = {
  name: "a second signal while the first is handed over is not lost",
  async prepare(arena) {
    await enter(arena, ANNA);
    await waiting(arena, "signal", "door");
    await keepSignal(arena, "door", "1");
    return {
      sessions: {
        waker: (db) => db.transaction((tx) => wakeSignalled(tx, null)),
        sender: (db) => db.transaction((tx) => keepSignal(tx, "door", "2")),
      },
      async check() {
        const [told] = await arena.rows<{ output: number }>("select output from sluice.journal where kind = 14");
        const kept = await countOf(arena, "from sluice.signal where payload = '2'");
        must((told?.output === 2) !== (kept === 1), `told ${told?.output}, kept ${kept}: the second is in one place`);
      },
    };
  },
};

const signalKeys: Scenario = {
  name: "a signal wakes those who wait for its key, idle, and nobody else",
  async prepare(arena) {
    await enter(arena, ANNA);
    const door = await waiting(arena, "signal", "door");
    const gate = await waiting(arena, "signal", "gate");
    // The key of another kind of wait may look like a signal's.
    const other = await waiting(arena, "item", "door");
    return {
      sessions: {},
      async check() {
        const woken = async (row: ClaimedRow) => (await journalled(arena, row.id, "signalled")) === 1;
        await keepSignal(arena, "gate", "1");
        await keepSignal(arena, "gate", "2");
        await keepSignal(arena, "door", "1");
        await arena.rows("update sluice.run set state = 1, epoch = $1 where id = $2", [ANNA, door.id]);
        await wakeSignalled(arena, null);
        must(!(await woken(door)), "one that is being visited is left alone");
        must((await countOf(arena, "from sluice.signal where key = 'door'")) === 1, "and its signal kept");
        must(await woken(gate), "the other is woken");
        must((await countOf(arena, "from sluice.journal where kind = 14 and output = '2'")) === 1, "with the last signal sent");
        await arena.rows("update sluice.run set state = 0, epoch = null where id = $1", [door.id]);
        await wakeSignalled(arena, "gate");
        must(!(await woken(door)), "another key wakes nobody");
        await wakeSignalled(arena, "door");
        must(await woken(door), "its own does");
        must(!(await woken(other)), "who waits for an item does not hear signals");
        must((await countOf(arena, "from sluice.waiter")) === 1, "who was woken waits no more");
        must((await countOf(arena, "from sluice.run where flags & 4 = 4")) === 1, "and its row knows");
        await arena.rows("delete from sluice.waiter; update sluice.run set flags = 0");
      },
    };
  },
};

const lastChildren: Scenario = {
  name: "the last two children end at once: their parent is woken once",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [parent] = await taken(arena, ANNA, [1]);
    if (parent === undefined) throw new Error("nothing was claimed");
    const { request } = await ask(arena, 2, { parent: parent.id });
    await beginWait(arena.db, arena, parent, "children", request);
    const children = await take(arena, arena.dictionary.line, ANNA);
    const end = (row: ClaimedRow | undefined) => async (db: Database) => {
      if (row === undefined) throw new Error("nothing was claimed");
      await db.transaction((tx) => settled(tx, [row === children[0] ? ends(row) : fails(row)], ANNA));
      await wakeJoined(db);
    };
    return {
      sessions: { one: end(children[0]), two: end(children[1]) },
      async check() {
        must((await journalled(arena, parent.id, "joined")) === 1, "the parent is woken once");
        must((await countOf(arena, "from sluice.waiter")) === 0, "and waits no more");
      },
    };
  },
};

const joinedAndCancel: Scenario = {
  name: "a parent is woken and cancelled at once: it ends cancelled",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [parent] = await taken(arena, ANNA, [1]);
    if (parent === undefined) throw new Error("nothing was claimed");
    const { request } = await ask(arena, 1, { parent: parent.id });
    await beginWait(arena.db, arena, parent, "children", request);
    const [child] = await take(arena, arena.dictionary.line, ANNA);
    await settled(arena, [ends(child as ClaimedRow)], ANNA);
    return {
      sessions: {
        waker: (db) => db.transaction((tx) => wakeJoined(tx)),
        person: (db) => cancelItems(db, [parent.id], "person"),
      },
      async check() {
        must((await countOf(arena, "from sluice.item where id = $1 and state = 3", [parent.id])) === 1, "it is cancelled");
      },
    };
  },
};

const notYet: Scenario = {
  name: "a parent sleeps until all its children have ended, a follower until its item has",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [parent, leader] = await taken(arena, ANNA, [1, 1]);
    if (parent === undefined || leader === undefined) throw new Error("nothing was claimed");
    return {
      sessions: {},
      async check() {
        const { request } = await ask(arena, 2, { parent: parent.id });
        const [one, two] = await take(arena, arena.dictionary.line, ANNA);
        await beginWait(arena.db, arena, parent, "children", request);
        const follower = await waiting(arena, "item", leader.id);
        // A request may have the number of an item: only the kind of the wait tells what its key means.
        await arena.rows("insert into sluice.request (id, total, created_at) values ($1, 0, sluice.now())", [leader.id]);
        await arena.rows("update sluice.waiter set key = key where run_id = $1", [follower.id]);
        await settled(arena, [ends(one as ClaimedRow)], ANNA);
        must((await wakeJoined(arena)).length === 0, "one child is left, and followers do not wait for requests");
        await cancelItems(arena, [(two as ClaimedRow).id], "person");
        await arena.rows("update sluice.run set state = 1, epoch = $1 where id = $2", [ANNA, parent.id]);
        must((await wakeJoined(arena)).length === 0, "a parent that is being visited is left alone");
        await arena.rows("update sluice.run set state = 0, epoch = null where id = $1", [parent.id]);
        must((await wakeJoined(arena)).map((row) => row.id).join() === parent.id, "all have ended, the cancelled too");
        await arena.rows("delete from sluice.request where id = $1", [leader.id]);
        must((await wakeFollowers(arena)).length === 0, "the leader lives");
        await settled(arena, [fails(leader)], ANNA);
        await arena.rows("update sluice.run set state = 1, epoch = $1 where id = $2", [ANNA, follower.id]);
        must((await wakeFollowers(arena)).length === 0, "a follower that is being visited is left alone");
        await arena.rows("update sluice.run set state = 0, epoch = null where id = $1", [follower.id]);
        must((await wakeFollowers(arena)).map((row) => row.id).join() === follower.id, "the leader ended");
        const told = await countOf(arena, `from sluice.journal where item_id = $1 and output ->> 'state' = 'failed'`, [follower.id]);
        must(told === 1, "and how it ended is told");
      },
    };
  },
};

const kindsApart: Scenario = {
  name: "who waits for children is not woken as a follower of the item with the same number",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [ended] = await taken(arena, ANNA, [1]);
    if (ended === undefined) throw new Error("nothing was claimed");
    await settled(arena, [ends(ended)], ANNA);
    const parent = await waiting(arena, "children", ended.id);
    return {
      sessions: {},
      async check() {
        await arena.rows("insert into sluice.request (id, total, created_at) values ($1, 1, sluice.now()) on conflict (id) do update set total = 1, completed = 0", [ended.id]);
        must((await wakeFollowers(arena)).length === 0, "it does not follow");
        must((await journalled(arena, parent.id, "signalled")) === 0, "and sleeps on");
        await cancelItems(arena, [parent.id], "person");
        await arena.rows("delete from sluice.request where id = $1 and id <> $2", [ended.id, ended.request_id]);
        await arena.rows("update sluice.request set completed = 1 where id = $1", [ended.request_id]);
      },
    };
  },
};

const followers: Scenario = {
  name: "an item ends while another begins to wait for it: found by whoever comes second",
  preemptions: 3,
  async prepare(arena) {
    await enter(arena, ANNA);
    const [leader, follower] = await taken(arena, ANNA, [1, 1]);
    if (leader === undefined || follower === undefined) throw new Error("nothing was claimed");
    return {
      sessions: {
        leader: async (db) => {
          await db.transaction((tx) => settled(tx, [ends(leader)], ANNA));
          await wakeFollowers(db);
        },
        follower: async (db) => {
          await beginWait(db, arena, follower, "item", leader.id);
          await wakeFollowers(db);
        },
      },
      check: async () => must((await journalled(arena, follower.id, "signalled")) === 1, "it is woken once"),
    };
  },
};

async function asking(arena: Arena, fallbackMs: number | null = null): Promise<{ row: ClaimedRow; question: string }> {
  const [row] = await taken(arena, ANNA, [1]);
  if (row === undefined) throw new Error("nothing was claimed");
  const question = await arena.db.transaction(async (tx) => {
    await settled(tx, [waits(row, arena.dictionary.line, "question")], ANNA);
    const fallback = fallbackMs === null ? null : '"nothing"';
    return await addQuestion(tx, row.id, { text: "which?", options: null, fallback, fallbackMs });
  });
  return { row, question };
}

const answeredTwice: Scenario = {
  name: "a question answered twice at once: the first answer counts",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { row, question } = await asking(arena, 0);
    const won: string[] = [];
    const answer = (name: string) => async (db: Database) => {
      if ((await db.transaction((tx) => answerQuestion(tx, question, `"${name}"`, name))).length === 1) won.push(name);
    };
    return {
      sessions: { one: answer("one"), two: answer("two") },
      async check() {
        must(won.length === 1, `${won.length} answers counted`);
        must((await countOf(arena, "from sluice.question where answered_by = $1 and answer = to_jsonb($1::text)", [won[0]])) === 1, "the one that was stored");
        must((await journalled(arena, row.id, "answered")) === 1, "and it was told once");
        must((await answerOverdue(arena)).length === 0, "nobody answers it again");
      },
    };
  },
};

const overdue: Scenario = {
  name: "an answer in the last moment: the person or the fallback, not both",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { row, question } = await asking(arena, 0);
    return {
      sessions: {
        person: (db) => db.transaction((tx) => answerQuestion(tx, question, '"this"', "person")),
        sweeper: (db) => db.transaction((tx) => answerOverdue(tx)),
      },
      async check({ waits: waited }) {
        must((await journalled(arena, row.id, "answered")) === 1, "it was told once");
        must(waited.length === 0, "nobody waits");
      },
    };
  },
};

const answerAndCancel: Scenario = {
  name: "a question answered while its item is cancelled: withdrawn or answered, not open",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { row, question } = await asking(arena);
    return {
      sessions: {
        person: (db) => db.transaction((tx) => answerQuestion(tx, question, "1", "person")),
        other: (db) => cancelItems(db, [row.id], "other"),
      },
      async check() {
        must((await countOf(arena, "from sluice.question where answered_at is null and withdrawn_at is null")) === 0, "it is not open");
        must((await countOf(arena, "from sluice.question where answered_at is not null and withdrawn_at is not null")) === 0, "nor both");
        must((await answerQuestion(arena, question, "2", "person")).length === 0, "and cannot be answered any more");
      },
    };
  },
};

const questionRules: Scenario = {
  name: "only an open question of an idle item is answered, and a fallback only in its time",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const later = await asking(arena, 3_600_000);
        const now = await asking(arena, 0);
        const never = await asking(arena);
        must((await answerOverdue(arena)).map((row) => row.id).join() === now.row.id, "only the overdue one gets its fallback");
        must((await countOf(arena, "from sluice.question where answer = '\"nothing\"'")) === 1, "which is stored");
        await arena.rows("update sluice.run set state = 1, epoch = $1 where id = $2", [ANNA, later.row.id]);
        must((await answerQuestion(arena, later.question, "1", "person")).length === 0, "an item that is being visited hears no answer");
        await arena.rows("update sluice.run set state = 0, epoch = null where id = $1", [later.row.id]);
        must((await answerQuestion(arena, later.question, "1", "person")).length === 1, "then it does");
        // Withdrawn, though its item lives: a retry may have made it live again.
        await arena.rows("update sluice.question set withdrawn_at = sluice.now() where id = $1", [never.question]);
        must((await answerQuestion(arena, never.question, "1", "person")).length === 0, "a withdrawn question is not open");
        must((await answerQuestion(arena, now.question, "1", "person")).length === 0, "nor is an answered one");
        must((await countOf(arena, "from sluice.question where answered_by = 'person'")) === 1, "one was answered by a person");
        await cancelItems(arena, [never.row.id, now.row.id, later.row.id], "person");
        must((await countOf(arena, "from sluice.question where withdrawn_at is not null")) === 1, "an answered question is not withdrawn");
      },
    };
  },
};

const waiterRows: Scenario = {
  name: "a wait replaces the one before, and ends with its item",
  async prepare(arena) {
    await enter(arena, ANNA);
    const row = await waiting(arena, "signal", "one");
    const other = await waiting(arena, "signal", "other");
    return {
      sessions: {},
      async check() {
        await addWaiter(arena, row.id, "signal", "two");
        must((await countOf(arena, "from sluice.waiter where run_id = $1 and key = 'two'", [row.id])) === 1, "the second counts");
        await dropWaiter(arena, row.id);
        must((await countOf(arena, "from sluice.waiter where run_id = $1", [row.id])) === 0, "it is dropped");
        must((await countOf(arena, "from sluice.run where flags & 4 = 4 and id = $1", [other.id])) === 1, "others wait on");
        await cancelItems(arena, [other.id], "person");
        must((await countOf(arena, "from sluice.waiter")) === 0, "a cancelled item waits no more");
        await addWaiter(arena, other.id, "signal", "late");
        must((await countOf(arena, "from sluice.waiter")) === 0, "and an item that ended cannot begin to wait");
      },
    };
  },
};

const wakeAndClaim: Scenario = {
  name: "an item is woken while its own time comes: claimed once, in order",
  async prepare(arena) {
    await enter(arena, ANNA);
    const row = await waiting(arena, "signal", "door");
    await arena.rows("update sluice.run set ready_at = sluice.now() - interval '1 second' where id = $1", [row.id]);
    await keepSignal(arena, "door", "1");
    let got: ClaimedRow[] = [];
    let accepted: string[] = [];
    return {
      sessions: {
        waker: (db) => db.transaction((tx) => wakeSignalled(tx, null)),
        worker: async (db) => {
          got = await take(db, arena.dictionary.line, ANNA);
          accepted = await settled(db, got.map((one) => waits(one, arena.dictionary.line, "signal")), ANNA);
        },
      },
      async check() {
        must(got.length <= 1 && accepted.length === got.length, "a claimed item is its holder's until it settles");
        must((await journalled(arena, row.id, "signalled")) + (await countOf(arena, "from sluice.signal")) === 1, "the signal is in one place");
      },
    };
  },
};

export const ending = [
  signalAndWait, twoSignals, signalAgain, signalKeys, lastChildren, joinedAndCancel, notYet, kindsApart, followers,
  answeredTwice, overdue, answerAndCancel, questionRules, waiterRows, wakeAndClaim,
];
