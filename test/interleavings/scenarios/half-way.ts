// Statements over several rows that have to stop between two of them, because somebody else has locked one.

import type { Database, Queryable, Statement } from "../../../src/engine/db/database.ts";
import { addWaiter } from "../../../src/engine/items/beside.sql.ts";
import { claim } from "../../../src/engine/items/claim.sql.ts";
import { writeIntents } from "../../../src/engine/items/intent.sql.ts";
import { type Fence, release, saveProgress } from "../../../src/engine/items/lease.sql.ts";
import { recordEnds } from "../../../src/engine/items/seen.sql.ts";
import { keepSignal, wakeSignalled } from "../../../src/engine/items/wake.sql.ts";
import { saveJobs, takeWatch } from "../../../src/engine/items/watch.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import type { Arena } from "../arena.ts";
import { barrier, buildBarrier, removeBarrier, STOPS } from "../barrier.ts";
import { ANNA, countOf, ends, enter, moveBehind, must, settled, taken, waits } from "../play.ts";
import { endOf, intentOf, openFarm, takenAfar, watched } from "../play-afar.ts";
import type { Scenario } from "../scenario.ts";

/** One row after the other, as they were given. */
const BY_INDEX = "set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off";

/** A cancel meets a late batch of the same rows; what it read lies in another order in the file. */
const cancelInOrder: Scenario = {
  name: "a cancel and a batch over the same rows: no deadlock",
  preemptions: 1,
  settings: {
    worker: BY_INDEX,
    person: "set enable_hashjoin = off; set enable_mergejoin = off",
  },
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [3]);
    await moveBehind(arena, "run", rows[0]?.id);
    const middle = rows[1] as (typeof rows)[0];
    return {
      sessions: {
        worker: (db) => settled(db, rows.map((row) => ends(row)).reverse(), ANNA),
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

const nested = "set enable_hashjoin = off; set enable_mergejoin = off";

/** Whoever looks at jobs, or starts them, has them in an order of its own. */
const cancelAndMany = (
  what: string,
  begin: (arena: Arena, epoch: string, total: number) => Promise<readonly Fence[]>,
  write: (db: Database, arena: Arena, rows: readonly Fence[]) => Promise<unknown>,
): Scenario => ({
  name: `a cancel and ${what} over the same rows: no deadlock`,
  preemptions: 1,
  settings: { worker: nested, person: nested },
  async prepare(arena) {
    await openFarm(arena, ANNA);
    const rows = await begin(arena, ANNA, 3);
    await takeWatch(arena, arena.dictionary.afar.lanes[0] as number, ANNA);
    const [middle] = rows.slice(1) as [Fence];
    const ids = rows.map((row) => row.id);
    return {
      sessions: {
        busy: (db) => db.transaction((tx) => hold(tx, middle)),
        worker: (db) => write(db, arena, rows.toReversed()),
        person: (db) => cancelItems(db, ids, "person"),
      },
      check: async () => must((await countOf(arena, "from sluice.item where state = 0")) === 0, "all have ended"),
    };
  },
});

const HOLD: Statement = { name: "hold", text: "select from sluice.run where id = $1 for no key update" };

/** Locks the row, and leaves it as it is. */
async function hold(db: Queryable, { id }: Fence): Promise<void> {
  await db.query(HOLD, [id]);
}

const manyAtOnce = [
  cancelAndMany("a release", takenAfar, (db, _, rows) => release(db, rows, ANNA)),
  cancelAndMany("progress", takenAfar, (db, _, rows) =>
    saveProgress(
      db,
      rows.map((row) => ({ ...row, progress: 1 })),
      ANNA,
    ),
  ),
  cancelAndMany("intents", takenAfar, (db, arena, rows) =>
    writeIntents(
      db,
      rows.map((row) => intentOf(arena, row)),
      ANNA,
    ),
  ),
  cancelAndMany("ends that were seen", watched, (db, arena, rows) => {
    const { lanes, finish } = arena.dictionary.afar;
    return recordEnds(
      db,
      rows.map((row) => endOf(row)),
      { watchedIn: lanes[0] as number, finishLane: finish, watcher: ANNA },
    );
  }),
  cancelAndMany("progress that was seen", watched, (db, arena, rows) =>
    saveJobs(
      db,
      arena.dictionary.afar.lanes[0] as number,
      rows.map((row) => ({ ...row, progress: 1, marks: "{}", reason: null, activeMsAgo: null })),
      ANNA,
    ),
  ),
];

/**
 * One row is locked by somebody else, so that a statement over two stops between them: before it has the one that is woken, or
 * with that one in its hands, wanting the wait that whoever wakes has.
 */
const cancelBehind = (where: "first" | "second"): Scenario => ({
  name: `a cancel that waits at the ${where} item while the other is woken: in order, and neither waits for the other`,
  preemptions: 2,
  settings: { person: BY_INDEX },
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    const rows = await taken(arena, ANNA, [2]);
    const [busy, asleep] = (where === "first" ? rows : rows.toReversed()) as [(typeof rows)[0], (typeof rows)[0]];
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
});

const wakeBehind: Scenario = {
  name: "a wake-up that stops at one item while another is visited: history stays in order",
  preemptions: 2,
  settings: { waker: `${STOPS}; ${BY_INDEX}` },
  async prepare(arena) {
    await buildBarrier(arena);
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
    // The last first, which the waker has not come to yet.
    await arena.rows("update sluice.run set ready_at = sluice.now() - (id % 1000) * interval '1 second'");
    const one = [{ lane: line.lanes[0] as number, priority: 3, floor: 0 }];
    return {
      sessions: {
        barrier,
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
      check: () => removeBarrier(arena),
    };
  },
};

export const halfWay = [cancelInOrder, ...manyAtOnce, cancelBehind("first"), cancelBehind("second"), wakeBehind];
