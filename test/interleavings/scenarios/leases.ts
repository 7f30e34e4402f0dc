// What a holder writes beside its settlements, and how leases end without one.

import type { Database } from "../../../src/engine/db/database.ts";
import { recordCrash } from "../../../src/engine/items/crash.sql.ts";
import { reclaim, release, saveCheckpoint, saveProgress, stillHeld } from "../../../src/engine/items/lease.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { takeDuty } from "../../../src/engine/workers/duty.sql.ts";
import { aliveWorkers, beat, departedWorkers, leaveWorker, markCleared, markDead } from "../../../src/engine/workers/worker-row.sql.ts";
import { ANNA, advances, ask, BERT, countOf, ends, enter, kill, must, settled, taken } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const UNIQUE_VIOLATION = "23505";

const checkpointAndReclaim: Scenario = {
  name: "a checkpoint and a reclaim: kept if it came first, refused if not",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const [row] = await taken(arena, ANNA, [1]);
    if (row === undefined) throw new Error("nothing was claimed");
    await kill(arena, ANNA);
    let kept: boolean | undefined;
    let back = 0;
    return {
      sessions: {
        late: async (db) => (kept = await db.transaction((tx) => saveCheckpoint(tx, row, ANNA, '{"at":1}'))),
        sweeper: async (db) => (back = await reclaim(db, ANNA)),
      },
      async check({ trace }) {
        must((await countOf(arena, "from sluice.checkpoint")) === (kept ? 1 : 0), "it is stored exactly when it was said to be");
        must((await countOf(arena, "from sluice.run where flags & 2 = 2")) === (kept ? 1 : 0), "and the row knows");
        // A row that was locked at that moment is left for the next round.
        must(back + (await reclaim(arena, ANNA)) === 1, "a checkpoint does not move the fence");
        if (back === 0) return must(kept === true, "who has the lock is first");
        const reclaimed = trace.findIndex((step) => step.startsWith("sweeper: reclaim"));
        const saved = trace.findIndex((step) => step.startsWith("late: checkpoint"));
        must(kept === saved < reclaimed, "who came first wins");
      },
    };
  },
};

const checkpointAndCancel: Scenario = {
  name: "a checkpoint and a cancel: nothing of a cancelled item is left",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [row] = await taken(arena, ANNA, [1]);
    if (row === undefined) throw new Error("nothing was claimed");
    return {
      sessions: {
        worker: async (db) => {
          await saveCheckpoint(db, row, ANNA, '{"at":1}');
          await db.transaction((tx) => saveCheckpoint(tx, row, ANNA, '{"at":2}'));
        },
        person: (db) => db.transaction((tx) => cancelItems(tx, [row.id], "person")),
      },
      check: async () => must((await countOf(arena, "from sluice.checkpoint")) === 0, "no checkpoint is left"),
    };
  },
};

const fenced: Scenario = {
  name: "checkpoint, crash, release and progress are the holder's alone",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const rows = await taken(arena, ANNA, [3]);
    const [one, two, three] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
    return {
      sessions: {},
      async check() {
        const older = { id: one.id, version: one.version - 1 };
        must(!(await saveCheckpoint(arena, one, BERT, "1")), "a checkpoint of another epoch is refused");
        must(!(await saveCheckpoint(arena, older, ANNA, "1")), "a checkpoint of an older version is refused");
        must(!(await recordCrash(arena, one, BERT, { how: "x", tookMs: 1 })), "a crash of another epoch is refused");
        must(!(await recordCrash(arena, older, ANNA, { how: "x", tookMs: 1 })), "a crash of an older version is refused");
        must((await release(arena, [one], BERT)).length === 0, "a release of another epoch is refused");
        must((await release(arena, [older], ANNA)).length === 0, "a release of an older version is refused");
        must((await stillHeld(arena, [one.id, two.id], BERT)).length === 0, "another epoch holds nothing");
        must((await stillHeld(arena, [one.id, two.id], ANNA)).length === 2, "the holder does");
        must(await saveCheckpoint(arena, one, ANNA, "1"), "the holder's checkpoint is kept");
        must(await saveCheckpoint(arena, one, ANNA, "2"), "and replaced");
        must((await countOf(arena, "from sluice.checkpoint where value = '2' and run_id = $1", [one.id])) === 1, "by the newest");
        must(await recordCrash(arena, one, ANNA, { how: "x", tookMs: 1 }), "a crash is recorded");
        must(!(await recordCrash(arena, one, ANNA, { how: "x", tookMs: 1 })), "once");
        must((await release(arena, [two], ANNA)).length === 1, "a release is accepted");
        must((await settled(arena, [ends(two)], ANNA)).length === 0, "and ends the lease");
        must((await release(arena, [two], ANNA)).length === 0, "once");
        await saveProgress(arena, [{ ...three, progress: 30 }], ANNA);
        must((await countOf(arena, "from sluice.run where progress = 30")) === 1, "progress is written where it belongs");
      },
    };
  },
};

