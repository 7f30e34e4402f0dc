// What people do, twice or against each other.

import type { Database } from "../../../src/engine/db/database.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { cancelRuns, liveRuns } from "../../../src/engine/operate/cancel.sql.ts";
import { cancelItems, cancelRequest } from "../../../src/engine/operate/cancel.ts";
import { retryItem } from "../../../src/engine/operate/retry.sql.ts";
import { listValves, setValve } from "../../../src/engine/operate/valve.sql.ts";
import { closedLanes, registerLane, registerPipeline } from "../../../src/engine/workers/registry.sql.ts";
import { beat } from "../../../src/engine/workers/worker-row.sql.ts";
import { SluiceError } from "../../../src/kit/index.ts";
import type { Arena } from "../arena.ts";
import { plainLane } from "../dictionary.ts";
import {
  ANNA,
  advances,
  ask,
  BERT,
  countOf,
  enter,
  fails,
  journalled,
  listed,
  must,
  settled,
  take,
  taken,
} from "../play.ts";
import type { Scenario } from "../scenario.ts";

async function failed(arena: Arena): Promise<ClaimedRow> {
  await enter(arena, ANNA);
  const [row] = await taken(arena, ANNA, [1]);
  if (row === undefined) throw new Error("nothing was claimed");
  await settled(arena, [fails(row)], ANNA);
  return row;
}

const twoRetries: Scenario = {
  name: "two retries at once: one new series",
  async prepare(arena) {
    const row = await failed(arena);
    const answers: boolean[] = [];
    const script = async (db: Database) => answers.push(await db.transaction((tx) => retryItem(tx, row.id, "person")));
    return {
      sessions: { one: script, two: script },
      async check() {
        must(answers.filter(Boolean).length === 1, "one of them did it");
        must((await journalled(arena, row.id, "retried")) === 1, "and it is written down once");
        must((await countOf(arena, "from sluice.run where series = 2")) === 1, "the second series has begun");
      },
    };
  },
};

const retryAndCancel: Scenario = {
  name: "a retry and a cancel: cancelled, or alive in a new series",
  async prepare(arena) {
    const row = await failed(arena);
    let cancelled = 0;
    return {
      sessions: {
        one: (db) => db.transaction((tx) => retryItem(tx, row.id, "one")),
        two: async (db) => (cancelled = (await cancelItems(db, [row.id], "two")).length),
      },
      async check() {
        must(
          (await countOf(arena, "from sluice.item where state = $1", [cancelled === 1 ? 3 : 0])) === 1,
          "one of the two",
        );
      },
    };
  },
};

const retryRules: Scenario = {
  name: "only a failed item is retried, at the stage where it failed, and its version goes on",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const { line } = arena.dictionary;
        const { request } = await ask(arena, 3, { key: "mine" });
        const rows = await take(arena, line, ANNA);
        const [one, two, three] = rows as [ClaimedRow, ClaimedRow, ClaimedRow];
        await settled(arena, [advances(one, line, { handOff: true })], ANNA);
        const ahead = { ...one, version: one.version + 1, stage: 1 };
        await settled(arena, [fails(ahead)], ANNA);
        must((await settled(arena, [fails(ahead)], ANNA)).length === 0, "what is sent twice is refused");
        await cancelItems(arena, [two.id], "person");
        must(!(await retryItem(arena, two.id, "person")), "a cancelled item is not retried");
        must(!(await retryItem(arena, three.id, "person")), "nor a live one");
        must(await retryItem(arena, one.id, "person"), "a failed one is");
        must(!(await retryItem(arena, one.id, "person")), "once");
        must(
          (await countOf(arena, "from sluice.run where id = $1 and stage = 1 and lane = $2 and version > $3", [
            one.id,
            line.lanes[1],
            ahead.version,
          ])) === 1,
          "where it failed",
        );
        must((await settled(arena, [fails(ahead)], ANNA)).length === 0, "its former holder is refused");
        must(
          (await countOf(arena, "from sluice.unique_key where key = 'mine' and request_id = $1", [request])) === 1,
          "its request has its key again",
        );
        const [again] = await take(arena, line, ANNA);
        await settled(arena, [fails(again as ClaimedRow)], ANNA);
        await arena.rows("update sluice.unique_key set request_id = 0, scope = 'forever'");
        const refused = await arena.db
          .transaction((tx) => retryItem(tx, one.id, "person"))
          .catch((error: Error) => error);
        must(refused instanceof SluiceError && refused.code === "KEY_TAKEN", "not while its key is another's");
        await arena.rows("update sluice.unique_key set scope = 'window', expires_at = sluice.now()");
        must(await retryItem(arena, one.id, "person"), "a key whose time is over is free");
        must(
          (await countOf(arena, "from sluice.unique_key where request_id = $1 and scope = 'live'", [request])) === 1,
          "and its own again",
        );
        must(
          (await countOf(arena, "from sluice.run where id = $1 and series = 3", [one.id])) === 1,
          "in a third series",
        );
      },
    };
  },
};

