// Signals, and waits that begin at the same moment.

import type { Database } from "../../../src/engine/db/database.ts";
import { addWaiter, dropWaiter } from "../../../src/engine/items/beside.sql.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { keepSignal, wakeSignalled } from "../../../src/engine/items/wake.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { ANNA, countOf, enter, journalled, must, settled, take, taken, waits } from "../play.ts";
import type { Scenario } from "../scenario.ts";
import { beginWait, waiting } from "../waits.ts";

const signalAndWait: Scenario = {
  name: "a signal sent while a wait begins: found by whoever comes second",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [row] = await taken(arena, ANNA, [1]);
    if (row === undefined) throw new Error("nothing was claimed");
    return {
      sessions: {
        sender: async (db) => {
          await keepSignal(db, "door", '"open"');
          await wakeSignalled(db, "door");
        },
        worker: async (db) => {
          await beginWait(db, arena, row, "signal", "door");
          await wakeSignalled(db, null);
        },
      },
      async check() {
        must((await journalled(arena, row.id, "signalled")) === 1, "it is woken once");
        must((await countOf(arena, "from sluice.signal")) === 0, "and the signal is used up");
        must((await take(arena, arena.dictionary.line, ANNA)).length === 1, "and it can be claimed");
      },
    };
  },
};

const twoSignals: Scenario = {
  name: "one signal for two who wait: both told it may be, each once",
  async prepare(arena) {
    await enter(arena, ANNA);
    const row = await waiting(arena, "signal", "door");
    await keepSignal(arena, "door", "1");
    const wake = (db: Database) => db.transaction((tx) => wakeSignalled(tx, null));
    return {
      sessions: { one: wake, two: wake },
      async check({ waits: waited }) {
        must((await journalled(arena, row.id, "signalled")) === 1, "it is woken once");
        must(waited.length === 0, "nobody waits for another who does the same");
      },
    };
  },
};

const signalAgain: Scenario = {
  name: "a second signal while the first is handed over is not lost",
  async prepare(arena) {
    await enter(arena, ANNA);
    await waiting(arena, "signal", "door");
    await keepSignal(arena, "door", "1");
    return {
      sessions: {
        waker: (db) => db.transaction((tx) => wakeSignalled(tx, null)),
        sender: (db) => db.transaction((tx) => keepSignal(tx, "door", "2")),
      },
      async check() {
        const [told] = await arena.rows<{ output: number }>("select output from sluice.journal where kind = 14");
        const kept = await countOf(arena, "from sluice.signal where payload = '2'");
        must((told?.output === 2) !== (kept === 1), `told ${told?.output}, kept ${kept}: the second is in one place`);
      },
    };
  },
};

const keptForOthers: Scenario = {
  name: "a signal is kept while somebody it is for is busy, and no longer",
  async prepare(arena) {
    await enter(arena, ANNA);
    const idle = await waiting(arena, "signal", "door");
    const busy = await waiting(arena, "signal", "door");
    // The key of another kind of wait may look like a signal's.
    const other = await waiting(arena, "item", "door");
    return {
      sessions: {},
      async check() {
        await keepSignal(arena, "door", "1");
        await arena.rows("update sluice.run set state = 1, epoch = $1 where id = $2", [ANNA, busy.id]);
        must((await wakeSignalled(arena, null)).map((row) => row.id).join() === idle.id, "the idle one is woken");
        must((await countOf(arena, "from sluice.signal")) === 1, "the signal is kept for the other");
        await arena.rows("update sluice.run set state = 0, epoch = null where id = $1", [busy.id]);
        must((await wakeSignalled(arena, null)).map((row) => row.id).join() === busy.id, "which is woken later");
        must((await countOf(arena, "from sluice.signal")) === 0, "then it is used up");
        await cancelItems(arena, [other.id], "person");
      },
    };
  },
};

