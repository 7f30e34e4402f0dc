// Items that run out of time.

import { overdueRuns } from "../../../src/engine/operate/expire.sql.ts";
import { expireOverdue } from "../../../src/engine/operate/expire.ts";
import type { Arena } from "../arena.ts";
import { ANNA, ask, countOf, ends, enter, journalled, listed, must, settled, take } from "../play.ts";
import type { Scenario } from "../scenario.ts";

async function outOfTime(arena: Arena, ids: readonly string[], since = "1 s"): Promise<void> {
  await arena.rows("update sluice.run set deadline_at = sluice.now() - $2::interval where id = any ($1)", [ids, since]);
}

const expireAndSettle: Scenario = {
  name: "a deadline and a settlement of the same item: it ends once, as one of the two says",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { items } = await ask(arena, 1);
    const [row] = await take(arena, arena.dictionary.line, ANNA);
    if (row === undefined) throw new Error("nothing was claimed");
    await outOfTime(arena, items);
    let expired = 0;
    let done = 0;
    return {
      sessions: {
        sweeper: async (db) => (expired = await expireOverdue(db)),
        worker: async (db) => (done = (await settled(db, [ends(row)], ANNA)).length),
      },
      async check() {
        must(expired + done === 1, "one of them ended it");
        must((await countOf(arena, "from sluice.item where state = $1", [done === 1 ? 1 : 2])) === 1, "as it says");
        must((await journalled(arena, row.id, "fault")) === expired, "which is written down");
      },
    };
  },
};

const twoSweepers: Scenario = {
  name: "two processes find the same deadline: the item fails once",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { items } = await ask(arena, 2);
    await take(arena, arena.dictionary.line, ANNA, 1);
    await outOfTime(arena, items);
    const expired: number[] = [];
    return {
      sessions: {
        one: async (db) => expired.push(await expireOverdue(db)),
        two: async (db) => expired.push(await expireOverdue(db)),
      },
      async check() {
        must((expired[0] ?? 0) + (expired[1] ?? 0) === 2, "each item once");
        must((await countOf(arena, "from sluice.item where state = 2")) === 2, "both have failed");
        must((await countOf(arena, "from sluice.audit")) === 0, "and no person did it");
      },
    };
  },
};

const expireRules: Scenario = {
  name: "a deadline fails what is overdue and nothing else, the oldest and a parent first, and leaves a retry its checkpoint",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const { items, request } = await ask(arena, 4, { key: "mine" });
        const [late = "", later = "", soon = "", never = ""] = items;
        await outOfTime(arena, [late, later], "5 s");
        await outOfTime(arena, [soon], "-1 h");
        await arena.rows("insert into sluice.checkpoint values ($1, 0, '1', sluice.now())", [late]);
        must(listed((await overdueRuns(arena, 1)).map((row) => row.id)) === listed([late]), "the first by its id");
        await outOfTime(arena, [later], "9 s");
        must(listed((await overdueRuns(arena, 1)).map((row) => row.id)) === listed([later]), "the longest overdue");
        must((await expireOverdue(arena)) === 2, "the two whose time is over");
        must((await countOf(arena, "from sluice.run where id = any ($1)", [[soon, never]])) === 2, "not the others");
        must((await countOf(arena, "from sluice.checkpoint where run_id = $1", [late])) === 1, "its checkpoint stays");
        must(
          (await countOf(arena, "from sluice.request where id = $1 and failed = 2 and cancelled = 0", [request])) === 1,
          "counted as failed",
        );
        must(
          (await countOf(arena, "from sluice.journal where code = 'DEADLINE' and kind = 8 and ended = 2")) === 2,
          "and journalled as such",
        );
      },
    };
  },
};

const childrenInherit: Scenario = {
  name: "what an item spawns has no later deadline than the item",
  async prepare(arena) {
    return {
      sessions: {},
      async check() {
        const parent = await ask(arena, 1);
        await outOfTime(arena, parent.items, "-1 h");
        const child = await ask(arena, 2, { parent: parent.items[0] as string });
        const other = await ask(arena, 1);
        const same = `from sluice.run c join sluice.run p on p.id = $1 and p.deadline_at = c.deadline_at where c.id = any ($2)`;
        must((await countOf(arena, same, [parent.items[0], child.items])) === 2, "its parent's");
        must(
          (await countOf(arena, "from sluice.run where id = $1 and deadline_at is null", other.items as string[])) ===
            1,
          "or none",
        );
      },
    };
  },
};

export const expiring = [expireAndSettle, twoSweepers, expireRules, childrenInherit];
