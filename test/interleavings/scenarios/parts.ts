// Parts that are tried again while their item goes on: its request counts it as partly done exactly while one is missing.

import type { Database, Queryable } from "../../../src/engine/db/database.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { countPartly, lockForEnd, makeParts, mendPartly } from "../../../src/engine/items/parts.sql.ts";
import { wakeJoined } from "../../../src/engine/items/wake.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { retryParts } from "../../../src/engine/operate/retry-parts.ts";
import type { Arena } from "../arena.ts";
import { ANNA, countOf, ends, enter, fails, journalled, must, settled, take, taken, waits } from "../play.ts";
import type { Scenario } from "../scenario.ts";

interface Split {
  /** Claimed again after its parts have ended. */
  readonly item: ClaimedRow;
  readonly partsRequest: string;
}

/** An item whose first part is done and whose others have failed. */
async function split(arena: Arena, names: readonly string[], isWhole = false): Promise<Split> {
  const { line } = arena.dictionary;
  await enter(arena, ANNA);
  const [first] = await taken(arena, ANNA, [1]);
  if (first === undefined) throw new Error("nothing was claimed");
  await arena.db.transaction(async (tx) => {
    await settled(tx, [waits(first, line, "parts")], ANNA);
    const lane = line.lanes[0] as number;
    const parts = names.map((name, n) => ({ name, input: JSON.stringify(name), nonce: String(n + 1), lane }));
    await makeParts(tx, first.id, parts, isWhole);
  });
  const parts = await take(arena, line, ANNA);
  must(parts.length === names.length, "every part can be claimed");
  const outcomes = parts.map((row) => (row.part === names[0] ? ends(row) : fails(row)));
  await settled(arena, outcomes, ANNA);
  await wakeJoined(arena);
  const [item] = await take(arena, line, ANNA);
  if (item === undefined) throw new Error("the item was not woken");
  return { item, partsRequest: parts[0]?.request_id ?? "" };
}

/** As the settler does it. */
async function endItem(db: Database, row: ClaimedRow): Promise<void> {
  await db.transaction(async (tx) => {
    await lockForEnd(tx, row.id, [row.request_id]);
    const accepted = await settled(tx, [ends(row)], ANNA);
    if (accepted.length > 0) await countPartly(tx, row.id, row.request_id);
  });
}

async function endPart(db: Database, row: ClaimedRow, item: ClaimedRow, isDone = true): Promise<void> {
  await db.transaction(async (tx) => {
    await lockForEnd(tx, row.id, [item.request_id, row.request_id]);
    const accepted = await settled(tx, [isDone ? ends(row) : fails(row)], ANNA);
    if (accepted.length > 0) await mendPartly(tx, row.request_id);
  });
}

async function partly(db: Queryable, request: string): Promise<number> {
  const text = "select partly from sluice.request where id = $1";
  const [row] = await db.query<{ partly: number }>({ name: "partly", text }, [request]);
  return row?.partly ?? -1;
}

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
        two: (db) => endPart(db, parts[1] as ClaimedRow, item, false),
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
    const { line } = arena.dictionary;
    await enter(arena, ANNA);
    const [first] = await taken(arena, ANNA, [1]);
    if (first === undefined) throw new Error("nothing was claimed");
    const lane = line.lanes[0] as number;
    const parts = ["a", "b"].map((name, n) => ({ name, input: `"${name}"`, nonce: String(n + 1), lane }));
    await arena.db.transaction(async (tx) => {
      await settled(tx, [waits(first, line, "parts")], ANNA);
      await makeParts(tx, first.id, parts, true);
    });
    const rows = await take(arena, line, ANNA);
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

export const parts = [endAndMend, twoMend, mendAndFail, twoRetries, reopened, cancelAndMend, whole];
