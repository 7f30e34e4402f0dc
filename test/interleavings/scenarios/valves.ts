// Valves that are changed at once, and processes that start at once.

import type { Database } from "../../../src/engine/db/database.ts";
import { listValves, setValve } from "../../../src/engine/operate/valve.sql.ts";
import {
  closedLanes,
  findPipelines,
  registerLane,
  registerPipeline,
} from "../../../src/engine/workers/registry.sql.ts";
import { beat } from "../../../src/engine/workers/worker-row.sql.ts";
import type { Arena } from "../arena.ts";
import { plainLane, SERVICE } from "../dictionary.ts";
import { ANNA, BERT, countOf, enter, must } from "../play.ts";
import type { Scenario } from "../scenario.ts";

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
        await arena.rows("update sluice.valve set service = $1 where kind = 'breaker'", [SERVICE]);
        const held = await closedLanes(arena);
        must(held.lanes.join() === String(arena.dictionary.served.lanes[0]), "a service's covers its lanes");
        must(held.stopped.length === 0, "and lets a probe pass");
        await setValve(arena, { ...change, closed: true });
        must((await closedLanes(arena)).stopped.join() === String(arena.dictionary.line.lanes[0]), "a pause does not");
      },
    };
  },
};

async function forget(arena: Arena): Promise<void> {
  await arena.rows(
    "delete from sluice.lane l using sluice.pipeline p where p.id = l.pipeline_id and p.name = 'new'; delete from sluice.pipeline where name = 'new'",
  );
}

const newLane: Scenario = {
  name: "a new lane moves the valves' clock, so that others learn of it; a known one does not",
  async prepare(arena) {
    await forget(arena);
    return {
      sessions: {},
      async check() {
        const generation = async () => (await closedLanes(arena)).generation;
        const { id } = await registerPipeline(arena, "new", 1, { shape: "s", stages: ["a"] });
        await registerLane(arena, id, plainLane(0, 1));
        must((await generation()) === "1", "a new one does");
        const again = await registerLane(arena, id, plainLane(0, 2));
        must(again.cap === 2 && (await generation()) === "1", "one with another cap does not");
        await registerLane(arena, id, { ...plainLane(0, null), service: "other" });
        must((await generation()) === "2", "one of another service does");
        await forget(arena);
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
    await forget(arena);
    return {
      sessions: { one: script(1), two: script(2) },
      check: () => must(new Set(got).size === 1, `one row each: ${got}`),
    };
  },
};

const ownVersions: Scenario = {
  name: "a start finds the versions it was given, and no others",
  async prepare(arena) {
    return {
      sessions: {},
      async check() {
        for (const version of [1, 2]) await registerPipeline(arena, "twice", version, { shape: "s", stages: ["a"] });
        const found = async (...versions: number[]) =>
          (
            await findPipelines(
              arena,
              versions.map((version) => ({ name: "twice", version })),
            )
          ).map((one) => one.version);
        must((await found(2)).join() === "2", "the one it was given");
        must((await found(1, 3)).join() === "1", "of two the one that is there");
      },
    };
  },
};

export const valves = [twoValves, sameValve, closing, newLane, registering, ownVersions];
