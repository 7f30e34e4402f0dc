// What visits note: while they run, when they are settled, and when their worker is taken for dead.

import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { reclaim } from "../../../src/engine/items/lease.sql.ts";
import {
  addLogs,
  keepLogs,
  LOGS_PER_ITEM,
  type NewLog,
  type WholeLog,
} from "../../../src/engine/items/visit-log.sql.ts";
import { readLogs } from "../../../src/engine/read/logs.ts";
import { formatId } from "../../../src/kit/index.ts";
import type { Arena } from "../arena.ts";
import { ANNA, BERT, countOf, ends, enter, kill, listed, must, settled, take, taken } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const BY_ANNA = { epoch: ANNA, sentAt: 0 };

/** The lines from one number to another, counted from 1. */
function lines(from: number, to: number): Pick<NewLog, "first" | "lines"> {
  const texts = Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
  return { first: from - 1, lines: JSON.stringify(texts.map((text) => ({ ms: 0, level: "info", text }))) };
}

function noted(row: Pick<ClaimedRow, "id" | "version">, from: number, to: number, dropped = 0): NewLog {
  const visit = { item: row.id, version: row.version, stage: 0, attempt: 1, beganAt: 0 };
  return { ...visit, ...lines(from, to), dropped };
}

const whole = (log: NewLog): WholeLog => ({ ...log, isBegun: true });

/** Of each visit of the item, the lines that it is told with. */
async function toldOf(arena: Arena, item: string): Promise<string> {
  const visits = await readLogs(arena, formatId("item", item));
  return visits.map((one) => `${one.visit}: ${one.lines.map(({ n }) => n).join(" ")}`).join("; ");
}

async function twoOf(arena: Arena): Promise<[ClaimedRow, ClaimedRow]> {
  const [one, other] = await taken(arena, ANNA, [2]);
  if (one === undefined || other === undefined) throw new Error("nothing was claimed");
  return [one, other];
}

const settling: Scenario = {
  name: "notes on their way while their visit is settled: each line is told once",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [row, other] = await twoOf(arena);
    await keepLogs(arena, [whole(noted({ ...row, version: 0 }, 1, 1))], 0);
    await addLogs(arena, [noted(row, 1, 2), noted(other, 1, 1)], BY_ANNA);
    return {
      sessions: {
        notes: (db) => addLogs(db, [noted(row, 3, 4)], BY_ANNA),
        settler: (db) =>
          db.transaction(async (tx) => {
            await settled(tx, [ends(row)], ANNA);
            await keepLogs(tx, [whole(noted(row, 1, 5))], 0);
          }),
      },
      async check({ trace }) {
        must((await toldOf(arena, row.id)) === `0: 1; ${row.version}: 1 2 3 4 5`, "all of it, and of the visit before");
        must((await toldOf(arena, other.id)) === `${other.version}: 1`, "and nothing of the other is taken away");
        const isFirst =
          trace.findIndex((step) => step.startsWith("notes: add-logs")) <
          trace.findIndex((step) => step.startsWith("settler: settle"));
        const rows = await countOf(arena, "from sluice.visit_log where item_id = $1 and version > 0", [row.id]);
        must(rows <= 2 && (rows === 1 || !isFirst), "what was written before has made room for the whole");
      },
    };
  },
};

const twoWorkers: Scenario = {
  name: "notes of a worker that was taken for dead: kept if they came before, none after, and those of the next beside them",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const [row] = await twoOf(arena);
    await kill(arena, ANNA);
    await addLogs(arena, [noted(row, 1, 1)], BY_ANNA);
    return {
      sessions: {
        late: (db) => addLogs(db, [noted(row, 2, 2)], BY_ANNA),
        sweeper: (db) => reclaim(db, ANNA),
      },
      async check({ trace }) {
        const isBefore =
          trace.findIndex((step) => step.startsWith("late: add-logs")) <
          trace.findIndex((step) => step.startsWith("sweeper: reclaim"));
        const former = `${row.version}: ${isBefore ? "1 2" : "1"}`;
        must((await toldOf(arena, row.id)) === former, "those that came before");
        const again = (await take(arena, arena.dictionary.line, BERT)).find(({ id }) => id === row.id);
        if (again === undefined) throw new Error("nothing was claimed");
        await addLogs(arena, [noted(row, 3, 3)], BY_ANNA);
        await addLogs(arena, [noted(again, 1, 2)], BY_ANNA);
        must((await toldOf(arena, row.id)) === former, "nothing by who does not have it");
        await addLogs(arena, [noted({ ...again, version: again.version - 1 }, 1, 2)], { ...BY_ANNA, epoch: BERT });
        must((await toldOf(arena, row.id)) === former, "nothing for a visit that is over");
        await addLogs(arena, [noted(again, 1, 2)], { ...BY_ANNA, epoch: BERT });
        must((await toldOf(arena, row.id)) === `${former}; ${again.version}: 1 2`, "each visit its own");
      },
    };
  },
};

