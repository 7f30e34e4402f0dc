// What stayed outside when its stage was done: who may owe it, and for how long it is remembered.

import { forgetIntents, oweStaying, unownedKeys } from "../../../src/engine/items/intent.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import type { Arena } from "../arena.ts";
import { ANNA, countOf, must } from "../play.ts";
import { openFarm, put, standingOf, takenAfar } from "../play-afar.ts";
import type { Scenario } from "../scenario.ts";

type Standing = "open" | "owed" | "over" | "cleaned up";

/** Written as if long ago. */
async function stayed(arena: Arena, key: string, item: string, standing: Standing): Promise<void> {
  await put(arena, key, item, standing === "cleaned up" ? "owed" : standing);
  const over = standing === "cleaned up" ? ", over_at = intended_at" : "";
  await arena.rows(`update sluice.intent set stays = true${over} where key = $1`, [key]);
}

const all = ["open", "owed", "over", "cleaned up"] as const;

const owedOnce: Scenario = {
  name: "what stayed of a request is owed once, and nothing else of it",
  async prepare(arena) {
    await openFarm(arena, ANNA);
    const [row, other] = await takenAfar(arena, ANNA, 2);
    const id = row?.id ?? "";
    for (const standing of all) await stayed(arena, standing, id, standing);
    await put(arena, "plain", id, "over");
    await stayed(arena, "another's", "0", "over");
    const [{ request = "" } = {}] = await arena.rows<{ request: string }>(
      "select request_id::text as request from sluice.item where id = $1",
      [id],
    );
    return {
      sessions: {},
      async check() {
        await oweStaying(arena, [request]);
        must((await standingOf(arena, "over")) === "owed", "what stayed is owed");
        must((await standingOf(arena, "open")) === "open", "what is under way is not");
        must((await standingOf(arena, "cleaned up")) === "over", "nor what was removed before");
        must((await standingOf(arena, "plain")) === "over", "nor what did not stay");
        must((await standingOf(arena, "another's")) === "over", "nor anybody else's");
        const untouched = await countOf(arena, "from sluice.intent where key = 'owed' and owed_at = intended_at");
        must(untouched === 1, "what was owed before is owed since then");
        await cancelItems(arena, [other?.id ?? ""], "person");
        must((await standingOf(arena, "another's")) === "over", "a cancel owes what stayed of its own item alone");
      },
    };
  },
};

const remembered: Scenario = {
  name: "what stays is remembered and owned for as long as its item is there",
  async prepare(arena) {
    await openFarm(arena, ANNA);
    const [row] = await takenAfar(arena, ANNA, 1);
    const id = row?.id ?? "";
    await stayed(arena, "stays", id, "over");
    await stayed(arena, "removed", id, "cleaned up");
    await stayed(arena, "of a gone one", "0", "over");
    await put(arena, "plain", id, "over");
    await arena.rows("update sluice.intent set over_at = over_at - interval '30 days'");
    return {
      sessions: {},
      async check() {
        const unowned = await unownedKeys(arena, ["stays", "removed", "of a gone one", "plain"]);
        must(unowned.toSorted().join() === "of a gone one,plain,removed", `unowned: ${unowned.join()}`);
        await forgetIntents(arena);
        const left = await arena.rows<{ key: string }>("select key from sluice.intent");
        must(left.map(({ key }) => key).join() === "stays", `left: ${left.map(({ key }) => key).join()}`);
      },
    };
  },
};

export const staying = [owedOnce, remembered];
