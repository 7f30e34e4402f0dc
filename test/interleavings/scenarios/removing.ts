// Removing requests, against those who still want them.

import type { Database } from "../../../src/engine/db/database.ts";
import { addWaiter, itemExists } from "../../../src/engine/items/beside.sql.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import type { Settlement } from "../../../src/engine/items/settle.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { retryItem } from "../../../src/engine/operate/retry.ts";
import { readLimits, storeKeep, storeLimits } from "../../../src/engine/retention/policy.sql.ts";
import {
  askChildren,
  askRemoval,
  noteObstacles,
  owedOf,
  requestsOfKey,
  takeRemovals,
} from "../../../src/engine/retention/removal.sql.ts";
import { removeAsked } from "../../../src/engine/retention/removal.ts";
import { walkRequests } from "../../../src/engine/retention/remove.sql.ts";
import { removeRequests } from "../../../src/engine/retention/remove.ts";
import { readWalk, saveWalk } from "../../../src/engine/retention/walk.sql.ts";
import type { Arena } from "../arena.ts";
import { ANNA, ask, countOf, ends, enter, fails, type Given, listed, must, settled, take } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const AT_ONCE = { done: 0, failed: 0, cancelled: 0 };
const NEVER = { done: null, failed: null, cancelled: null };

async function keep(arena: Arena, policy: typeof AT_ONCE | typeof NEVER): Promise<void> {
  await storeKeep(arena, arena.dictionary.line.pipeline, policy);
}

/** A request of one item that has ended, under a policy by which it may go at once. */
async function over(
  arena: Arena,
  how: (row: ClaimedRow) => Settlement = ends,
  key?: string,
): Promise<Given & { item: string }> {
  await enter(arena, ANNA);
  await keep(arena, AT_ONCE);
  const given = await ask(arena, 1, key === undefined ? {} : { key });
  const [row] = await take(arena, arena.dictionary.line, ANNA);
  if (row === undefined) throw new Error("nothing was claimed");
  await settled(arena, [how(row)], ANNA);
  return { ...given, item: row.id };
}

const isThere = async (arena: Arena, request: string) =>
  (await countOf(arena, "from sluice.request where id = $1", [request])) === 1;

const retried: Scenario = {
  name: "a retry and the end of its time: gone as a whole, or alive as a whole",
  async prepare(arena) {
    const { request, item } = await over(arena, fails);
    let isRetried = false;
    return {
      sessions: {
        person: async (db) => (isRetried = await db.transaction((tx) => retryItem(tx, item, "person"))),
        sweeper: (db) => removeRequests(db, [request]),
      },
      async check() {
        must((await isThere(arena, request)) === isRetried, "it is there if it was retried");
        must((await countOf(arena, "from sluice.item")) === (isRetried ? 1 : 0), "and so is its item");
        await cancelItems(arena, [item], "person");
        await keep(arena, NEVER);
      },
    };
  },
};

const twoSweepers: Scenario = {
  name: "two that remove the same: once, and neither waits for the other",
  preemptions: 2,
  async prepare(arena) {
    const { request } = await over(arena);
    const gone: string[] = [];
    const script = async (db: Database) => gone.push(...(await removeRequests(db, [request])).removed);
    return {
      sessions: { one: script, two: script },
      async check(run) {
        must(run.waits.length === 0, `nobody waits: ${run.waits.join(", ")}`);
        must(gone.length === 1, "one of them did it");
        must((await countOf(arena, "from sluice.item")) === 0, "it is gone");
        await keep(arena, NEVER);
      },
    };
  },
};

const heldKey: Scenario = {
  name: "a request whose key somebody has in his hands is left alone",
  async prepare(arena) {
    const { request } = await over(arena, ends, "mine");
    await arena.rows(
      "insert into sluice.unique_key (pipeline, key, request_id, scope) values ('line', 'mine', $1, 'forever')",
      [request],
    );
    return {
      sessions: {
        owner: (db) =>
          db.transaction(async (tx) => {
            const [row] = await tx.query<{ request_id: string }>(
              { name: "test-hold-key", text: "select request_id from sluice.unique_key where key = 'mine' for update" },
              [],
            );
            if (row === undefined) return;
            const text =
              "insert into sluice.request_owner (request_id, owner, joined_at) values ($1, 'ann', sluice.now())";
            await tx.query({ name: "test-join", text }, [request]);
          }),
        sweeper: (db) => removeRequests(db, [request]),
      },
      async check(run) {
        must(!run.waits.some((wait) => wait.startsWith("sweeper")), "who removes waits for nobody");
        const keys = await countOf(arena, "from sluice.unique_key");
        must(keys === (await countOf(arena, "from sluice.request")), "the key goes with the request");
        await keep(arena, NEVER);
      },
    };
  },
};