const fencesMove: Scenario = {
  name: "release, crash and reclaim move the fence: a holder with the same epoch is refused from then on",
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [3]);
    const [one, two, three] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
    return {
      sessions: {},
      async check() {
        await release(arena, [one], ANNA);
        await recordCrash(arena, two, ANNA, { how: "x", tookMs: 1 });
        await arena.rows("update sluice.run set epoch = $1 where id = $2", [BERT, three.id]);
        await reclaim(arena, BERT);
        // As if the same process had claimed all of them again, without their versions having risen by that.
        await arena.rows("update sluice.run set state = 1, epoch = $1", [ANNA]);
        must((await settled(arena, rows.map((row) => ends(row)), ANNA)).length === 0, "all are refused");
      },
    };
  },
};

const laneOfStage: Scenario = {
  name: "an item that was handed on goes back to the lane of the stage it is in",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const { line } = arena.dictionary;
    const rows = await taken(arena, ANNA, [2]);
    await settled(arena, rows.map((row) => advances(row, line, { handOff: true })), ANNA);
    const [one, two] = rows.map((row) => ({ id: row.id, version: row.version + 1 }));
    if (one === undefined || two === undefined) throw new Error("nothing was claimed");
    return {
      sessions: {},
      async check() {
        await release(arena, [one], ANNA);
        must((await reclaim(arena, ANNA)) === 1, "the other is taken back");
        must((await countOf(arena, "from sluice.run where stage = 1 and lane = $1", [line.lanes[1]])) === 2, "both queue in their lane");
      },
    };
  },
};

const releaseAndReclaim: Scenario = {
  name: "a release and a reclaim: one of them ends the lease",
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [2]);
    await kill(arena, ANNA);
    let released = 0;
    let back = 0;
    return {
      sessions: {
        late: (db) => db.transaction(async (tx) => (released = (await release(tx, rows, ANNA)).length)),
        sweeper: async (db) => (back = await reclaim(db, ANNA)),
      },
      check: () => must(released + back === 2, `${released} released and ${back} taken back make 2`),
    };
  },
};

/** The late settlement's batch is sorted by id; a reclaim that took rows in another order would meet it half-way. */
const batchesInOrder: Scenario = {
  name: "a late batch and a reclaim of the same rows: no deadlock",
  preemptions: 3,
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [3]);
    await kill(arena, ANNA);
    // Now the first row lies behind the others, in the file and in its index.
    await arena.rows("update sluice.run set lane = lane, ready_at = ready_at + interval '1 microsecond', epoch = epoch where id = $1", [rows[0]?.id]);
    const middle = rows[1] as (typeof rows)[0];
    return {
      sessions: {
        late: (db) => settled(db, rows.map((row) => ends(row)), ANNA),
        sweeper: (db) => reclaim(db, ANNA),
        busy: (db) => db.transaction((tx) => saveProgress(tx, [{ ...middle, progress: 1 }], ANNA)),
      },
    };
  },
};

const beatAndMark: Scenario = {
  name: "a beat and a mark: either the worker is alive or it learns that it is dead",
  async prepare(arena) {
    await enter(arena, ANNA);
    let isAlive: boolean | undefined;
    let isMarked: boolean | undefined;
    return {
      sessions: {
        heart: async (db) => (isAlive = (await db.transaction((tx) => beat(tx, ANNA, "0", null))) !== null),
        sweeper: async (db) => (isMarked = await db.transaction((tx) => markDead(tx, ANNA, "0"))),
      },
      check: () => must(isAlive !== isMarked, `alive: ${isAlive}, marked: ${isMarked}`),
    };
  },
};

const leaveAndMark: Scenario = {
  name: "who leaves is not marked dead, and who was marked dead does not leave",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    let isMarked: boolean | undefined;
    return {
      sessions: {
        worker: (db) => db.transaction((tx) => leaveWorker(tx, ANNA)),
        sweeper: async (db) => (isMarked = await db.transaction((tx) => markDead(tx, ANNA, "0"))),
      },
      async check() {
        must((await countOf(arena, "from sluice.worker where epoch = $1 and state = $2", [ANNA, isMarked ? 2 : 1])) === 1, "one of the two");
        must((await countOf(arena, "from sluice.worker where epoch = $1 and state = 0", [BERT])) === 1, "nobody else");
      },
    };
  },
};

