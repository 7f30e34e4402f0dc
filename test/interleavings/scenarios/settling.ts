// Writing what came of visits, against everybody else who may write the same rows.

import { addWaiter, growRequest } from "../../../src/engine/items/beside.sql.ts";
import { saveProgress, reclaim } from "../../../src/engine/items/lease.sql.ts";
import { readChildren } from "../../../src/engine/items/context.sql.ts";
import { resolveCommits } from "../../../src/engine/items/resolve.sql.ts";
import { type Settlement, settle } from "../../../src/engine/items/settle.sql.ts";
import { claim } from "../../../src/engine/items/claim.sql.ts";
import { keepSignal, wakeSignalled } from "../../../src/engine/items/wake.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { setValve } from "../../../src/engine/operate/valve.sql.ts";
import { markDead } from "../../../src/engine/workers/worker-row.sql.ts";
import type { Database } from "../../../src/engine/db/database.ts";
import { ANNA, advances, ask, BERT, countOf, ends, enter, fails, journalled, kill, must, settled, take, taken, waits } from "../play.ts";
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
      async check() {
        must(accepted.length + back === 2, `${accepted.length} accepted and ${back} taken back make 2`);
        const refused = (await journalled(arena, going.id, "refused")) + (await journalled(arena, ending.id, "refused"));
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
        worker: (db) => db.transaction(async (tx) => (accepted = await settled(tx, rows.map((row) => ends(row)), ANNA))),
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
          const [held] = await settle(db, [advances(second, line, { handOff: true })], { epoch: ANNA, servedLanes: [] });
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
    [ANNA]: "set enable_seqscan = off",
    [BERT]: "set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off",
  },
  preemptions: 2,
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const rows = await taken(arena, ANNA, [4, 3, 3]);
    const requests = [...new Set(rows.map((row) => row.request_id))];
    const mine = rows.filter((_, index) => index % 2 === 0);
    const theirs = rows.filter((_, index) => index % 2 === 1);
    await arena.rows("update sluice.run set epoch = $1 where id = any ($2)", [BERT, theirs.map((row) => row.id)]);
    // Now the first request's row lies behind the others in the file.
    await arena.rows("update sluice.request set total = total where id = $1", [requests[0]]);
    const write = (epoch: string, batch: readonly Settlement[]) => (db: Database) => db.transaction((tx) => settled(tx, batch, epoch));
    return {
      sessions: {
        [ANNA]: write(ANNA, mine.map((row) => ends(row))),
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
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [4, 3, 3]);
    const requests = [...new Set(rows.map((row) => row.request_id))];
    await arena.rows("update sluice.request set total = total where id = $1", [requests[0]]);
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
            await tx.query({ name: "joins", text: "insert into sluice.item (id, request_id, nonce, created_at, pipeline_id, priority, codec, input) values (nextval('sluice.item_ids'), $1, 1, sluice.now(), $2, 3, 1, '{}')" }, [row.request_id, line.pipeline]);
            await tx.query({ name: "runs", text: "insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state) values (currval('sluice.item_ids'), $1, sluice.now(), sluice.now(), 0, $2, 0, 3, 0)" }, [row.request_id, line.lanes[0]]);
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
          const [answer] = await db.transaction((tx) => settle(tx, [advances(row, line, { handOff: true })], { epoch: ANNA, servedLanes: line.lanes }));
          isHeld = answer?.held;
        },
        person: (db) =>
          db.transaction((tx) =>
            setValve(tx, { kind: "pause", scope: { stage: "line-1" }, closed: true, note: null, actor: "person" }),
          ),
      },
      async check({ trace }) {
        const wasClosed = trace.indexOf("person: commit") < trace.indexOf("worker: settle");
        must(isHeld === !wasClosed, `closed before: ${wasClosed}, handed on: ${isHeld}`);
        if (wasClosed) must((await take(arena, line, ANNA)).length === 0, "and it is not claimed either");
      },
    };
  },
};

const handOffRules: Scenario = {
  name: "an item is handed on only while nothing better is ready and the next lane has no cap",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line, narrow } = arena.dictionary;
    return {
      sessions: {},
      async check() {
        const handOff = async (served: readonly number[]): Promise<boolean> => {
          const [row] = await taken(arena, ANNA, [1]);
          if (row === undefined) throw new Error("nothing was claimed");
          const [answer] = await settle(arena, [advances(row, line, { handOff: true })], { epoch: ANNA, servedLanes: served });
          await arena.rows("delete from sluice.run; delete from sluice.item; delete from sluice.request; delete from sluice.journal");
          return answer?.held ?? false;
        };
        must(await handOff(line.lanes), "nothing else is ready");
        const busy = async (priority: number, delayMs: number, lease: boolean): Promise<boolean> => {
          const { items } = await ask(arena, 1, { line: narrow, priority, delayMs });
          if (lease) await arena.rows("update sluice.run set state = 1, epoch = $1 where id = $2", [ANNA, items[0]]);
          return await handOff(narrow.lanes);
        };
        must(!(await busy(1, 0, false)), "something better is ready");
        must(await busy(3, 0, false), "something as good is ready");
        must(await busy(1, 3_600_000, false), "something better is due later");
        must(await busy(1, 0, true), "something better is being done");
        await ask(arena, 1, { line: narrow, priority: 1 });
        must(await handOff(line.lanes), "something better is ready in a lane that is not served");
        const [row] = await taken(arena, ANNA, [1]);
        if (row === undefined) throw new Error("nothing was claimed");
        const toCapped = advances(row, line, { handOff: true, toLane: narrow.lanes[0] as number, toStage: 0 });
        const [answer] = await settle(arena, [toCapped], { epoch: ANNA, servedLanes: [] });
        must(answer?.held === false, "a lane with a cap is entered by claiming only");
        await arena.rows("delete from sluice.run; delete from sluice.item; delete from sluice.request; delete from sluice.journal");
      },
    };
  },
};

