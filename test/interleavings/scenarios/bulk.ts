// Operations over many items: fixed once, done by one at a time, counted exactly.

import type { Database } from "../../../src/engine/db/database.ts";
import { runBatch } from "../../../src/engine/operate/batch.ts";
import { matchingPage } from "../../../src/engine/operate/bulk-filter.sql.ts";
import type { Filter } from "../../../src/engine/operate/bulk-filter.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { addSpawned, openMembers, startOperation, stopOperation } from "../../../src/engine/operate/operation.sql.ts";
import { type OperationRow, openOperations } from "../../../src/engine/operate/operation-read.sql.ts";
import type { Action } from "../../../src/engine/operate/plan.ts";
import { forgetSundries } from "../../../src/engine/retention/sundries.sql.ts";
import { Registry } from "../../../src/engine/workers/registry.ts";
import { seededRandom, systemClock } from "../../../src/kit/index.ts";
import type { Arena } from "../arena.ts";
import { ANNA, ask, countOf, enter, kill, listed, must } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const registry = new Registry();
const HOUR_MS = 3_600_000;

async function started(arena: Arena, action: Action, filter: Filter, key: string | null = null): Promise<OperationRow> {
  await arena.db.transaction((tx) => startOperation(tx, { action, filter, actor: "person", key, limit: 100 }));
  const [operation] = await openOperations(arena);
  if (operation === undefined) throw new Error("nothing was started");
  return operation;
}

const batch = (operation: OperationRow) => (db: Database) =>
  runBatch({ db, clock: systemClock, random: seededRandom(1), registry }, operation);

const twoRunners: Scenario = {
  name: "two do the same batch: each item is done and counted once, and nobody waits",
  preemptions: 2,
  async prepare(arena) {
    const { items } = await ask(arena, 2);
    await cancelItems(arena, items.slice(0, 1), "person");
    const operation = await started(arena, { type: "cancel" }, { pipeline: "line" });
    return {
      sessions: { one: batch(operation), two: batch(operation) },
      async check({ waits }) {
        must(waits.length === 0, "nobody waits");
        must(
          (await countOf(arena, "from sluice.operation where done = 1 and refused = 1")) === 1,
          "one done, one refused",
        );
        must((await openOperations(arena)).length === 0, "it is over");
        must((await countOf(arena, "from sluice.journal where kind = 40")) === 2, "which was told, as its beginning");
      },
    };
  },
};

const stopAndRun: Scenario = {
  name: "an operation is stopped while a batch is done: done, or stopped before it began",
  preemptions: 2,
  async prepare(arena) {
    await ask(arena, 2);
    const operation = await started(arena, { type: "cancel" }, { pipeline: "line" });
    const answers: boolean[] = [];
    const stop = async (db: Database) =>
      answers.push(await db.transaction((tx) => stopOperation(tx, operation.id, "person")));
    return {
      sessions: { runner: batch(operation), person: stop },
      async check() {
        const cancelled = await countOf(arena, "from sluice.item where state = 3");
        must(
          (await countOf(arena, "from sluice.operation where done = $1 and stopped = 2 - $1", [cancelled])) === 1,
          "what was not done is stopped",
        );
        must(answers[0] === (cancelled === 0), "and it says which");
        must(!(await arena.db.transaction((tx) => stopOperation(tx, operation.id, "person"))), "over is over");
        must((await countOf(arena, "from sluice.journal where kind = 40")) === 2, "told once");
      },
    };
  },
};

const oneKey: Scenario = {
  name: "two start an operation with the same key: one is there",
  async prepare(arena) {
    await ask(arena, 1);
    const start = (db: Database) =>
      db.transaction((tx) =>
        startOperation(tx, {
          action: { type: "cancel" },
          filter: { pipeline: "line" },
          actor: "x",
          key: "k",
          limit: 9,
        }),
      );
    return {
      sessions: { one: start, two: start },
      check: async () => must((await countOf(arena, "from sluice.operation where total = 1")) === 1, "once"),
    };
  },
};

const family: Scenario = {
  name: "an operation that cancels takes along what lives of what was spawned",
  async prepare(arena) {
    const parent = await ask(arena, 1);
    const children = await ask(arena, 3, { parent: parent.items[0] as string });
    return {
      sessions: {},
      async check() {
        await cancelItems(arena, children.items.slice(0, 1), "person");
        const ids = [...parent.items, children.items[1] as string];
        const operation = await started(arena, { type: "cancel" }, { ids });
        // As after a crash that came before its results were written: one of them is a member already.
        await addSpawned(arena, operation.id, parent.items);
        while (await batch(operation)(arena.db));
        must(
          (await countOf(arena, "from sluice.operation where total = 3 and done = 3")) === 1,
          "three, not the ended one",
        );
        must((await countOf(arena, "from sluice.item where state = 3")) === 4, "all have ended");
      },
    };
  },
};

const whose: Scenario = {
  name: "a retry is left to who has the code, while somebody has it",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const { line, keyed } = arena.dictionary;
        const { items } = await ask(arena, 1);
        const { id } = await started(arena, { type: "cancel" }, { pipeline: "line" });
        const open = async (pipelines: number[] | null) => (await openMembers(arena, id, pipelines, 10)).length;
        must((await open(null)) === 1, "what needs no code");
        must((await open([keyed.pipelineId])) === 0, "another has it");
        must((await open([line.pipeline])) === 1, "it is here");
        await kill(arena, ANNA);
        must((await open([keyed.pipelineId])) === 1, "nobody has it");
        await cancelItems(arena, items, "person");
      },
    };
  },
};

const filters: Scenario = {
  name: "a filter by version and by end",
  async prepare(arena) {
    const { items } = await ask(arena, 2);
    return {
      sessions: {},
      async check() {
        await cancelItems(arena, items.slice(0, 1), "person");
        const found = async (filter: Filter) => listed(await matchingPage(arena, filter, "0", 10));
        must((await found({ version: 2 })) === "", "none of another version");
        must((await found({ version: 1 })) === listed(items), "all of theirs");
        must((await found({ state: ["cancelled"] })) === items[0], "the one that ended so");
        must((await found({ state: ["done"] })) === "", "none otherwise");
        must((await found({ state: ["queued"] })) === items[1], "the one that lives");
      },
    };
  },
};

const forgotten: Scenario = {
  name: "an operation that ends while old ones are forgotten goes with its members, or stays with them",
  preemptions: 1,
  async prepare(arena) {
    await ask(arena, 1);
    const operation = await started(arena, { type: "cancel" }, { pipeline: "line" });
    const limits = { history: 0, audit: HOUR_MS, signals: HOUR_MS };
    return {
      sessions: { runner: batch(operation), sweeper: (db) => forgetSundries(db, limits) },
      async check() {
        must(
          (await countOf(
            arena,
            "from sluice.operation_item m where not exists (select from sluice.operation o where o.id = m.operation_id)",
          )) === 0,
          "no member without its operation",
        );
        await forgetSundries(arena, limits);
        must((await countOf(arena, "from sluice.operation")) === 0, "in the end nothing is left");
      },
    };
  },
};

export const bulk = [twoRunners, stopAndRun, oneKey, family, whose, filters, forgotten];
