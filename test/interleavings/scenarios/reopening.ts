// Parts that are tried again, by whom, and while what happens to their item.

import type { Database } from "../../../src/engine/db/database.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { readParts } from "../../../src/engine/items/parts.sql.ts";
import { wakeJoined } from "../../../src/engine/items/wake.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { readGenerations, reopenParts } from "../../../src/engine/operate/retry-parts.sql.ts";
import { retryParts } from "../../../src/engine/operate/retry-parts.ts";
import { begin, split } from "../parts-play.ts";
import { ANNA, countOf, enter, fails, journalled, must, settled, take, taken, waits } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const cancelAndRetry: Scenario = {
  name: "an item is cancelled while its parts are tried again: no part outlives it",
  preemptions: 1,
  async prepare(arena) {
    const { item, partsRequest } = await split(arena, ["a", "b"]);
    return {
      sessions: {
        one: (db) => retryParts(db, item.id, "one"),
        two: (db) => cancelItems(db, [item.id], "two"),
      },
      async check() {
        must(
          (await countOf(arena, "from sluice.item where id = $1 and state = 3", [item.id])) === 1,
          "it is cancelled",
        );
        must((await countOf(arena, "from sluice.run where request_id = $1", [partsRequest])) === 0, "with its parts");
      },
    };
  },
};

const asRead: Scenario = {
  name: "a part is reopened as it was read, once",
  async prepare(arena) {
    const { item } = await split(arena, ["a", "b"]);
    const [read] = await readGenerations(arena, item.id);
    const failed = read?.failed.map((id, index) => ({ id, version: read.versions[index] ?? -1 })) ?? [];
    const counts: number[] = [];
    const reopen = async (db: Database) => counts.push(await db.transaction((tx) => reopenParts(tx, failed, "person")));
    return {
      sessions: { one: reopen, two: reopen },
      async check() {
        must(counts.toSorted().join() === "0,1", `one of them did it (${counts})`);
        must((await reopenParts(arena, failed, "person")) === 0, "what has moved on since is left alone");
      },
    };
  },
};

const failedOfThem: Scenario = {
  name: "an item that failed with its parts lives again with them, however often its end was sent",
  async prepare(arena) {
    const { item, parts } = await split(arena, ["a", "b"]);
    const end = fails(item, { detail: { code: "PARTS_FAILED", attempt: 1 } });
    // The second is refused, and stands in the journal under the same version.
    for (let times = 0; times < 2; times += 1) await settled(arena, [end], ANNA);
    const [, b] = parts;
    must(b !== undefined && (await settled(arena, [fails(b)], ANNA)).length === 0, "a second end is refused");
    return {
      sessions: {},
      async check() {
        must((await retryParts(arena.db, item.id, "person")) === undefined, "its failed part is tried again");
        must((await journalled(arena, item.id, "retried")) === 1, "and it lives");
        must((await journalled(arena, b?.id ?? "", "retried")) === 1, "with its part");
        must((await countOf(arena, "from sluice.run where series = 2 and stage = 0")) === 2, "in their second series");
      },
    };
  },
};

const judged: Scenario = {
  name: "an item fails with all its parts while they are tried again: it fails with them, or lives with them",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    const [first] = await taken(arena, ANNA, [1]);
    const parts = await begin(arena, first as ClaimedRow, ["a", "b"]);
    const failures = parts.map((row) => fails(row));
    await settled(arena, failures, ANNA);
    const id = first?.id ?? "";
    const request = parts[0]?.request_id ?? "";
    must((await wakeJoined(arena)).length === 1, "the item is woken");
    let refusal: string | undefined;
    return {
      sessions: {
        worker: async (db) => {
          const [item] = await take(db, line, ANNA, 1);
          if (item === undefined) return;
          const isOver = (await readParts(db, [request])).every((part) => part.state !== 0);
          const failure = fails(item, { detail: { code: "PARTS_FAILED", attempt: 1 } });
          await settled(db, [isOver ? failure : waits(item, line, "parts")], ANNA);
        },
        person: async (db) => (refusal = await retryParts(db, id, "person")),
      },
      async check() {
        const lives = refusal === undefined;
        must((await countOf(arena, "from sluice.run where id = $1", [id])) === (lives ? 1 : 0), "it lives or not");
        must((await countOf(arena, "from sluice.run")) === (lives ? 3 : 0), "as its parts do");
      },
    };
  },
};

export const reopening: readonly Scenario[] = [cancelAndRetry, asRead, failedOfThem, judged];
