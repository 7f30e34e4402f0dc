// Statements over several rows that have to stop between two of them, because somebody else has locked one.

import { addWaiter } from "../../../src/engine/items/beside.sql.ts";
import { claim } from "../../../src/engine/items/claim.sql.ts";
import { saveProgress } from "../../../src/engine/items/lease.sql.ts";
import { keepSignal, wakeSignalled } from "../../../src/engine/items/wake.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { ANNA, countOf, ends, enter, moveBehind, must, settled, taken, waits } from "../play.ts";
import type { Scenario } from "../scenario.ts";

/** A cancel meets a late batch of the same rows; what it read lies in another order in the file. */
const cancelInOrder: Scenario = {
  name: "a cancel and a batch over the same rows: no deadlock",
  preemptions: 1,
  settings: {
    worker: "set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off",
    person: "set enable_hashjoin = off; set enable_mergejoin = off",
  },
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [3]);
    await moveBehind(arena, "run", rows[0]?.id);
    const middle = rows[1] as (typeof rows)[0];
    return {
      sessions: {
        worker: (db) =>
          settled(
            db,
            rows.map((row) => ends(row)),
            ANNA,
          ),
        person: (db) =>
          cancelItems(
            db,
            rows.map((row) => row.id),
            "person",
          ),
        busy: (db) => db.transaction((tx) => saveProgress(tx, [{ ...middle, progress: 1 }], ANNA)),
      },
      check: async () => must((await countOf(arena, "from sluice.item where state = 0")) === 0, "all have ended"),
    };
  },
};

/** One row is locked by somebody else, so that a statement over two stops between them. */
const cancelBehind: Scenario = {
  name: "a cancel that waits at one item while another is woken: history stays in order",
  preemptions: 1,
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    const rows = await taken(arena, ANNA, [2]);
    const [busy, asleep] = rows as [(typeof rows)[0], (typeof rows)[0]];
    await settled(arena, [waits(asleep, line, "signal")], ANNA);
    await addWaiter(arena, asleep.id, "signal", "door");
    await keepSignal(arena, "door", "1");
    return {
      sessions: {
        worker: (db) => db.transaction((tx) => saveProgress(tx, [{ ...busy, progress: 1 }], ANNA)),
        person: (db) => cancelItems(db, [busy.id, asleep.id], "person"),
        waker: (db) => wakeSignalled(db, null),
      },
      check: async () => must((await countOf(arena, "from sluice.item where state = 3")) === 2, "both end cancelled"),
    };
  },
};

const wakeBehind: Scenario = {
  name: "a wake-up that waits at one item while another is visited: history stays in order",
  preemptions: 1,
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    const rows = await taken(arena, ANNA, [2]);
    await settled(
      arena,
      rows.map((row) => waits(row, line, "signal")),
      ANNA,
    );
    for (const row of rows) {
      await addWaiter(arena, row.id, "signal", row.id);
      await keepSignal(arena, row.id, "1");
    }
    await arena.rows(
      "update sluice.run set ready_at = sluice.now() - interval '1 hour' + (id % 1000) * interval '1 second'",
    );
    const one = [{ lane: line.lanes[0] as number, priority: 3, floor: 0 }];
    return {
      sessions: {
        holder: (db) => db.transaction((tx) => claim(tx, one, 1, ANNA)),
        waker: (db) => wakeSignalled(db, null),
        worker: async (db) => {
          const held = await claim(db, one, 1, ANNA);
          await settled(
            db,
            held.map((row) => waits(row, line, "again")),
            ANNA,
          );
        },
      },
    };
  },
};

export const halfWay = [cancelInOrder, cancelBehind, wakeBehind];
