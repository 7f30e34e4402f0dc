// Parents that wait for their children, and items that wait for another.

import type { Database } from "../../../src/engine/db/database.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { wakeFollowers, wakeJoined } from "../../../src/engine/items/wake.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { ANNA, ask, countOf, ends, enter, fails, journalled, must, settled, take, taken } from "../play.ts";
import type { Scenario } from "../scenario.ts";
import { beginWait, waiting } from "../waits.ts";

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

const twoWakers: Scenario = {
  name: "two who wake parents and followers at once: each is woken once, and nobody waits",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [parent, leader] = await taken(arena, ANNA, [1, 1]);
    if (parent === undefined || leader === undefined) throw new Error("nothing was claimed");
    const follower = await waiting(arena, "item", leader.id);
    const { request, items } = await ask(arena, 1, { parent: parent.id });
    await beginWait(arena.db, arena, parent, "children", request);
    await cancelItems(arena, items, "person");
    await settled(arena, [ends(leader)], ANNA);
    const wake = (db: Database) =>
      db.transaction(async (tx) => {
        await wakeJoined(tx);
        await wakeFollowers(tx);
      });
    return {
      sessions: { one: wake, two: wake },
      async check({ waits: waited }) {
        must((await journalled(arena, parent.id, "joined")) === 1, "the parent is woken once");
        must((await journalled(arena, follower.id, "signalled")) === 1, "and the follower");
        must(waited.length === 0, "nobody waits");
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
        must(
          (await countOf(arena, "from sluice.item where id = $1 and state = 3", [parent.id])) === 1,
          "it is cancelled",
        );
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
        await arena.rows("insert into sluice.request (id, total, created_at) values ($1, 0, sluice.now())", [
          leader.id,
        ]);
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
        const told = await countOf(arena, `from sluice.journal where item_id = $1 and output ->> 'state' = 'failed'`, [
          follower.id,
        ]);
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
        await arena.rows(
          "insert into sluice.request (id, total, created_at) values ($1, 1, sluice.now()) on conflict (id) do update set total = 1, completed = 0",
          [ended.id],
        );
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

export const joining = [lastChildren, twoWakers, joinedAndCancel, notYet, kindsApart, followers];