const staleWrites: Scenario = {
  name: "only the holder writes: another epoch or an older version is refused",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const rows = await taken(arena, ANNA, [2]);
    const { line } = arena.dictionary;
    const [one, two] = rows as [(typeof rows)[0], (typeof rows)[0]];
    return {
      sessions: {},
      async check() {
        must((await settled(arena, [ends(one), advances(two, line)], BERT)).length === 0, "another epoch is refused");
        const older = (row: typeof one) => ({ ...row, version: row.version - 1 });
        must((await settled(arena, [ends(older(one)), advances(older(two), line)], ANNA)).length === 0, "an older version is refused");
        must((await countOf(arena, "from sluice.journal where kind = 9")) === 4, "all four are written down");
        await saveProgress(arena, [{ ...one, progress: 50 }], BERT);
        await saveProgress(arena, [{ ...older(one), progress: 60 }], ANNA);
        must((await countOf(arena, "from sluice.run where progress is not null")) === 0, "nor does their progress count");
        await saveProgress(arena, [{ ...one, progress: 70 }], ANNA);
        must((await countOf(arena, "from sluice.run where progress = 70")) === 1, "the holder's does");
        must((await settled(arena, [ends(one), advances(two, line)], ANNA)).length === 2, "the holder is accepted");
        must((await countOf(arena, "from sluice.item where state = 1")) === 1, "the one that ended has ended");
      },
    };
  },
};

const quietRepeat: Scenario = {
  name: "a repeated wait leaves no journal row, everything else does",
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [3]);
    const { line } = arena.dictionary;
    const [quiet, loud, plain] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
    return {
      sessions: {},
      async check() {
        const silent = waits(quiet, line, "disk_low");
        await settled(arena, [{ ...silent, detail: { ...silent.detail, journal: false } }, waits(loud, line, "disk_low"), advances(plain, line)], ANNA);
        must((await journalled(arena, quiet.id, "wait")) === 0, "the repeat is silent");
        must((await journalled(arena, loud.id, "wait")) === 1, "the first is not");
        must((await journalled(arena, plain.id, "done")) === 1, "nor is a plain success");
      },
    };
  },
};

const lostReply: Scenario = {
  name: "after a lost reply the journal tells whether it committed",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const rows = await taken(arena, ANNA, [4]);
    const { line } = arena.dictionary;
    const [done, handed, open, stolen] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
    return {
      sessions: {},
      async check() {
        await settled(arena, [ends(done), advances(handed, line, { handOff: true })], ANNA);
        await arena.rows("update sluice.run set epoch = $1, version = version + 1 where id = $2", [BERT, stolen.id]);
        must((await settled(arena, [ends(stolen)], ANNA)).length === 0, "it is refused");
        // The other holder settles under the same version number: versions alone do not tell holders apart.
        await arena.rows("insert into sluice.journal (at, item_id, epoch, version, kind) values (sluice.now(), $1, $2, $3, 1)", [open.id, BERT, open.version]);
        const found = await resolveCommits(arena, rows, ANNA);
        const told = (id: string) => JSON.stringify(found.find((one) => one.id === id));
        const says = (id: string, committed: boolean, held_version: number | null) =>
          must(told(id) === JSON.stringify({ id, committed, held_version }), `${told(id)}: committed ${committed}, held ${held_version}`);
        says(done.id, true, null);
        says(handed.id, true, handed.version + 1);
        says(open.id, false, open.version);
        says(stolen.id, false, null);
        const older = await resolveCommits(arena, [{ id: done.id, version: done.version - 1 }], ANNA);
        must(older[0]?.committed === false, "another version's row is not this one's");
        await arena.rows("delete from sluice.journal where item_id = $1 and epoch = $2", [open.id, BERT]);
      },
    };
  },
};