const noWaiting: Scenario = {
  name: "notes never wait for a settlement that takes the same rows away, so the two are in no circle",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [row] = await twoOf(arena);
    await addLogs(arena, [noted(row, 1, 1)], BY_ANNA);
    return {
      sessions: {
        notes: (db) => addLogs(db, [noted(row, 2, 2, 1)], BY_ANNA),
        settler: (db) => db.transaction((tx) => keepLogs(tx, [whole(noted(row, 2, 2, 1))], 0)),
      },
      async check({ waits }) {
        must(!waits.some((step) => step.startsWith("notes")), "they skip what is on its way out");
        must((await toldOf(arena, row.id)) === `${row.version}: 2`, "and are told once");
      },
    };
  },
};

const bounds: Scenario = {
  name: "rows of a running visit whose lines have all made room are gone, and no others",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [row, other] = await twoOf(arena);
    return {
      sessions: {},
      async check() {
        await addLogs(arena, [noted(row, 1, 2), noted(other, 1, 2)], BY_ANNA);
        await addLogs(arena, [noted(row, 3, 5)], BY_ANNA);
        await addLogs(arena, [noted(row, 6, 7, 3)], BY_ANNA);
        const rows = await arena.rows<{ first: number }>("select first from sluice.visit_log where item_id = $1", [
          row.id,
        ]);
        must(listed(rows.map(({ first }) => first)) === "2 5", "the first row is gone");
        must(
          (await toldOf(arena, row.id)) === `${row.version}: 4 5 6 7`,
          "and what made room of the second is not told",
        );
        must((await toldOf(arena, other.id)) === `${other.version}: 1 2`, "each visit for itself");
      },
    };
  },
};

const perItem: Scenario = {
  name: "of an item's visits the newest keep their notes",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [row, other] = await twoOf(arena);
    const count = (more: string) => countOf(arena, `from sluice.visit_log where item_id = $1 ${more}`, [row.id]);
    return {
      sessions: {},
      async check() {
        const log = { ...whole(noted(row, 1, 1)), isBegun: false };
        await keepLogs(arena, [{ ...log, item: other.id, version: 1 }], 0);
        for (let version = 1; version <= LOGS_PER_ITEM + 2; version += 1)
          await keepLogs(arena, [{ ...log, version }], 0);
        must((await count("")) === LOGS_PER_ITEM, "so many");
        must((await count("and version <= 2")) === 0, "not the oldest");
        must(
          (await countOf(arena, "from sluice.visit_log where item_id = $1", [other.id])) === 1,
          "and each item its own",
        );
        const version = LOGS_PER_ITEM + 3;
        await arena.rows("update sluice.run set version = $2 where id = $1", [row.id, version]);
        for (let n = 1; n <= 3; n += 1) await addLogs(arena, [noted({ ...row, version }, n, n)], BY_ANNA);
        must((await count("and version <= 3")) === 0, "a running visit makes room for itself");
        must((await count(`and version < ${version}`)) === LOGS_PER_ITEM - 1, "once, however many rows it has");
        await keepLogs(arena, [{ ...log, version: version + 1 }], 0);
        must((await count(`and version <= ${version}`)) === LOGS_PER_ITEM - 1 + 2, "which count as one visit");
        must(
          (await countOf(arena, "from sluice.visit_log where item_id = $1", [other.id])) === 1,
          "and each item its own",
        );
      },
    };
  },
};

export const noting = [settling, twoWorkers, noWaiting, bounds, perItem];
