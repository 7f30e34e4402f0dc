// What people do, twice or against each other.

import type { Database } from "../../../src/engine/db/database.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { cancelRuns, liveRuns } from "../../../src/engine/operate/cancel.sql.ts";
import { cancelItems, cancelRequest } from "../../../src/engine/operate/cancel.ts";
import { readFacts } from "../../../src/engine/operate/facts.sql.ts";
import { retryItem } from "../../../src/engine/operate/retry.ts";
import { SluiceError } from "../../../src/kit/index.ts";
import type { Arena } from "../arena.ts";
import { ANNA, advances, ask, countOf, enter, fails, journalled, listed, must, settled, take, taken } from "../play.ts";
import type { Scenario } from "../scenario.ts";

async function failed(arena: Arena): Promise<ClaimedRow> {
  await enter(arena, ANNA);
  const [row] = await taken(arena, ANNA, [1]);
  if (row === undefined) throw new Error("nothing was claimed");
  await settled(arena, [fails(row)], ANNA);
  return row;
}

const twoRetries: Scenario = {
  name: "two retries at once: one new series",
  async prepare(arena) {
    const row = await failed(arena);
    const answers: boolean[] = [];
    const script = async (db: Database) => answers.push(await db.transaction((tx) => retryItem(tx, row.id, "person")));
    return {
      sessions: { one: script, two: script },
      async check() {
        must(answers.filter(Boolean).length === 1, "one of them did it");
        must((await journalled(arena, row.id, "retried")) === 1, "and it is written down once");
        must((await countOf(arena, "from sluice.run where series = 2")) === 1, "the second series has begun");
      },
    };
  },
};

const retryAndCancel: Scenario = {
  name: "a retry and a cancel: cancelled, or alive in a new series",
  async prepare(arena) {
    const row = await failed(arena);
    let cancelled = 0;
    return {
      sessions: {
        one: (db) => db.transaction((tx) => retryItem(tx, row.id, "one")),
        two: async (db) => (cancelled = (await cancelItems(db, [row.id], "two")).length),
      },
      async check() {
        must(
          (await countOf(arena, "from sluice.item where state = $1", [cancelled === 1 ? 3 : 0])) === 1,
          "one of the two",
        );
      },
    };
  },
};

const lateResult: Scenario = {
  name: "an end that is sent twice changes nothing about how the item ended",
  async prepare(arena) {
    const { id } = await failed(arena);
    return {
      sessions: {},
      async check() {
        await retryItem(arena, id, "person");
        const [again] = await take(arena, arena.dictionary.line, ANNA);
        const end = fails(again as ClaimedRow);
        must((await settled(arena, [end], ANNA)).length === 1, "written");
        must((await settled(arena, [end], ANNA)).length === 0, "refused");
        const [facts] = await readFacts(arena, [id]);
        must(facts?.series === 2, `it ended in its second series, not ${facts?.series}`);
      },
    };
  },
};

const retryRules: Scenario = {
  name: "only a failed item is retried, at the stage where it failed, and its version goes on",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const { line } = arena.dictionary;
        const { request } = await ask(arena, 3, { key: "mine" });
        const rows = await take(arena, line, ANNA);
        const [one, two, three] = rows as [ClaimedRow, ClaimedRow, ClaimedRow];
        await settled(arena, [advances(one, line, { handOff: true })], ANNA);
        const ahead = { ...one, version: one.version + 1, stage: 1 };
        await settled(arena, [fails(ahead)], ANNA);
        must((await settled(arena, [fails(ahead)], ANNA)).length === 0, "what is sent twice is refused");
        await cancelItems(arena, [two.id], "person");
        must(!(await retryItem(arena, two.id, "person")), "a cancelled item is not retried");
        must(!(await retryItem(arena, three.id, "person")), "nor a live one");
        must(await retryItem(arena, one.id, "person"), "a failed one is");
        must(!(await retryItem(arena, one.id, "person")), "once");
        must(
          (await countOf(arena, "from sluice.run where id = $1 and stage = 1 and lane = $2 and version > $3", [
            one.id,
            line.lanes[1],
            ahead.version,
          ])) === 1,
          "where it failed",
        );
        must((await settled(arena, [fails(ahead)], ANNA)).length === 0, "its former holder is refused");
        must(
          (await countOf(arena, "from sluice.unique_key where key = 'mine' and request_id = $1", [request])) === 1,
          "its request has its key again",
        );
        const [again] = await take(arena, line, ANNA);
        await settled(arena, [fails(again as ClaimedRow)], ANNA);
        await arena.rows("update sluice.unique_key set request_id = 0, scope = 'forever'");
        const refused = await arena.db
          .transaction((tx) => retryItem(tx, one.id, "person"))
          .catch((error: Error) => error);
        must(refused instanceof SluiceError && refused.code === "KEY_TAKEN", "not while its key is another's");
        await arena.rows("update sluice.unique_key set scope = 'window', expires_at = sluice.now()");
        must(await retryItem(arena, one.id, "person"), "a key whose time is over is free");
        must(
          (await countOf(arena, "from sluice.unique_key where request_id = $1 and scope = 'live'", [request])) === 1,
          "and its own again",
        );
        must(
          (await countOf(arena, "from sluice.run where id = $1 and series = 3", [one.id])) === 1,
          "in a third series",
        );
      },
    };
  },
};

const cancelRules: Scenario = {
  name: "a cancel takes the version it read, all that is live, and what was spawned",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const { line } = arena.dictionary;
        const parent = await ask(arena, 2);
        const child = await ask(arena, 3, { parent: parent.items[0] as string });
        const other = await ask(arena, 1);
        const read = await liveRuns(arena, parent.items);
        await take(arena, line, ANNA);
        must(
          (await cancelRuns(arena, read, "person")).length === 0,
          "what was claimed since is not cancelled in that round",
        );
        const done = await liveRuns(arena, [child.items[0] as string]);
        await cancelRuns(arena, done, "person");
        const ended = await cancelItems(arena, [parent.items[0] as string], "person");
        must(
          listed(ended.map((row) => row.id)) === listed([parent.items[0], child.items[1], child.items[2]]),
          "the item and its living children",
        );
        must(
          ended.every((row) => row.was_held),
          "which were all held",
        );
        must(
          (await cancelRequest(arena, parent.request, "person")).length === 1,
          "and then what is left of the request",
        );
        must((await countOf(arena, "from sluice.item where state = 0")) === 1, "nothing else");
        must((await countOf(arena, "from sluice.audit where action = 'cancel'")) === 5, "all of it is on record");
        await cancelRequest(arena, other.request, "person");
      },
    };
  },
};

const largeFamily: Scenario = {
  name: "a cancel reaches all children of a large family",
  async prepare(arena) {
    const parent = await ask(arena, 1);
    await ask(arena, 1_200, { parent: parent.items[0] as string });
    return {
      sessions: {},
      async check() {
        must((await cancelItems(arena, parent.items, "person")).length === 1_201, "all of them");
      },
    };
  },
};

export const operating = [twoRetries, retryAndCancel, lateResult, retryRules, cancelRules, largeFamily];
