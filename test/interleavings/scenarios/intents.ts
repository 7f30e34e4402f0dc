// What may exist outside: written down before it is attempted, and what becomes of it as its item goes its way.

import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { learnRef, readIntent, writeIntents } from "../../../src/engine/items/intent.sql.ts";
import type { Settlement } from "../../../src/engine/items/settle.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import type { Arena } from "../arena.ts";
import { FARM } from "../dictionary.ts";
import { ANNA, advances, BERT, countOf, ends, fails, must, settled } from "../play.ts";
import {
  intentOf,
  keyOf,
  openFarm,
  put,
  refOf,
  standingOf,
  starting,
  starts,
  takenAfar,
  untouched,
} from "../play-afar.ts";
import type { Scenario } from "../scenario.ts";

type Two = [ClaimedRow, ClaimedRow];

const fenced: Scenario = {
  name: "only the holder writes down what it is about to start, and learns whether it was there before",
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT);
    const [row, other] = (await takenAfar(arena, ANNA, 2)) as Two;
    const write = (epoch: string, version = row.version) =>
      writeIntents(arena, [intentOf(arena, { id: row.id, version })], epoch);
    return {
      sessions: {},
      async check() {
        must((await write(BERT)).size === 0, "somebody else's is refused");
        must((await write(ANNA, row.version - 1)).size === 0, "so is an older version's");
        must((await countOf(arena, "from sluice.intent")) === 0, "and nothing is written");
        must((await countOf(arena, "from sluice.run where flags & 8 = 8")) === 0, "beside the item either");
        must((await write(ANNA)).get(keyOf(row.id)) === true, "the holder's is new");
        must((await write(ANNA)).get(keyOf(row.id)) === false, "and then was there before");
        must((await countOf(arena, "from sluice.run where flags & 8 = 8")) === 1, "the item knows");
        await learnRef(arena, keyOf(row.id), refOf(row.id));
        await arena.rows("update sluice.intent set owed_at = sluice.now(), over_at = sluice.now(), cleanup_id = 1");
        must((await write(ANNA)).get(keyOf(row.id)) === false, "what was given up is taken up again");
        must((await standingOf(arena, keyOf(row.id))) === "open", "and open");
        must((await countOf(arena, "from sluice.intent where cleanup_id is null")) === 1, "nobody cleans it up");
        await writeIntents(arena, [intentOf(arena, other)], ANNA);
        const intent = await readIntent(arena, keyOf(row.id));
        must(intent?.ref === refOf(row.id) && !intent.over && intent.service === FARM, "it is read by its key");
        must((await readIntent(arena, keyOf(other.id)))?.ref === null, "and a name is learnt by its key");
      },
    };
  },
};

/** The cancel's statement begins before the intent is there to be seen, and has to find it all the same. */
const writtenAndCancelled: Scenario = {
  name: "a start that is written down while its item is cancelled is owed, or was refused",
  async prepare(arena) {
    await openFarm(arena, ANNA);
    const [row, second] = (await takenAfar(arena, ANNA, 2)) as Two;
    await writeIntents(arena, [intentOf(arena, second, "an earlier one")], ANNA);
    let written = 0;
    return {
      sessions: {
        worker: async (db) => {
          const intents = [row, second].map((one) => intentOf(arena, one));
          written = (await db.transaction((tx) => writeIntents(tx, intents, ANNA))).size;
        },
        person: (db) => cancelItems(db, [row.id, second.id], "person"),
      },
      async check() {
        must((await countOf(arena, "from sluice.item where state = 3")) === 2, "both are cancelled");
        const owed = await countOf(arena, "from sluice.intent where owed_at is not null and key <> 'an earlier one'");
        must(owed === written, `of ${written} that were written ${owed} are owed`);
        must((await standingOf(arena, "an earlier one")) === "owed", "so is what was there before");
      },
    };
  },
};

const leaves = (
  how: string,
  standing: string,
  settlement: (row: ClaimedRow, arena: Arena) => Settlement,
): Scenario => ({
  name: `${how}: what it may have outside is ${standing}`,
  async prepare(arena) {
    await openFarm(arena, ANNA);
    const [row, other] = (await starting(arena, ANNA, 2)) as Two;
    await put(arena, "old owed", row.id, "owed");
    await put(arena, "old over", row.id, "over");
    return {
      sessions: {},
      async check() {
        must((await settled(arena, [settlement(row, arena)], ANNA)).length === 1, "it is settled");
        must((await standingOf(arena, keyOf(row.id))) === standing, `it is ${standing}`);
        must((await standingOf(arena, keyOf(other.id))) === "open", "another item's is still open");
        must((await untouched(arena)) === 2, "what was settled before stays as it is");
      },
    };
  },
});

const moves = (intents: "over" | "owed") => (row: ClaimedRow, arena: Arena) =>
  advances(row, arena.dictionary.afar, { detail: { intents, delayMs: 0 } });

const waysToLeave: readonly Scenario[] = [
  leaves("an item that is done", "over", (row) => ends(row)),
  leaves("an item that has failed", "owed", (row) => fails(row)),
  leaves("an item that goes on", "over", moves("over")),
  leaves("an item that gives it up", "owed", moves("owed")),
  leaves("an item that is tried again", "open", (row, arena) =>
    advances(row, arena.dictionary.afar, { toStage: 0, toLane: arena.dictionary.afar.lanes[0] as number }),
  ),
  leaves("an item that is watched", "open", (row, arena) => starts(arena, row)),
];

const learnt: Scenario = {
  name: "what was started is learnt with the settlement, by its own intent alone",
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT);
    const rows = (await starting(arena, ANNA, 2)) as Two;
    const [row, other] = rows;
    await put(arena, "old over", row.id, "over");
    return {
      sessions: {},
      async check() {
        await settled(arena, [starts(arena, row)], BERT);
        must((await readIntent(arena, keyOf(row.id)))?.ref === null, "from the holder");
        const retried = advances(other, arena.dictionary.afar, { toStage: 0, detail: { delayMs: 0 } });
        await settled(arena, [starts(arena, row), retried], ANNA);
        must((await readIntent(arena, keyOf(row.id)))?.ref === refOf(row.id), "it is");
        must((await countOf(arena, "from sluice.intent where ref is null")) === 2, "and no other");
      },
    };
  },
};

export const intents = [fenced, writtenAndCancelled, ...waysToLeave, learnt];
