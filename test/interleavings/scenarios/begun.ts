// What a dead worker held goes first, and by the same rules as everything else.

import type { Database } from "../../../src/engine/db/database.ts";
import { type ClaimedRow, claim } from "../../../src/engine/items/claim.sql.ts";
import { BY_FILE } from "../plans.ts";
import { ANNA, ask, BERT, enter, listed, must, places, take } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const SUSPECT = "update sluice.run set suspicion = 1 where id = any ($1)";

const sharedOut: Scenario = {
  name: "two claims at once share what the dead held, and nobody waits",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const { items } = await ask(arena, 6);
    await arena.rows(SUSPECT, [items]);
    const got: ClaimedRow[] = [];
    const claimAs = (epoch: string) => async (db: Database) =>
      db.transaction(async (tx) => got.push(...(await claim(tx, places(...arena.dictionary.line.lanes), 4, epoch))));
    return {
      sessions: { anna: claimAs(ANNA), bert: claimAs(BERT) },
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

const inOrder: Scenario = {
  name: "of what the dead held only what is idle and due is claimed, the best and oldest first",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    return {
      sessions: {},
      async check() {
        const { line } = arena.dictionary;
        const held = await ask(arena, 1);
        must((await take(arena, line, BERT)).length === 1, "one is in living hands");
        const later = await ask(arena, 1, { delayMs: 3_600_000 });
        const [young, old] = [await ask(arena, 1), await ask(arena, 1)];
        const urgent = await ask(arena, 1, { priority: 1 });
        const all = [held, later, young, old, urgent].flatMap(({ items }) => items);
        await arena.rows(SUSPECT, [all]);
        await arena.rows("update sluice.run set ready_at = ready_at - interval '1 hour' where id = any ($1)", [
          old.items,
        ]);
        // The index has them in order; a plan that does without it must too.
        await arena.plansBy(BY_FILE);
        const next = async () => (await take(arena, line, ANNA, 1)).map((row) => row.id).join();
        must((await next()) === urgent.items[0], "the best priority first");
        must((await next()) === old.items[0], "then what became ready first");
        must((await next()) === young.items[0], "then the other");
        must((await next()) === "", "what is leased, or due later, is not claimed");
        await arena.plansBy();
      },
    };
  },
};

export const begun = [sharedOut, inOrder];