const followed: Scenario = {
  name: "nobody comes to wait for an item that is just being removed",
  async prepare(arena) {
    const { request, item } = await over(arena);
    const [follower] = (await ask(arena, 1)).items;
    await arena.rows("update sluice.run set flags = 4");
    return {
      sessions: {
        follower: (db) =>
          db.transaction(async (tx) => {
            if (await itemExists(tx, item)) await addWaiter(tx, follower as string, "item", item);
          }),
        sweeper: (db) => removeRequests(db, [request]),
      },
      async check() {
        const waiters = await countOf(arena, "from sluice.waiter");
        must(waiters === 0 || (await isThere(arena, request)), "what is waited for is there");
        await keep(arena, NEVER);
      },
    };
  },
};

const rules: Scenario = {
  name: "a request goes when its time is over and nothing hangs on it, and not before",
  async prepare(arena) {
    const { request, item } = await over(arena, fails);
    return {
      sessions: {},
      async check() {
        const isOver = async () => {
          const walked = await walkRequests(arena, "0", 10);
          return walked.find((row) => row.id === request)?.is_over === true;
        };
        const stays = async (why: string, text: string, undo: string) => {
          await arena.rows(text);
          must(!(await isOver()), `${why}: not walked`);
          await removeRequests(arena.db, [request]);
          must(await isThere(arena, request), why);
          await arena.rows(undo);
        };
        await keep(arena, NEVER);
        must(!(await isOver()), "kept for ever");
        await removeRequests(arena.db, [request]);
        must(await isThere(arena, request), "kept for ever, and not removed");
        await keep(arena, { ...AT_ONCE, failed: 3_600_000 });
        must(!(await isOver()), "its time is not over");
        await keep(arena, AT_ONCE);
        must(await isOver(), "its time is over");
        const intent = (columns: string, values: string) =>
          `insert into sluice.intent (key, service, pipeline_id, stage, intended_at, ${columns}) values ('k', 's', 1, 0, sluice.now(), ${values})`;
        const forget = "delete from sluice.intent";
        await stays("something may exist outside", intent("item_id", item), forget);
        await stays("it cleans up", intent("item_id, cleanup_id", `0, ${item}`), forget);
        const wait = (kind: string) => `insert into sluice.waiter (run_id, kind, key) values (0, '${kind}', '${item}')`;
        await stays("somebody waits for it", wait("item"), "delete from sluice.waiter");
        await stays(
          "it has a child",
          `insert into sluice.request (id, parent_id, total, created_at) values (99, ${item}, 0, sluice.now())`,
          "delete from sluice.request where id = 99",
        );
        await arena.rows(`insert into sluice.request (id, total, created_at) values (98, 1, sluice.now())`);
        await arena.rows(`
          insert into sluice.item (id, request_id, nonce, created_at, pipeline_id, priority, codec, input)
          values (98, 98, 1, sluice.now(), ${arena.dictionary.line.pipeline}, 3, 1, '{}')`);
        await stays(
          "its item lives",
          `update sluice.request set parent_id = 98 where id = ${request}`,
          `update sluice.request set parent_id = null where id = ${request}`,
        );
        await arena.rows("update sluice.item set state = 1, finished_at = sluice.now() where id = 98");
        await arena.rows(`update sluice.request set parent_id = 98 where id = ${request}`);
        must(await isOver(), "its item's time is over as well");
        await arena.rows(`update sluice.request set parent_id = null where id = ${request}`);
        await arena.rows("delete from sluice.item where id = 98");
        await arena.rows("delete from sluice.request where id = 98");
        await arena.rows(intent("item_id, cleanup_id, over_at", `${item}, ${item}, sluice.now()`));
        await arena.rows(wait("signal"));
        must(await isOver(), "what is over does not hold it, nor a signal of that name");
        await removeRequests(arena.db, [request]);
        must(!(await isThere(arena, request)), "it is gone");
        await arena.rows("delete from sluice.waiter");
        await arena.rows(forget);
        await keep(arena, NEVER);
      },
    };
  },
};

