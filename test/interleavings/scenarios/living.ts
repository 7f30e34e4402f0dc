// Who lives and who is dead, and what exists once.

import type { Database } from "../../../src/engine/db/database.ts";
import { takeDuty } from "../../../src/engine/workers/duty.sql.ts";
import {
  aliveWorkers,
  beat,
  departedWorkers,
  leaveWorker,
  markCleared,
  markDead,
} from "../../../src/engine/workers/worker-row.sql.ts";
import { ANNA, ask, BERT, countOf, enter, kill, must, taken } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const UNIQUE_VIOLATION = "23505";

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
        must(
          (await countOf(arena, "from sluice.worker where epoch = $1 and state = $2", [ANNA, isMarked ? 2 : 1])) === 1,
          "one of the two",
        );
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
        must(
          (await countOf(arena, "from sluice.worker where cleared_at is not null")) === 0,
          "the living are not cleared away",
        );
        await markCleared(arena, ANNA);
        must((await gone()) === `${BERT} false`, "one is cleared");
        await arena.rows("update sluice.worker set cleared_at = '2000-01-01' where epoch = $1", [ANNA]);
        await markCleared(arena, ANNA);
        must(
          (await countOf(arena, "from sluice.worker where cleared_at = '2000-01-01'")) === 1,
          "when it was cleared does not change",
        );
        await beat(arena, "7003", "5", null);
        await beat(arena, "7003", "3", null);
        must(
          (await countOf(arena, "from sluice.worker where epoch = 7003 and beat = 2 and valve_generation = 5")) === 1,
          "an acknowledgement is never taken back",
        );
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

const dyingTwice: Scenario = {
  name: "a worker is marked dead once, and a beat that comes first keeps it alive",
  async prepare(arena) {
    await enter(arena, ANNA);
    const won: string[] = [];
    const mark = (name: string) => async (db: Database) => {
      if (await db.transaction((tx) => markDead(tx, ANNA, "0"))) won.push(name);
    };
    return {
      sessions: { one: mark("one"), two: mark("two") },
      async check() {
        must(won.length === 1, `marked by ${won.join(" and ") || "nobody"}`);
        must((await countOf(arena, "from sluice.journal where kind = 31")) === 1, "and written down once");
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
        must(
          await isRefused(() => arena.rows("insert into sluice.valve_clock (generation) values (1)")),
          "a second clock",
        );
        for (const table of ["run", "item", "request"]) {
          const copy = `insert into sluice.${table} select * from sluice.${table} where $1::bigint is not null limit 1`;
          must(await isRefused(() => arena.rows(copy, [id])), `a second row of ${table}`);
        }
      },
    };
  },
};

export const living = [beatAndMark, leaveAndMark, registryOfWorkers, duty, dyingTwice, once];