const signalKeys: Scenario = {
  name: "a signal wakes those who wait for its key, idle, and nobody else",
  async prepare(arena) {
    await enter(arena, ANNA);
    const door = await waiting(arena, "signal", "door");
    const gate = await waiting(arena, "signal", "gate");
    // The key of another kind of wait may look like a signal's.
    const other = await waiting(arena, "item", "door");
    return {
      sessions: {},
      async check() {
        const woken = async (row: ClaimedRow) => (await journalled(arena, row.id, "signalled")) === 1;
        await keepSignal(arena, "gate", "1");
        await keepSignal(arena, "gate", "2");
        await keepSignal(arena, "door", "1");
        await arena.rows("update sluice.run set state = 1, epoch = $1 where id = $2", [ANNA, door.id]);
        await wakeSignalled(arena, null);
        must(!(await woken(door)), "one that is being visited is left alone");
        must((await countOf(arena, "from sluice.signal where key = 'door'")) === 1, "and its signal kept");
        must(await woken(gate), "the other is woken");
        must(
          (await countOf(arena, "from sluice.journal where kind = 14 and output = '2'")) === 1,
          "with the last signal sent",
        );
        await arena.rows("update sluice.run set state = 0, epoch = null where id = $1", [door.id]);
        await wakeSignalled(arena, "gate");
        must(!(await woken(door)), "another key wakes nobody");
        await wakeSignalled(arena, "door");
        must(await woken(door), "its own does");
        must(!(await woken(other)), "who waits for an item does not hear signals");
        must((await countOf(arena, "from sluice.waiter")) === 1, "who was woken waits no more");
        must((await countOf(arena, "from sluice.run where flags & 4 = 4")) === 1, "and its row knows");
        await arena.rows("delete from sluice.waiter; update sluice.run set flags = 0");
      },
    };
  },
};

const waiterRows: Scenario = {
  name: "a wait replaces the one before, and ends with its item",
  async prepare(arena) {
    await enter(arena, ANNA);
    const row = await waiting(arena, "signal", "one");
    const other = await waiting(arena, "signal", "other");
    return {
      sessions: {},
      async check() {
        await addWaiter(arena, row.id, "signal", "two");
        must(
          (await countOf(arena, "from sluice.waiter where run_id = $1 and key = 'two'", [row.id])) === 1,
          "the second counts",
        );
        await dropWaiter(arena, row.id);
        must((await countOf(arena, "from sluice.waiter where run_id = $1", [row.id])) === 0, "it is dropped");
        must(
          (await countOf(arena, "from sluice.run where flags & 4 = 4 and id = $1", [other.id])) === 1,
          "others wait on",
        );
        await cancelItems(arena, [other.id], "person");
        must((await countOf(arena, "from sluice.waiter")) === 0, "a cancelled item waits no more");
        await addWaiter(arena, other.id, "signal", "late");
        must((await countOf(arena, "from sluice.waiter")) === 0, "and an item that ended cannot begin to wait");
      },
    };
  },
};

const wakeAndClaim: Scenario = {
  name: "an item is woken while its own time comes: claimed once, in order",
  async prepare(arena) {
    await enter(arena, ANNA);
    const row = await waiting(arena, "signal", "door");
    await arena.rows("update sluice.run set ready_at = sluice.now() - interval '1 second' where id = $1", [row.id]);
    await keepSignal(arena, "door", "1");
    let got: ClaimedRow[] = [];
    let accepted: string[] = [];
    return {
      sessions: {
        waker: (db) => db.transaction((tx) => wakeSignalled(tx, null)),
        worker: async (db) => {
          got = await take(db, arena.dictionary.line, ANNA);
          accepted = await settled(
            db,
            got.map((one) => waits(one, arena.dictionary.line, "signal")),
            ANNA,
          );
        },
      },
      async check() {
        must(got.length <= 1 && accepted.length === got.length, "a claimed item is its holder's until it settles");
        must(
          (await journalled(arena, row.id, "signalled")) + (await countOf(arena, "from sluice.signal")) === 1,
          "the signal is in one place",
        );
      },
    };
  },
};

export const signals = [signalAndWait, twoSignals, signalAgain, keptForOthers, signalKeys, waiterRows, wakeAndClaim];
