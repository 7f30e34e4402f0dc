// What duties do behind everybody: adding up the journal while others write it, telling what is broken.

import type { Database } from "../../../src/engine/db/database.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { addMeasures } from "../../../src/engine/workers/measures.sql.ts";
import { noteBroken, noteMended } from "../../../src/engine/workers/self-check.sql.ts";
import { tally } from "../../../src/engine/workers/tally.ts";
import type { Arena } from "../arena.ts";
import { ANNA, ask, ends, enter, fails, must, settled, take, taken } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const add = async (db: Database) => await tally(db, { sized: [], sizeOf: () => -1 });

/** The journal ends below the oldest transaction of the whole server, and there may be others at work in it. */
async function addedUp(arena: Arena, wanted: number): Promise<void> {
  const end = performance.now() + 3_000;
  do await add(arena.db);
  while ((await sums(arena)).visits < wanted && performance.now() < end);
}

interface Added {
  readonly visits: number;
  readonly failed: number;
  readonly stayed: number;
  readonly worked: number;
}

async function sums(arena: Arena): Promise<Added> {
  const [row] = await arena.query<Added>(
    {
      name: "tally-sums",
      text: `select (select coalesce(sum(visits), 0)::int from sluice.figure) as visits,
        (select coalesce(sum(failed), 0)::int from sluice.figure) as failed,
        (select coalesce(sum(stayed), 0)::int from sluice.stay) as stayed,
        (select coalesce(sum(worked), 0)::int from sluice.stay) as worked`,
    },
    [],
  );
  return row ?? { visits: -1, failed: -1, stayed: -1, worked: -1 };
}

const together: Scenario = {
  name: "two that add up the same rows count each once, before and after others are written",
  preemptions: 1,
  async prepare(arena) {
    const { line } = arena.dictionary;
    const counted = { pipeline: line.pipeline };
    await enter(arena, ANNA);
    await ask(arena, 2);
    await settled(
      arena,
      (await take(arena, line, ANNA)).map((row) => ends(row, counted)),
      ANNA,
    );
    return {
      sessions: { one: add, two: add },
      async check() {
        await addedUp(arena, 2);
        // A cancel is no visit, whatever stage it says.
        await cancelItems(arena, (await ask(arena, 1)).items, "person");
        await ask(arena, 2);
        const [done, failed] = await take(arena, line, ANNA);
        if (done !== undefined && failed !== undefined)
          await settled(arena, [ends(done, counted), fails(failed, counted)], ANNA);
        await addedUp(arena, 4);
        const found = await sums(arena);
        const { visits, stayed, worked } = found;
        must(visits === 4 && found.failed === 1 && stayed === 3 && worked === 3, `added up: ${JSON.stringify(found)}`);
      },
    };
  },
};

const late: Scenario = {
  name: "what commits late is added up all the same",
  preemptions: 1,
  async prepare(arena) {
    const counted = { pipeline: arena.dictionary.line.pipeline };
    await enter(arena, ANNA);
    // Of two requests: of one, the second would wait for the first, and none could commit late.
    const [first, second] = await taken(arena, ANNA, [1, 1]);
    if (first === undefined || second === undefined) throw new Error("nothing was taken");
    return {
      sessions: {
        slow: (db) => db.transaction((tx) => settled(tx, [ends(first, counted)], ANNA)),
        quick: (db) => settled(db, [ends(second, counted)], ANNA),
        adding: add,
      },
      async check() {
        await addedUp(arena, 2);
        const { visits } = await sums(arena);
        must(visits === 2, `${visits} of 2 were added up`);
      },
    };
  },
};

const noticed: Scenario = {
  name: "two that find the same check broken, and the same mended, tell each once",
  preemptions: 1,
  async prepare(arena) {
    const look = async (db: Database) => {
      await noteBroken(db, [{ name: "one", place: "0", found: "x" }]);
      await noteMended(db, ["two"]);
    };
    await noteBroken(arena, [{ name: "two", place: "0", found: "y" }]);
    return {
      sessions: { one: look, two: look },
      async check() {
        const rows = await arena.query<{ what: string }>(
          { name: "told", text: "select code || ' ' || reason as what from sluice.journal where kind = 60 order by 1" },
          [],
        );
        const told = rows.map((row) => row.what).join(", ");
        must(told === "BROKEN one, BROKEN two, MENDED two", told);
      },
    };
  },
};

const measured: Scenario = {
  name: "two workers that add to the same measures lose none of them, in whichever order they name them",
  preemptions: 1,
  async prepare(arena) {
    const one = { pipeline: 1, stage: 0, service: "shop", length: 3, times: 2, ms: 10 };
    const rows = [{ ...one, kind: "call" } as const, { ...one, kind: "resume" } as const];
    return {
      sessions: {
        one: (db) => addMeasures(db, rows),
        two: (db) => addMeasures(db, rows.toReversed()),
      },
      async check() {
        const found = await arena.query<{ what: string }>(
          {
            name: "measured",
            text: "select kind || ' ' || times || ' ' || ms as what from sluice.measure order by kind",
          },
          [],
        );
        const told = found.map((row) => row.what).join(", ");
        must(told === "call 4 20, resume 4 20", told);
      },
    };
  },
};

export const tallying: readonly Scenario[] = [together, late, noticed, measured];
