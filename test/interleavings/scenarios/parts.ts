// Parts that are tried again while their item goes on: its request counts it as partly done exactly while one is missing.

import type { Database } from "../../../src/engine/db/database.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { lockForEnd } from "../../../src/engine/items/parts.sql.ts";
import { wakeJoined } from "../../../src/engine/items/wake.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { retryParts } from "../../../src/engine/operate/retry-parts.ts";
import { begin, endItem, endPart, partly, split } from "../parts-play.ts";
import { ANNA, countOf, enter, fails, journalled, moveBehind, must, settled, take, taken } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const endAndMend: Scenario = {
  name: "an item completes while its missing part is done after all: it is not counted as partly done",
  async prepare(arena) {
    const { item } = await split(arena, ["a", "b"]);
    must((await retryParts(arena.db, item.id, "person")) === undefined, "the failed part is tried again");
    const [part] = await take(arena, arena.dictionary.line, ANNA);
    return {
      sessions: {
        item: (db) => endItem(db, item),
        part: (db) => endPart(db, part as ClaimedRow, item),
      },
      check: async () => must((await partly(arena, item.request_id)) === 0, "nothing is missing"),
    };
  },
};

const twoMend: Scenario = {
  name: "the last two missing parts are done at once: their item is no longer counted as partly done",
  async prepare(arena) {
    const { item } = await split(arena, ["a", "b", "c"]);
    await endItem(arena.db, item);
    must((await partly(arena, item.request_id)) === 1, "two are missing");
    await retryParts(arena.db, item.id, "person");
    const parts = await take(arena, arena.dictionary.line, ANNA);
    return {
      sessions: {
        one: (db) => endPart(db, parts[0] as ClaimedRow, item),
        two: (db) => endPart(db, parts[1] as ClaimedRow, item),
      },
      check: async () => must((await partly(arena, item.request_id)) === 0, "nothing is missing"),
    };
  },
};

/** One reads the requests as they lie in the file, the other by their index; somebody else has one of them. */
const mendInOrder: Scenario = {
  name: "two parts of an item are done at once while its request is busy: no deadlock",
  preemptions: 1,
  settings: {
    one: "set enable_seqscan = off; set enable_bitmapscan = off",
    two: "set enable_indexscan = off; set enable_bitmapscan = off",
  },
  async prepare(arena) {
    const { item } = await split(arena, ["a", "b", "c"]);
    await endItem(arena.db, item);
    await retryParts(arena.db, item.id, "person");
    const parts = await take(arena, arena.dictionary.line, ANNA);
    await moveBehind(arena, "request", item.request_id);
    return {
      sessions: {
        busy: (db) => db.transaction((tx) => lockForEnd(tx, item.id, [item.request_id])),
        one: (db) => endPart(db, parts[0] as ClaimedRow, item),
        two: (db) => endPart(db, parts[1] as ClaimedRow, item),
      },
    };
  },
};

const mendAndFail: Scenario = {
  name: "of two missing parts one is done and one fails again: their item stays partly done",
  async prepare(arena) {
    const { item } = await split(arena, ["a", "b", "c"]);
    await endItem(arena.db, item);
    await retryParts(arena.db, item.id, "person");
    const parts = await take(arena, arena.dictionary.line, ANNA);
    return {
      sessions: {
        one: (db) => endPart(db, parts[0] as ClaimedRow, item),
        two: (db) => settled(db, [fails(parts[1] as ClaimedRow)], ANNA),
      },
      check: async () => must((await partly(arena, item.request_id)) === 1, "one is missing"),
    };
  },
};

const twoRetries: Scenario = {
  name: "two people retry the parts of an item at once: each part begins one new series",
  async prepare(arena) {
    const { item, partsRequest } = await split(arena, ["a", "b", "c"]);
    const answers: (string | undefined)[] = [];
    const retry = async (db: Database) => answers.push(await retryParts(db, item.id, "person"));
    return {
      sessions: { one: retry, two: retry, item: (db) => endItem(db, item) },
      async check() {
        must(answers.filter((answer) => answer === undefined).length === 1, `one of them did it (${answers})`);
        must(
          (await countOf(arena, "from sluice.run where request_id = $1 and series = 2", [partsRequest])) === 2,
          "each failed part lives once more",
        );
        must((await partly(arena, item.request_id)) === 1, "they are still missing");
      },
    };
  },
  preemptions: 1,
};

const reopened: Scenario = {
  name: "two people retry the parts of an item that failed with them: it waits for them once",
  async prepare(arena) {
    const { item } = await split(arena, ["a", "b"]);
    await settled(arena, [fails(item, { detail: { code: "PARTS_FAILED", attempt: 1 } })], ANNA);
    const retry = (db: Database) => retryParts(db, item.id, "person");
    return {
      sessions: { one: retry, two: retry },
      async check() {
        must((await journalled(arena, item.id, "retried")) === 1, "it is reopened once");
        must((await countOf(arena, "from sluice.waiter where run_id = $1", [item.id])) === 1, "and waits");
        const [part] = await take(arena, arena.dictionary.line, ANNA);
        await endPart(arena.db, part as ClaimedRow, item);
        must((await wakeJoined(arena)).length === 1, "until its part has ended");
      },
    };
  },
  preemptions: 2,
};

const cancelAndMend: Scenario = {
  name: "a part that is tried again is done and cancelled at once: counted as it ended",
  async prepare(arena) {
    const { item } = await split(arena, ["a", "b"]);
    await endItem(arena.db, item);
    await retryParts(arena.db, item.id, "person");
    const [part] = await take(arena, arena.dictionary.line, ANNA);
    if (part === undefined) throw new Error("nothing was claimed");
    return {
      sessions: {
        part: (db) => endPart(db, part, item),
        person: (db) => cancelItems(db, [part.id], "person"),
      },
      async check() {
        const isDone = (await countOf(arena, "from sluice.item where id = $1 and state = 1", [part.id])) === 1;
        must((await partly(arena, item.request_id)) === (isDone ? 0 : 1), `it ${isDone ? "was" : "was not"} done`);
      },
    };
  },
};

const whole: Scenario = {
  name: "of parts that succeed all or not at all, one that fails wakes their item",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [first] = await taken(arena, ANNA, [1]);
    if (first === undefined) throw new Error("nothing was claimed");
    const rows = await begin(arena, first, ["a", "b"], true);
    return {
      sessions: {},
      async check() {
        must((await wakeJoined(arena)).length === 0, "while all live, it waits");
        await settled(arena, [fails(rows[0] as ClaimedRow)], ANNA);
        must((await wakeJoined(arena)).length === 1, "then no longer");
      },
    };
  },
};

export const parts = [endAndMend, twoMend, mendInOrder, mendAndFail, twoRetries, reopened, cancelAndMend, whole];
