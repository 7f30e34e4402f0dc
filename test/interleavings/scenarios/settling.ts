// Writing what came of visits, against everybody else who may write the same rows.

import type { Database } from "../../../src/engine/db/database.ts";
import { growRequest } from "../../../src/engine/items/beside.sql.ts";
import { reclaim } from "../../../src/engine/items/lease.sql.ts";
import { type Settlement, settle } from "../../../src/engine/items/settle.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { setValve } from "../../../src/engine/operate/valve.sql.ts";
import { BY_FILE, BY_INDEX } from "../plans.ts";
import {
  ANNA,
  advances,
  BERT,
  countOf,
  ends,
  enter,
  journalled,
  kill,
  moveBehind,
  must,
  settled,
  take,
  taken,
} from "../play.ts";
import type { Scenario } from "../scenario.ts";

const settleAndReclaim: Scenario = {
  name: "a settlement and a reclaim: whoever is first wins, and a refusal is written down",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const rows = await taken(arena, ANNA, [1, 1]);
    const { line } = arena.dictionary;
    const [going, ending] = rows as [(typeof rows)[0], (typeof rows)[0]];
    await kill(arena, ANNA);
    let accepted: string[] = [];
    let back = 0;
    return {
      sessions: {
        late: (db) =>
          db.transaction(async (tx) => (accepted = await settled(tx, [advances(going, line), ends(ending)], ANNA))),
        sweeper: async (db) => (back = await reclaim(db, ANNA)),
      },
      async check({ waits }) {
        must(!waits.some((step) => step.startsWith("sweeper")), "who takes back does not wait for the dead");
        must(accepted.length + back === 2, `${accepted.length} accepted and ${back} taken back make 2`);
        const refused =
          (await journalled(arena, going.id, "refused")) + (await journalled(arena, ending.id, "refused"));
        must(refused === back, "what was taken back first is refused, and that is written down");
        must((await countOf(arena, "from sluice.run where state <> 0")) === 0, "nothing is left in dead hands");
      },
    };
  },
};

const settleAndCancel: Scenario = {
  name: "a settlement and a cancel: the item ends once",
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [2, 1]);
    const ids = rows.map((row) => row.id);
    let accepted: string[] = [];
    let cancelled = 0;
    return {
      sessions: {
        worker: (db) =>
          db.transaction(
            async (tx) =>
              (accepted = await settled(
                tx,
                rows.map((row) => ends(row)),
                ANNA,
              )),
          ),
        person: (db) => db.transaction(async (tx) => (cancelled = (await cancelItems(tx, ids, "person")).length)),
      },
      check: () => must(accepted.length + cancelled === 3, `${accepted.length} done and ${cancelled} cancelled make 3`),
    };
  },
};

const handOffAndCancel: Scenario = {
  name: "a hand-off and a cancel of several: history stays in order",
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [2]);
    const { line } = arena.dictionary;
    const ids = rows.map((row) => row.id);
    return {
      sessions: {
        worker: async (db) => {
          const second = rows[1] as (typeof rows)[0];
          const [held] = await settle(db, [advances(second, line, { handOff: true })], {
            epoch: ANNA,
            servedLanes: [],
          });
          if (held?.held !== true) return;
          await settled(db, [advances({ ...second, version: held.version, stage: 1 }, line)], ANNA);
        },
        person: (db) => cancelItems(db, ids, "person"),
      },
      check: async () => must((await countOf(arena, "from sluice.item where state = 3")) === 2, "both end cancelled"),
    };
  },
};

/** Ten items over three requests, settled in two batches that meet the requests in opposite order. */
const overlapping: Scenario = {
  name: "two batches over the same requests: no deadlock, exact counts",
  // Plans differ between sessions as they do between servers and days; the order of locks may not.
  settings: {
    [ANNA]: BY_INDEX,
    [BERT]: `${BY_FILE}; set enable_indexonlyscan = off`,
  },
  preemptions: 2,
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const rows = await taken(arena, ANNA, [4, 3, 3]);
    const requests = [...new Set(rows.map((row) => row.request_id))];
    const mine = rows.filter((_, index) => index % 2 === 0);
    const theirs = rows.filter((_, index) => index % 2 === 1);
    await arena.rows("update sluice.run set epoch = $1 where id = any ($2)", [BERT, theirs.map((row) => row.id)]);
    await moveBehind(arena, "request", requests[0]);
    const write = (epoch: string, batch: readonly Settlement[]) => (db: Database) =>
      db.transaction((tx) => settled(tx, batch, epoch));
    return {
      sessions: {
        [ANNA]: write(
          ANNA,
          mine.map((row) => ends(row)),
        ),
        [BERT]: write(BERT, theirs.map((row) => ends(row)).reverse()),
        grower: (db) => db.transaction((tx) => growRequest(tx, requests[1] as string, 0)),
      },
      check: async () => must((await countOf(arena, "from sluice.item where state = 1")) === 10, "all are done"),
    };
  },
};

