// What a holder writes beside its settlements, and how leases end without one.

import { recordCrash } from "../../../src/engine/items/crash.sql.ts";
import { reclaim, release, saveCheckpoint, saveProgress, stillHeld } from "../../../src/engine/items/lease.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { ANNA, advances, BERT, countOf, ends, enter, kill, must, settled, taken } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const laneOfStage: Scenario = {
  name: "an item that was handed on goes back to the lane of the stage it is in",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const { line } = arena.dictionary;
    const rows = await taken(arena, ANNA, [2]);
    await settled(
      arena,
      rows.map((row) => advances(row, line, { handOff: true })),
      ANNA,
    );
    const [one, two] = rows.map((row) => ({ id: row.id, version: row.version + 1 }));
    if (one === undefined || two === undefined) throw new Error("nothing was claimed");
    return {
      sessions: {},
      async check() {
        await release(arena, [one], ANNA);
        must((await reclaim(arena, ANNA)) === 1, "the other is taken back");
        must(
          (await countOf(arena, "from sluice.run where stage = 1 and lane = $1", [line.lanes[1]])) === 2,
          "both queue in their lane",
        );
      },
    };
  },
};

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
        must(
          (await countOf(arena, "from sluice.checkpoint")) === (kept ? 1 : 0),
          "it is stored exactly when it was said to be",
        );
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
  preemptions: 2,
  async prepare(arena) {
    await enter(arena, ANNA);
    const [row] = await taken(arena, ANNA, [1]);
    if (row === undefined) throw new Error("nothing was claimed");
    return {
      sessions: {
        worker: async (db) => {
          await db.transaction((tx) => saveCheckpoint(tx, row, ANNA, '{"at":1}'));
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
        must(
          !(await recordCrash(arena, older, ANNA, { how: "x", tookMs: 1 })),
          "a crash of an older version is refused",
        );
        must((await release(arena, [one], BERT)).length === 0, "a release of another epoch is refused");
        must((await release(arena, [older], ANNA)).length === 0, "a release of an older version is refused");
        must((await stillHeld(arena, [one.id, two.id], BERT)).length === 0, "another epoch holds nothing");
        must((await stillHeld(arena, [one.id, two.id], ANNA)).length === 2, "the holder does");
        must(await saveCheckpoint(arena, one, ANNA, "1"), "the holder's checkpoint is kept");
        must(await saveCheckpoint(arena, one, ANNA, "2"), "and replaced");
        must(
          (await countOf(arena, "from sluice.checkpoint where value = '2' and run_id = $1", [one.id])) === 1,
          "by the newest",
        );
        must(await recordCrash(arena, one, ANNA, { how: "x", tookMs: 1 }), "a crash is recorded");
        must(!(await recordCrash(arena, one, ANNA, { how: "x", tookMs: 1 })), "once");
        must((await release(arena, [two], ANNA)).length === 1, "a release is accepted");
        must((await settled(arena, [ends(two)], ANNA)).length === 0, "and ends the lease");
        must((await release(arena, [two], ANNA)).length === 0, "once");
        await saveProgress(arena, [{ ...three, progress: 30 }], ANNA);
        must(
          (await countOf(arena, "from sluice.run where progress = 30")) === 1,
          "progress is written where it belongs",
        );
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
        must(
          (
            await settled(
              arena,
              rows.map((row) => ends(row)),
              ANNA,
            )
          ).length === 0,
          "all are refused",
        );
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

/** A settlement locks by id in whatever order it is told; a reclaim that did otherwise would meet it half-way. */
const batchesInOrder: Scenario = {
  name: "a late batch and a reclaim of the same rows: no deadlock",
  preemptions: 3,
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [3]);
    await kill(arena, ANNA);
    // Now the first row lies behind the others, in the file and in its index.
    await arena.rows(
      "update sluice.run set lane = lane, ready_at = ready_at + interval '1 microsecond', epoch = epoch where id = $1",
      [rows[0]?.id],
    );
    const middle = rows[1] as (typeof rows)[0];
    return {
      sessions: {
        late: (db) => settled(db, rows.map((row) => ends(row)).reverse(), ANNA),
        sweeper: (db) => reclaim(db, ANNA),
        busy: (db) => db.transaction((tx) => saveProgress(tx, [{ ...middle, progress: 1 }], ANNA)),
      },
    };
  },
};

export const leases = [
  laneOfStage,
  checkpointAndReclaim,
  checkpointAndCancel,
  fenced,
  fencesMove,
  releaseAndReclaim,
  batchesInOrder,
];
