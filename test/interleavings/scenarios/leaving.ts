// Owners who leave a request that several asked for.

import type { Database } from "../../../src/engine/db/database.ts";
import { joinOwner } from "../../../src/engine/intake/unique-key.sql.ts";
import { cancelRequest } from "../../../src/engine/operate/cancel.ts";
import { type Leaving, leaveRequest } from "../../../src/engine/operate/leave.ts";
import type { Arena } from "../arena.ts";
import { ask, countOf, must } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const live = "from sluice.item where state = 0";
const owners = "from sluice.request_owner where request_id = $1";

async function shared(arena: Arena, ...names: string[]): Promise<string> {
  const { request } = await ask(arena, 1);
  for (const name of names) await joinOwner(arena, request, name);
  return request;
}

function leaves(request: string, owner: string, told: Map<string, Leaving>) {
  return async (db: Database) => {
    const leaving = await leaveRequest(db, request, owner, { actor: owner, dryRun: false });
    told.set(owner, leaving);
    if (leaving === "last") await cancelRequest(db, request, owner);
  };
}

const bothLeave: Scenario = {
  name: "two owners leave at once: one only leaves, and the last one cancels",
  async prepare(arena) {
    const request = await shared(arena, "ann", "bob");
    const told = new Map<string, Leaving>();
    return {
      sessions: { ann: leaves(request, "ann", told), bob: leaves(request, "bob", told) },
      async check() {
        must([...told.values()].sort().join() === "last,left", "one of them is the last");
        must((await countOf(arena, live)) === 0, "nobody wants it, and it is cancelled");
        must((await countOf(arena, owners, [request])) === 1, "whoever cancelled it still sees that");
        must((await countOf(arena, "from sluice.audit where action = 'leave'")) === 1, "who left is written down");
      },
    };
  },
};

const oneJoins: Scenario = {
  name: "the only owner leaves while another joins: told to be the last, or it goes on for the other",
  async prepare(arena) {
    const request = await shared(arena, "ann");
    const told = new Map<string, Leaving>();
    return {
      sessions: {
        ann: async (db) => {
          told.set("ann", await leaveRequest(db, request, "ann", { actor: "ann", dryRun: false }));
        },
        bob: (db) => db.transaction((tx) => joinOwner(tx, request, "bob")),
      },
      async check() {
        const isLast = told.get("ann") === "last";
        must((await countOf(arena, owners, [request])) === (isLast ? 2 : 1), "nobody is lost");
        must((await countOf(arena, live)) === 1, "and nothing is cancelled by leaving");
      },
    };
  },
};

const others: Scenario = {
  name: "whoever is no owner leaves nothing, and what has ended is left by nobody",
  async prepare(arena) {
    const request = await shared(arena, "ann", "bob");
    return {
      sessions: {},
      async check() {
        const leave = (owner: string, dryRun = false) =>
          leaveRequest(arena.db, request, owner, { actor: owner, dryRun });
        must(typeof (await leave("eve")) === "object", "eve has no part in it");
        must((await leave("ann", true)) === "left", "a dry run says what would be");
        must((await countOf(arena, owners, [request])) === 2, "and does nothing");
        await cancelRequest(arena.db, request, "person");
        must(typeof (await leave("ann")) === "object", "it is over");
        must((await countOf(arena, owners, [request])) === 2, "and stays theirs");
      },
    };
  },
};

export const leaving: readonly Scenario[] = [bothLeave, oneJoins, others];