const cancelOverlapping: Scenario = {
  ...overlapping,
  preemptions: 1,
  name: "two cancels over the same requests: no deadlock, exact counts",
  // One would come upon the requests as they lie in the file, the other by id.
  settings: {
    [ANNA]: `${BY_FILE}; set enable_nestloop = off; set enable_mergejoin = off`,
    [BERT]: `${BY_INDEX}; set enable_hashjoin = off; set enable_mergejoin = off; set enable_hashagg = off`,
  },
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [4, 3, 3]);
    const requests = [...new Set(rows.map((row) => row.request_id))];
    await moveBehind(arena, "request", requests[0]);
    const some = (rest: number) => rows.filter((_, index) => index % 2 === rest).map((row) => row.id);
    const write = (ids: string[]) => (db: Database) => cancelItems(db, ids, "person");
    return {
      sessions: {
        [ANNA]: write(some(0)),
        [BERT]: write(some(1)),
        grower: (db) => db.transaction((tx) => growRequest(tx, requests[1] as string, 0)),
      },
      check: async () => must((await countOf(arena, "from sluice.item where state = 3")) === 10, "all are cancelled"),
    };
  },
};

const growing: Scenario = {
  name: "an item joins a request while its last item ends: the counts stay exact",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [row] = await taken(arena, ANNA, [1]);
    if (row === undefined) throw new Error("nothing was claimed");
    const { line } = arena.dictionary;
    return {
      sessions: {
        worker: (db) => db.transaction((tx) => settled(tx, [ends(row)], ANNA)),
        parent: (db) =>
          db.transaction(async (tx) => {
            await growRequest(tx, row.request_id, 1);
            await tx.query(
              {
                name: "joins",
                text: "insert into sluice.item (id, request_id, nonce, created_at, pipeline_id, priority, codec, input) values (nextval('sluice.item_ids'), $1, 1, sluice.now(), $2, 3, 1, '{}')",
              },
              [row.request_id, line.pipeline],
            );
            await tx.query(
              {
                name: "runs",
                text: "insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state) values (currval('sluice.item_ids'), $1, sluice.now(), sluice.now(), 0, $2, 0, 3, 0)",
              },
              [row.request_id, line.lanes[0]],
            );
          }),
      },
    };
  },
};

const handOffAndValve: Scenario = {
  name: "a valve that closed before a settlement holds the hand-off",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [row] = await taken(arena, ANNA, [1]);
    if (row === undefined) throw new Error("nothing was claimed");
    const { line } = arena.dictionary;
    let isHeld: boolean | undefined;
    return {
      sessions: {
        worker: async (db) => {
          const [answer] = await db.transaction((tx) =>
            settle(tx, [advances(row, line, { handOff: true })], { epoch: ANNA, servedLanes: line.lanes }),
          );
          isHeld = answer?.held;
        },
        person: (db) =>
          db.transaction((tx) =>
            setValve(tx, { kind: "pause", scope: { stage: "line-1" }, closed: true, note: null, actor: "person" }),
          ),
      },
      async check({ trace }) {
        const settled = trace.findIndex((step) => step.startsWith("worker: settle"));
        const wasClosed = trace.indexOf("person: commit") < settled;
        must(isHeld === !wasClosed, `closed before: ${wasClosed}, handed on: ${isHeld}`);
        if (wasClosed) must((await take(arena, line, ANNA)).length === 0, "and it is not claimed either");
      },
    };
  },
};

export const settling = [
  settleAndReclaim,
  settleAndCancel,
  handOffAndCancel,
  overlapping,
  cancelOverlapping,
  growing,
  handOffAndValve,
];