const live: Scenario = {
  name: "what somebody asked to have removed is ended first, with what it spawned, and nothing else goes",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const parent = await ask(arena, 2, { key: "mine" });
        const child = await ask(arena, 1, { parent: parent.items[0] as string });
        const other = await ask(arena, 1);
        must((await requestsOfKey(arena, "line", "mine")).join() === parent.request, "found by its key");
        must((await requestsOfKey(arena, "narrow", "mine")).length === 0, "which is another's in another pipeline");
        must((await askRemoval(arena, [child.request], "ann")).length === 0, "a child is not asked for by itself");
        must((await askRemoval(arena, [parent.request], "ann")).length === 1, "asked for");
        must((await removeRequests(arena.db, [parent.request])).removed.length === 0, "not while it lives");
        must((await askRemoval(arena, [parent.request], "bob")).length === 1, "asked for again");
        must((await askChildren(arena, [parent.request], "ann")).join() === child.request, "with its child");
        must((await askChildren(arena, [parent.request], "ann")).join() === child.request, "as often as one likes");
        must((await countOf(arena, "from sluice.removal where asked_by = 'ann'")) === 2, "the first counts");
        await arena.rows(`insert into sluice.intent (key, item_id, service, pipeline_id, stage, intended_at, owed_at, over_at)
          values ('a', ${parent.items[0]}, 's', 1, 0, sluice.now(), sluice.now(), null),
            ('b', ${parent.items[0]}, 's', 1, 0, sluice.now(), sluice.now(), sluice.now())`);
        must((await owedOf(arena, [parent.request])) === 1, "one thing is owed, another is over");
        await removeAsked(arena.db, parent.request, "ann");
        must(!(await isThere(arena, child.request)), "the child is gone");
        must(await isThere(arena, parent.request), "not while something is owed");
        must((await countOf(arena, "from sluice.removal where obstacle is not null")) === 1, "and it says so");
        await noteObstacles(arena, new Map([[parent.request, "else"]]));
        await arena.rows("delete from sluice.intent");
        await removeAsked(arena.db, parent.request, "ann");
        must((await countOf(arena, "from sluice.removal")) === 0, "nothing is left of it");
        const left = await arena.rows<{ id: string }>("select id from sluice.request");
        must(listed(left.map((row) => row.id)) === other.request, "but the other");
        must((await countOf(arena, "from sluice.journal where kind = 38")) === 2, "and that it was removed");
      },
    };
  },
};

const turns: Scenario = {
  name: "a removal that is due is taken by one, and not before its time again",
  async prepare(arena) {
    await arena.rows(`insert into sluice.removal (request_id, asked_at, due_at)
      values (7, sluice.now(), sluice.now()), (8, sluice.now(), sluice.now() + interval '1 hour')`);
    const got: string[] = [];
    const script = async (db: Database) =>
      got.push(...(await db.transaction(takeRemovals)).map((row) => row.request_id));
    return {
      sessions: { one: script, two: script },
      check(run) {
        must(run.waits.length === 0, `nobody waits: ${run.waits.join(", ")}`);
        must(got.join() === "7", `taken: ${got.join()}`);
      },
    };
  },
};

const memory: Scenario = {
  name: "limits and the way of retention are stored over what was stored before",
  async prepare(arena) {
    return {
      sessions: {},
      async check() {
        await storeLimits(arena, { history: 1 });
        await storeLimits(arena, { audit: 2 });
        const { history, audit } = await readLimits(arena);
        must(history === 1 && audit === 2, "both hold");
        const { walk } = await readWalk(arena);
        await saveWalk(arena, { ...walk, request: "1" });
        await saveWalk(arena, { ...walk, request: "2" });
        must((await readWalk(arena)).walk.request === "2", "the last place");
        await arena.rows("delete from sluice.setting where name like 'retention%'");
      },
    };
  },
};

export const removing = [retried, twoSweepers, heldKey, followed, rules, live, turns, memory];