const cancelRules: Scenario = {
  name: "a cancel takes the version it read, all that is live, and what was spawned",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const { line } = arena.dictionary;
        const parent = await ask(arena, 2);
        const child = await ask(arena, 3, { parent: parent.items[0] as string });
        const other = await ask(arena, 1);
        const read = await liveRuns(arena, parent.items);
        await take(arena, line, ANNA);
        must(
          (await cancelRuns(arena, read, "person")).length === 0,
          "what was claimed since is not cancelled in that round",
        );
        const done = await liveRuns(arena, [child.items[0] as string]);
        await cancelRuns(arena, done, "person");
        const ended = await cancelItems(arena, [parent.items[0] as string], "person");
        must(
          listed(ended.map((row) => row.id)) === listed([parent.items[0], child.items[1], child.items[2]]),
          "the item and its living children",
        );
        must(
          ended.every((row) => row.was_held),
          "which were all held",
        );
        must(
          (await cancelRequest(arena, parent.request, "person")).length === 1,
          "and then what is left of the request",
        );
        must((await countOf(arena, "from sluice.item where state = 0")) === 1, "nothing else");
        must((await countOf(arena, "from sluice.audit where action = 'cancel'")) === 5, "all of it is on record");
        await cancelRequest(arena, other.request, "person");
      },
    };
  },
};

const largeFamily: Scenario = {
  name: "a cancel reaches all children of a large family",
  async prepare(arena) {
    const parent = await ask(arena, 1);
    await ask(arena, 1_200, { parent: parent.items[0] as string });
    return {
      sessions: {},
      async check() {
        must((await cancelItems(arena, parent.items, "person")).length === 1_201, "all of them");
      },
    };
  },
};

const twoValves: Scenario = {
  name: "two changes of valves at once: their generations commit in order",
  preemptions: 3,
  async prepare(arena) {
    await enter(arena, ANNA);
    const set = (stage: string) => (db: Database) =>
      db.transaction((tx) =>
        setValve(tx, { kind: "pause", scope: { stage }, closed: true, note: null, actor: "person" }),
      );
    const seen: { generation: string; lanes: number }[] = [];
    return {
      sessions: {
        one: set("line-0"),
        two: set("line-1"),
        worker: async (db) => {
          const { generation, lanes } = await closedLanes(db);
          seen.push({ generation, lanes: lanes.length });
        },
      },
      async check() {
        must(
          seen.every((one) => Number(one.generation) === one.lanes),
          `what was seen up to a generation is all of it: ${JSON.stringify(seen)}`,
        );
        const [clock] = await arena.rows<{ generation: string }>("select generation from sluice.valve_clock");
        must(clock?.generation === "2", "each has its own");
      },
    };
  },
};

const sameValve: Scenario = {
  name: "the same valve closed and opened at once: one row, the last change holds",
  async prepare(arena) {
    const set = (closed: boolean) => (db: Database) =>
      db.transaction((tx) => setValve(tx, { kind: "pause", scope: {}, closed, note: null, actor: "person" }));
    return {
      sessions: { close: set(true), open: set(false) },
      async check({ trace }) {
        const last = trace.findLast((step) => step.includes("commit"))?.startsWith("close");
        must((await countOf(arena, "from sluice.valve")) === 1, "one row");
        must((await countOf(arena, "from sluice.valve where closed = $1", [last])) === 1, "the last to commit holds");
      },
    };
  },
};

const closing: Scenario = {
  name: "a valve is closing until every living worker has seen it",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    return {
      sessions: {},
      async check() {
        const isClosing = async () => (await listValves(arena))[0]?.is_closing;
        const change = { kind: "pause", scope: { stage: "line-0" }, note: null, actor: "person" };
        await setValve(arena, { ...change, closed: true });
        must((await isClosing()) === true, "nobody has seen it");
        await beat(arena, ANNA, "1", null);
        must((await isClosing()) === true, "one has");
        await arena.rows("update sluice.worker set state = 2, ended_at = sluice.now() where epoch = $1", [BERT]);
        must((await isClosing()) === false, "the dead need not");
        must((await closedLanes(arena)).lanes.join() === String(arena.dictionary.line.lanes[0]), "it covers its stage");
        await setValve(arena, { ...change, closed: false });
        must((await closedLanes(arena)).lanes.length === 0, "an open one covers nothing");
        must((await isClosing()) === false, "and closes nothing");
        for (const [scope, lanes] of [
          [{ pipeline: "narrow" }, 2],
          [{ pipeline: "line", version: 2 }, 0],
          [{}, await countOf(arena, "from sluice.lane")],
        ] as const) {
          await setValve(arena, { ...change, scope, closed: true });
          must((await closedLanes(arena)).lanes.length === lanes, `${JSON.stringify(scope)} covers ${lanes} lanes`);
          await setValve(arena, { ...change, scope, closed: false });
        }
        await arena.rows(
          "insert into sluice.valve (kind, service, closed, generation, changed_at) values ('breaker', 'other', true, 9, sluice.now())",
        );
        must((await closedLanes(arena)).lanes.length === 0, "another service's covers nothing");
      },
    };
  },
};

const registering: Scenario = {
  name: "two processes that start at once register the same pipeline and lane",
  async prepare(arena) {
    const got: string[] = [];
    const script = (cap: number) => async (db: Database) => {
      const { id } = await registerPipeline(db, "new", 1, { shape: "s", stages: ["a"] });
      got.push(`${id}/${(await registerLane(db, id, plainLane(0, cap))).id}`);
    };
    await arena.rows(
      "delete from sluice.lane l using sluice.pipeline p where p.id = l.pipeline_id and p.name = 'new'; delete from sluice.pipeline where name = 'new'",
    );
    return {
      sessions: { one: script(1), two: script(2) },
      check: () => must(new Set(got).size === 1, `one row each: ${got}`),
    };
  },
};

export const operating = [
  twoRetries,
  retryAndCancel,
  retryRules,
  cancelRules,
  largeFamily,
  twoValves,
  sameValve,
  closing,
  registering,
];
