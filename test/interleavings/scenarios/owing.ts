// What is owed outside: by whom, seen to by one, and forgotten only when it is long over.

import type { Database } from "../../../src/engine/db/database.ts";
import { installationName } from "../../../src/engine/db/installation.sql.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import {
  assignCleanup,
  endIntents,
  forgetIntents,
  owedIntents,
  owedServices,
  oweOrphans,
  readIntent,
  unownedKeys,
} from "../../../src/engine/items/intent.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { seededRandom } from "../../../src/kit/index.ts";
import { BARN, FARM } from "../dictionary.ts";
import { BY_FILE } from "../plans.ts";
import { ANNA, BERT, countOf, listed, must } from "../play.ts";
import { keyOf, openFarm, put, standingOf, starting, untouched } from "../play-afar.ts";
import type { Scenario } from "../scenario.ts";

const cancelled: Scenario = {
  name: "a cancel owes what its item may have outside and nothing else",
  async prepare(arena) {
    await openFarm(arena, ANNA);
    const [row, other] = (await starting(arena, ANNA, 2)) as [ClaimedRow, ClaimedRow];
    for (const standing of ["owed", "over", "taken care of"]) await put(arena, `old ${standing}`, row.id, standing);
    return {
      sessions: {},
      async check() {
        await cancelItems(arena, [row.id], "person");
        must((await standingOf(arena, keyOf(row.id))) === "owed", "it is owed");
        must((await standingOf(arena, keyOf(other.id))) === "open", "another item's is not");
        must((await untouched(arena)) === 3, "what was settled before stays as it is");
        must((await standingOf(arena, "old over")) === "over", "over is over");
        await arena.rows("update sluice.intent set cleanup_id = $1 where key <> 'old taken care of'", [other.id]);
        await cancelItems(arena, [other.id], "person");
        must((await standingOf(arena, "old owed")) === "owed", "what it was to clean up is owed again");
        must((await standingOf(arena, "old taken care of")) === "taken care of", "what another does stays its own");
        must((await untouched(arena)) === 3, "since when it was owed first");
        must(
          (await countOf(arena, "from sluice.intent where over_at is not null and cleanup_id = $1", [other.id])) === 1,
          "over is over",
        );
      },
    };
  },
};

const owedOnce: Scenario = {
  name: "two who see to what is owed: each is taken by one of them, the oldest first, and nobody waits",
  // The index has them in this order anyway.
  settings: Object.fromEntries([ANNA, BERT].map((name) => [name, BY_FILE])),
  async prepare(arena) {
    await openFarm(arena, ANNA);
    for (const standing of ["open", "over", "taken care of"]) await put(arena, standing, "0", standing, BARN);
    await arena.rows("update sluice.intent set owed_at = over_at where key = 'over'");
    await put(arena, "young", "0", "owed");
    await put(arena, "old", "0", "owed");
    await arena.rows("update sluice.intent set owed_at = owed_at - interval '1 day' where key = 'old'");
    const got: string[] = [];
    const take = (item: string) => (db: Database) =>
      db.transaction(async (tx) => {
        const owed = await owedIntents(tx);
        got.push(owed.map(({ key }) => key).join(" "));
        const keys = owed.map(({ key }) => key);
        await assignCleanup(
          tx,
          keys,
          keys.map(() => item),
        );
      });
    return {
      sessions: { [ANNA]: take(ANNA), [BERT]: take(BERT) },
      async check({ waits }) {
        must(listed(got) === listed(["", "old young"]), `each is taken once (${got})`);
        must(waits.length === 0, "nobody waits");
        must((await countOf(arena, "from sluice.intent where cleanup_id in (7001, 7002)")) === 2, "both are seen to");
        must((await owedServices(arena)).length === 0, "nothing is left");
        await arena.rows("update sluice.intent set cleanup_id = null where cleanup_id > 1");
        must(listed(await owedServices(arena)) === FARM, "before, something of one service was");
        await arena.rows("delete from sluice.intent where key = 'open'");
      },
    };
  },
};

const unowned: Scenario = {
  name: "a job is owned by what lives or is owed; what nobody owns is owed by that",
  async prepare(arena) {
    await openFarm(arena, ANNA);
    const [row] = (await starting(arena, ANNA, 1)) as [ClaimedRow];
    await put(arena, "over", row.id, "over");
    await put(arena, "owed", "0", "owed");
    await put(arena, "left", "0", "open");
    const all = [keyOf(row.id), "over", "owed", "left", "unknown"];
    const at = { service: FARM, pipeline: arena.dictionary.afar.pipeline, stage: 0 };
    return {
      sessions: {},
      async check() {
        const found = await unownedKeys(arena, all);
        must(listed(found) === listed(["over", "left", "unknown"]), `nobody owns ${found}`);
        await arena.rows("update sluice.intent set cleanup_id = 1 where key = 'over'");
        await oweOrphans(
          arena,
          found.map((key) => ({ key, ref: `job ${key}` })),
          at,
        );
        must((await unownedKeys(arena, all)).length === 0, "now somebody does");
        const owed = await owedIntents(arena);
        must(listed(owed.map((one) => one.key)) === listed([...found, "owed"]), "they are to be removed");
        must((await readIntent(arena, "over"))?.ref === "job over", "under the name they were found by");
        await endIntents(arena, ["unknown", "left"]);
        must((await standingOf(arena, "unknown")) === "over", "what was removed is over");
        await arena.rows("update sluice.intent set over_at = sluice.now() - interval '8 days' where key = 'unknown'");
        await arena.rows("update sluice.intent set over_at = sluice.now() - interval '6 days' where key = 'left'");
        await endIntents(arena, ["unknown", "left"]);
        await forgetIntents(arena);
        const kept = await arena.rows<{ key: string }>("select key from sluice.intent");
        must(
          listed(kept.map((one) => one.key)) === listed(all.filter((key) => key !== "unknown")),
          "since it was first",
        );
      },
    };
  },
};

const named: Scenario = {
  name: "two who name the installation get the same name",
  async prepare(arena) {
    const names: string[] = [];
    const name = (seed: number) => (db: Database) =>
      db.transaction(async (tx) => names.push(await installationName(tx, seededRandom(seed))));
    return {
      sessions: { one: name(1), other: name(2) },
      async check() {
        must(names.length === 2 && names[0] === names[1], `one name (${names})`);
        must((await installationName(arena, seededRandom(3))) === names[0], "for good");
      },
    };
  },
};

export const owing = [cancelled, owedOnce, unowned, named];
