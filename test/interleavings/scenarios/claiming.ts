// Taking work: two who want the same rows, and those who may not.

import type { Statement } from "../../../src/engine/db/database.ts";
import { type ClaimedRow, claim, type claimCapped } from "../../../src/engine/items/claim.sql.ts";
import { type Fence, heldBy, reclaim } from "../../../src/engine/items/lease.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { markDead } from "../../../src/engine/workers/worker-row.sql.ts";
import { BY_FILE } from "../plans.ts";
import { ANNA, ask, BERT, countOf, ends, enter, kill, listed, must, places, settled, take, taken } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const disjoint: Scenario = {
  name: "two claims at once take different rows, all of them, and nobody waits",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const { items } = await ask(arena, 6);
    const got: ClaimedRow[] = [];
    const script = (epoch: string) => ({
      [epoch]: async (db: Parameters<typeof claimCapped>[0]) =>
        db.transaction(async (tx) => got.push(...(await claim(tx, places(...arena.dictionary.line.lanes), 4, epoch)))),
    });
    return {
      sessions: { ...script(ANNA), ...script(BERT) },
      check({ waits }) {
        must(listed(got.map((row) => row.id)) === listed(items), "each row is claimed once");
        must(
          got.every((row) => row.version === 1),
          "each row was claimed in its first version",
        );
        must(waits.length === 0, `nobody waits (${waits})`);
      },
    };
  },
};

const claimAndCancel: Scenario = {
  name: "a claim and a cancel: the item ends cancelled, and its holder is refused",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { items } = await ask(arena, 2);
    const accepted: string[] = [];
    let cancelled = 0;
    return {
      sessions: {
        worker: async (db) => {
          const rows = await take(db, arena.dictionary.line, ANNA);
          accepted.push(
            ...(await settled(
              db,
              rows.map((row) => ends(row)),
              ANNA,
            )),
          );
        },
        person: (db) => db.transaction(async (tx) => (cancelled = (await cancelItems(tx, items, "person")).length)),
      },
      async check() {
        must(
          accepted.length + cancelled === items.length,
          `${accepted.length} done and ${cancelled} cancelled make ${items.length}`,
        );
        must((await countOf(arena, "from sluice.item where state = 0")) === 0, "nothing is left over");
      },
    };
  },
};

const dying: Scenario = {
  name: "a worker that is marked dead while it claims keeps nothing",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    await ask(arena, 2);
    return {
      sessions: {
        worker: (db) => db.transaction((tx) => take(tx, arena.dictionary.line, ANNA)),
        sweeper: async (db) => {
          await markDead(db, ANNA, "0");
          await reclaim(db, ANNA);
        },
      },
      async check() {
        await reclaim(arena, ANNA);
        must((await countOf(arena, "from sluice.run where epoch = $1", [ANNA])) === 0, "nothing is left in dead hands");
        must((await take(arena, arena.dictionary.line, ANNA)).length === 0, "the dead claim nothing");
        must((await take(arena, arena.dictionary.line, BERT)).length === 2, "the living take it all");
      },
    };
  },
};

const whoMay: Scenario = {
  name: "a claim takes what is due, in order, above its floor, in its own lanes and priorities",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line, narrow } = arena.dictionary;
    return {
      sessions: {},
      async check() {
        const later = await ask(arena, 1, { delayMs: 3_600_000 });
        const urgent = await ask(arena, 1, { priority: 1 });
        const other = await ask(arena, 1, { line: narrow });
        const [first, second] = [await ask(arena, 1), await ask(arena, 1)];
        await arena.rows("update sluice.run set ready_at = ready_at - interval '1 hour' where id = $1", [
          second.items[0],
        ]);
        const place = (priority: number, floor = 0) => [{ lane: line.lanes[0] as number, priority, floor }];
        const ids = (rows: readonly ClaimedRow[]) => rows.map((row) => row.id).join();
        must((await claim(arena, place(3), 10, "1")).length === 0, "an unknown worker claims nothing");
        const [now] = await arena.rows<{ at: number }>("select date_part('epoch', sluice.now())::float8 - 600 as at");
        must(
          ids(await claim(arena, place(3, now?.at), 10, ANNA)) === first.items[0],
          "what became ready below the floor is not looked at",
        );
        must(ids(await claim(arena, place(3), 10, ANNA)) === second.items[0], "without a floor it is");
        const [early, late] = [await ask(arena, 1), await ask(arena, 1)];
        await arena.rows("update sluice.run set ready_at = ready_at - interval '2 hours' where id = $1", [
          late.items[0],
        ]);
        // The index has them in order; a plan that does without it must too.
        await arena.plansBy(BY_FILE);
        must(ids(await claim(arena, place(3), 1, ANNA)) === late.items[0], "what became ready first is claimed first");
        must(ids(await claim(arena, place(3), 1, ANNA)) === early.items[0], "then the other");
        await arena.plansBy();
        must((await claim(arena, place(3), 10, ANNA)).length === 0, "what is leased, or due later, is not claimed");
        must(ids(await claim(arena, place(1), 10, ANNA)) === urgent.items[0], "a priority is claimed when asked for");
        must(
          (await countOf(arena, "from sluice.run where id = any ($1) and state = 0", [
            [later.items[0], other.items[0]],
          ])) === 2,
          "others stay",
        );
      },
    };
  },
};

const deadHolder: Scenario = {
  name: "what the dead held is taken back, the rest is not",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const dead = await taken(arena, ANNA, [2]);
    const living = await taken(arena, BERT, [2]);
    await ask(arena, 1);
    await kill(arena, ANNA);
    return {
      sessions: {},
      async check() {
        must(
          listed((await heldBy(arena, ANNA, 10)).map((row) => row.id)) === listed(dead.map((row) => row.id)),
          "what it holds is known",
        );
        const asRead = (rows: readonly Fence[]) => ({
          query: <Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> =>
            statement.name === "held-by" ? Promise.resolve([...rows] as Row[]) : arena.query<Row>(statement, values),
        });
        const older = dead.map((row) => ({ id: row.id, version: row.version - 1 }));
        must((await reclaim(asRead(older), ANNA)) === 0, "what moved since it was read is not");
        must((await reclaim(asRead(living), ANNA)) === 0, "nor what another holds");
        must((await reclaim(arena, ANNA)) === dead.length, "all it held is taken back");
        must((await reclaim(arena, ANNA)) === 0, "once");
        must(
          (await countOf(arena, "from sluice.run where epoch = $1", [BERT])) === living.length,
          "the living keep theirs",
        );
        must(
          (await countOf(arena, "from sluice.run where suspicion > 0")) === dead.length,
          "what the dead held is suspect",
        );
        must((await countOf(arena, "from sluice.journal where kind = 10")) === dead.length, "and it is written down");
      },
    };
  },
};

export const claiming = [disjoint, claimAndCancel, dying, whoMay, deadHolder];