const registryOfWorkers: Scenario = {
  name: "the living are watched, the departed are cleared away once",
  async prepare(arena) {
    await enter(arena, ANNA, BERT, "7003");
    await taken(arena, ANNA, [1]);
    // Idle rows of whoever was there before say nothing about the dead.
    await ask(arena, 1);
    return {
      sessions: {},
      async check() {
        await kill(arena, ANNA);
        await leaveWorker(arena, BERT);
        must((await beat(arena, ANNA, "0", null)) === null, "the dead do not beat");
        must((await beat(arena, BERT, "0", null)) === null, "nor do those who left");
        must((await aliveWorkers(arena)).map((row) => row.epoch).join() === "7003", "one is alive");
        const gone = async () => (await departedWorkers(arena)).map((row) => `${row.epoch} ${row.holds}`).join();
        must((await gone()) === `${ANNA} true`, "who died with something in its hands is seen at once");
        await arena.rows("update sluice.run set epoch = 7003 where epoch = $1", [ANNA]);
        must((await gone()) === "", "who left nothing behind, after a while");
        await arena.rows("update sluice.worker set ended_at = ended_at - interval '2 minutes' where state <> 0");
        must((await gone()) === `${ANNA} false,${BERT} false`, "when nothing of it can commit any more");
        await markCleared(arena, "7003");
        must((await countOf(arena, "from sluice.worker where cleared_at is not null")) === 0, "the living are not cleared away");
        await markCleared(arena, ANNA);
        must((await gone()) === `${BERT} false`, "one is cleared");
        await arena.rows("update sluice.worker set cleared_at = '2000-01-01' where epoch = $1", [ANNA]);
        await markCleared(arena, ANNA);
        must((await countOf(arena, "from sluice.worker where cleared_at = '2000-01-01'")) === 1, "when it was cleared does not change");
        await beat(arena, "7003", "5", null);
        await beat(arena, "7003", "3", null);
        must((await countOf(arena, "from sluice.worker where epoch = 7003 and beat = 2 and valve_generation = 5")) === 1, "an acknowledgement is never taken back");
        must(!(await markDead(arena, "7003", "1")), "a worker that beat meanwhile is alive");
      },
    };
  },
};

const duty: Scenario = {
  name: "a duty is taken by one, when it is due, and also after a clock jumped back",
  async prepare(arena) {
    const took: string[] = [];
    const takeAs = (epoch: string) => async (db: Database) => {
      if (await db.transaction((tx) => takeDuty(tx, "sweep", 60_000, epoch))) took.push(epoch);
    };
    return {
      sessions: { [ANNA]: takeAs(ANNA), [BERT]: takeAs(BERT) },
      async check() {
        must(took.length === 1, `${took.length} took it`);
        must(!(await takeDuty(arena, "sweep", 60_000, ANNA)), "not again before it is due");
        await arena.rows("update sluice.duty set due_at = sluice.now() - interval '1 second'");
        must(await takeDuty(arena, "sweep", 60_000, ANNA), "again when it is due");
        await arena.rows("update sluice.duty set due_at = sluice.now() + interval '3 minutes'");
        must(await takeDuty(arena, "sweep", 60_000, ANNA), "more than two intervals ahead is not believed");
      },
    };
  },
};

const once: Scenario = {
  name: "an epoch, an item's row, its run row and the valves' clock exist once",
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [1]);
    const id = rows[0]?.id;
    return {
      sessions: {},
      async check() {
        const isRefused = async (work: () => Promise<unknown>) =>
          await work().then(
            () => false,
            (error: { code?: string }) => error.code === UNIQUE_VIOLATION,
          );
        must(await isRefused(() => enter(arena, ANNA)), "a second worker with the same epoch is refused");
        must(await isRefused(() => arena.rows("insert into sluice.valve_clock (generation) values (1)")), "a second clock");
        for (const table of ["run", "item", "request"]) {
          const copy = `insert into sluice.${table} select * from sluice.${table} where $1::bigint is not null limit 1`;
          must(await isRefused(() => arena.rows(copy, [id])), `a second row of ${table}`);
        }
      },
    };
  },
};

export const leases = [
  once, laneOfStage, checkpointAndReclaim, checkpointAndCancel, fenced, fencesMove, releaseAndReclaim, batchesInOrder, beatAndMark, leaveAndMark,
  registryOfWorkers, duty,
];
