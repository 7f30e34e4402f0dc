// Items that wait for each other.

import type { Database } from "../../../src/engine/db/database.ts";
import { addWaiter } from "../../../src/engine/items/beside.sql.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { findWaitCycle, stirWaitCycle } from "../../../src/engine/items/wait-cycle.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import type { Arena } from "../arena.ts";
import { ANNA, ask, countOf, enter, listed, must, settled, take, taken, waits } from "../play.ts";
import type { Scenario } from "../scenario.ts";
import { beginWait } from "../waits.ts";

async function several(arena: Arena, count: number): Promise<ClaimedRow[]> {
  await enter(arena, ANNA);
  const rows = await taken(arena, ANNA, [count]);
  must(rows.length === count, "all were claimed");
  return rows;
}

const atOnce: Scenario = {
  name: "two begin to wait for each other at once: one of them sees it, or is visited again",
  async prepare(arena) {
    const [one, two] = (await several(arena, 2)) as [ClaimedRow, ClaimedRow];
    const found: string[] = [];
    const follow = (row: ClaimedRow, leader: ClaimedRow) => async (db: Database) => {
      await db.transaction(async (tx) => {
        await settled(tx, [waits(row, arena.dictionary.line, "other")], ANNA);
        await addWaiter(tx, row.id, "item", leader.id);
        if ((await findWaitCycle(tx, row.id)) !== undefined) found.push(row.id);
      });
      await stirWaitCycle(db);
    };
    return {
      sessions: { one: follow(one, two), two: follow(two, one) },
      async check() {
        const stirred = await arena.rows<{ id: string; version: number }>(
          "select id, version from sluice.run where ready_at < 'infinity'",
        );
        must(found.length <= 1, "only the second to commit sees a circle");
        // The script above goes on where a worker would fail its item, so the circle stands in any case.
        must(stirred.length === 1 && stirred[0]?.id === two.id, "one of the two is visited again");
        must(stirred[0]?.version === two.version + 2, "and whoever knew it before is refused");
      },
    };
  },
};

const chains: Scenario = {
  name: "a circle is found however many are in it, and only where nobody looks again by himself",
  async prepare(arena) {
    const [a, b, c, d] = (await several(arena, 4)) as [ClaimedRow, ClaimedRow, ClaimedRow, ClaimedRow];
    return {
      sessions: {},
      async check() {
        const follow = (row: ClaimedRow, leader: string) => beginWait(arena.db, arena, row, "item", leader);
        await follow(a, b.id);
        must((await findWaitCycle(arena, a.id)) === undefined, "the leader is at work");
        await follow(b, c.id);
        await follow(d, a.id);
        must((await findWaitCycle(arena, d.id)) === undefined, "a chain is no circle");
        await follow(c, a.id);
        must((await findWaitCycle(arena, c.id))?.join() === [c.id, a.id, b.id, c.id].join(), "three are one");
        must((await findWaitCycle(arena, d.id)) === undefined, "who only waits for a circle is not in it");
        await arena.rows("update sluice.run set ready_at = sluice.now() + interval '1 h' where id = $1", [b.id]);
        must((await findWaitCycle(arena, c.id)) === undefined, "one of them looks again");
        await arena.rows("update sluice.run set ready_at = sluice.now() + interval '1 h' where id = $1", [c.id]);
        must((await findWaitCycle(arena, c.id)) === undefined, "this one does");
      },
    };
  },
};

const family: Scenario = {
  name: "a child that waits for the parent that waits for it is in a circle with it",
  async prepare(arena) {
    const [parent] = (await several(arena, 1)) as [ClaimedRow];
    return {
      sessions: {},
      async check() {
        const { request } = await ask(arena, 1, { parent: parent.id });
        const [child] = (await take(arena, arena.dictionary.line, ANNA)) as [ClaimedRow];
        await beginWait(arena.db, arena, parent, "children", request);
        await beginWait(arena.db, arena, child, "item", parent.id);
        must((await findWaitCycle(arena, child.id))?.join() === [child.id, parent.id, child.id].join(), "it is one");
        await ask(arena, 1);
        const [stranger] = (await take(arena, arena.dictionary.line, ANNA)) as [ClaimedRow];
        await beginWait(arena.db, arena, stranger, "item", parent.id);
        must((await findWaitCycle(arena, stranger.id)) === undefined, "somebody else may wait for the parent");
      },
    };
  },
};

const kinds: Scenario = {
  name: "who waits for a signal or for children by an item's number is in no circle with it",
  async prepare(arena) {
    const [one, two, three, four] = (await several(arena, 4)) as [ClaimedRow, ClaimedRow, ClaimedRow, ClaimedRow];
    return {
      sessions: {},
      async check() {
        await beginWait(arena.db, arena, one, "item", two.id);
        await beginWait(arena.db, arena, two, "signal", one.id);
        await beginWait(arena.db, arena, three, "signal", four.id);
        await beginWait(arena.db, arena, four, "item", three.id);
        must(listed(await stirWaitCycle(arena)) === "", "nobody is visited again");
        must((await findWaitCycle(arena, one.id)) === undefined, "there is no circle");
        must((await countOf(arena, "from sluice.run where ready_at < 'infinity'")) === 0, "all sleep on");
        await cancelItems(arena, [one.id, two.id, three.id, four.id], "person");
      },
    };
  },
};

export const circles = [atOnce, chains, family, kinds];
