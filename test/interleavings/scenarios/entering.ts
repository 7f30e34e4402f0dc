// A few that enter by the shorter statement.

import { type FewItem, insertFew } from "../../../src/engine/intake/few.sql.ts";
import type { Arena } from "../arena.ts";
import { countOf, must } from "../play.ts";
import type { Scenario } from "../scenario.ts";

/** In the first lane of the usual line, unless it is said otherwise. */
function few(arena: Arena, change: Partial<FewItem> = {}): FewItem {
  const { pipeline, lanes } = arena.dictionary.line;
  const [lane = 0] = lanes;
  const given = { nonce: "1", priority: 3, delayMs: 0, owner: null, fairness: null, input: "{}" };
  return { pipeline, lane, total: 1, ...given, ...change };
}

const requests: Scenario = {
  name: "a few that enter together are of the requests they came with",
  async prepare(arena) {
    const enter = (...items: FewItem[]) => insertFew(arena, items, false);
    return {
      sessions: {},
      async check() {
        const rows = await enter(
          few(arena, { total: 2, owner: "ann" }),
          few(arena, { total: null, owner: "ann" }),
          few(arena),
          few(arena, { owner: "bo", delayMs: 60_000 }),
        );
        const [first, second, third, fourth] = rows.map((row) => row.request_id);
        must(first === second && new Set([first, third, fourth]).size === 3, "three requests, the first of two items");
        const owners = await arena.rows<{ owner: string; request_id: string }>(
          "select owner, request_id from sluice.request_owner order by owner",
        );
        must(
          JSON.stringify(owners) ===
            JSON.stringify([first, fourth].map((id, n) => ({ owner: n === 0 ? "ann" : "bo", request_id: id }))),
          "each belongs to who asked for it, once",
        );
        must((await countOf(arena, "from sluice.run where ready_at <= sluice.now()")) === 3, "one comes later");
        must((await countOf(arena, "from sluice.run where reason = 'scheduled'")) === 1, "and says why");
      },
    };
  },
};

export const entering = [requests];