const freedKey: Scenario = {
  name: "a key for the live is freed when its request is over, others stay",
  async prepare(arena) {
    await enter(arena, ANNA);
    const keep = async (key: string, scope: string) => {
      const given = await ask(arena, 2, { key });
      await arena.rows("insert into sluice.unique_key (pipeline, key, request_id, scope) values ('line', $1, $2, $3)", [key, given.request, scope]);
      return given;
    };
    return {
      sessions: {},
      async check() {
        const keys = async () => (await arena.rows<{ key: string }>("select key from sluice.unique_key order by key")).map((row) => row.key).join();
        const live = await keep("a-live", "live");
        await keep("b-forever", "forever");
        await keep("c-live", "live");
        const rows = await take(arena, arena.dictionary.line, ANNA);
        const [first, second] = rows.filter((row) => row.request_id === live.request) as [(typeof rows)[0], (typeof rows)[0]];
        await settled(arena, [ends(first)], ANNA);
        must((await keys()) === "a-live,b-forever,c-live", "a request that is not over keeps its key");
        await cancelItems(arena, [second.id], "person");
        must((await keys()) === "b-forever,c-live", "the last item frees it, cancelled as well as done");
        const rest = rows.filter((row) => row.request_id !== live.request);
        await settled(arena, rest.slice(0, 3).map((row) => ends(row)), ANNA);
        await cancelItems(arena, [(rest[3] as (typeof rows)[0]).id], "person");
        must((await keys()) === "b-forever", "a key for ever stays");
      },
    };
  },
};

const freedWholly: Scenario = {
  name: "settling and cancelling free the keys of exactly the requests they end",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        for (const way of ["settle", "cancel"] as const) {
          const hold = async (key: string, scope: "live" | "forever", total: number) => {
            const given = await ask(arena, total, { key });
            await arena.rows("insert into sluice.unique_key (pipeline, key, request_id, scope) values ('line', $1, $2, $3)", [key, given.request, scope]);
            return given;
          };
          const over = await hold(`${way}-over`, "live", 1);
          const half = await hold(`${way}-half`, "live", 2);
          const forever = await hold(`${way}-forever`, "forever", 1);
          const rows = await take(arena, arena.dictionary.line, ANNA);
          const ids = [over.items[0], half.items[0], forever.items[0]] as string[];
          const batch = rows.filter((row) => ids.includes(row.id));
          if (way === "settle") await settled(arena, batch.map((row) => ends(row)), ANNA);
          else await cancelItems(arena, ids, "person");
          const left = await arena.rows<{ key: string }>("select key from sluice.unique_key where key like $1 order by key", [`${way}%`]);
          must(left.map((row) => row.key).join() === `${way}-forever,${way}-half`, `${way}: left are ${left.map((row) => row.key)}`);
        }
      },
    };
  },
};

const hints: Scenario = {
  name: "a settlement says whether somebody may wait for what it ended",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const { line } = arena.dictionary;
        const parent = await ask(arena, 1);
        await ask(arena, 2, { parent: parent.items[0] as string });
        await ask(arena, 1);
        const rows = await take(arena, line, ANNA);
        // Somebody waits, but for a signal.
        await arena.rows("insert into sluice.waiter (run_id, kind, key) values ($1, 'signal', 'door')", [rows[0]?.id]);
        await arena.rows("update sluice.run set flags = 4 where id = $1", [rows[0]?.id]);
        const [, one, two, alone] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
        const says = async (batch: Settlement[]) => (await settle(arena, batch, { epoch: ANNA, servedLanes: [] })).some((row) => row.ends_waits);
        must(!(await says([ends(alone)])), "nobody waits for a request without a parent");
        must(!(await says([ends(one)])), "nor for a child that is not the last");
        must(await says([fails(two, { output: '"no"' })]), "the last child ends its parent's wait");
        const children = await readChildren(arena, [one.request_id]);
        must(children.map((row) => row.state).join() === "1,2", "and the parent can read how they ended");
        must(children[1]?.output === null, "a child that failed hands on nothing");
      },
    };
  },
};

/** One row is locked by somebody else, so that a statement over two stops between them. */
const cancelBehind: Scenario = {
  name: "a cancel that waits at one item while another is woken: history stays in order",
  preemptions: 3,
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
  preemptions: 4,
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    const rows = await taken(arena, ANNA, [2]);
    await settled(arena, rows.map((row) => waits(row, line, "signal")), ANNA);
    for (const row of rows) {
      await addWaiter(arena, row.id, "signal", row.id);
      await keepSignal(arena, row.id, "1");
    }
    await arena.rows("update sluice.run set ready_at = sluice.now() - interval '1 hour' + (id % 1000) * interval '1 second'");
    const one = [{ lane: line.lanes[0] as number, priority: 3, floor: 0 }];
    return {
      sessions: {
        holder: (db) => db.transaction((tx) => claim(tx, one, 1, ANNA)),
        waker: (db) => wakeSignalled(db, null),
        worker: async (db) => {
          const held = await claim(db, one, 1, ANNA);
          await settled(db, held.map((row) => waits(row, line, "again")), ANNA);
        },
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

export const settling = [
  settleAndReclaim, settleAndCancel, handOffAndCancel, overlapping, cancelOverlapping, growing, handOffAndValve, handOffRules,
  staleWrites, quietRepeat, lostReply, freedKey, freedWholly, hints, cancelBehind, wakeBehind, dyingTwice,
];
