// Items that are handed into a request that is open, while others end it or join it.

import type { Database } from "../../../src/engine/db/database.ts";
import { checkSubmission, type Submitted } from "../../../src/engine/intake/submission.ts";
import { submit } from "../../../src/engine/intake/submit.ts";
import { claim } from "../../../src/engine/items/claim.sql.ts";
import { cancelRequest } from "../../../src/engine/operate/cancel.ts";
import { type Leaving, leaveRequest } from "../../../src/engine/operate/leave.ts";
import { formatId, SluiceError, seededRandom, systemClock } from "../../../src/kit/index.ts";
import type { Arena } from "../arena.ts";
import { ANNA, ask, countOf, ends, enter, must, places, settled } from "../play.ts";
import type { Scenario } from "../scenario.ts";

async function hand(db: Database, arena: Arena, request: string, owner: string): Promise<Submitted | "over"> {
  const into = formatId("request", request);
  const submission = await checkSubmission(arena.dictionary.keyed, [{}, {}], { into, owner }, systemClock);
  try {
    return await submit(db, submission, seededRandom(1));
  } catch (error) {
    if (error instanceof SluiceError && error.code === "REQUEST_OVER") return "over";
    throw error;
  }
}

const live = "from sluice.item where state = 0";
const exact = `from sluice.request q where q.id = $1 and q.total = (
  select count(*) from sluice.item i where i.request_id = q.id)
  and q.completed = (select count(*) from sluice.item i where i.request_id = q.id and i.state = 1)
  and q.cancelled = (select count(*) from sluice.item i where i.request_id = q.id and i.state = 3)`;

const againstTheEnd: Scenario = {
  name: "the last item of a request ends while others are handed into it: they are in it, or it was over",
  preemptions: 3,
  async prepare(arena) {
    await enter(arena, ANNA);
    const keyed = await checkSubmission(arena.dictionary.keyed, [{}], { key: "same" }, systemClock);
    await submit(arena.db, keyed, seededRandom(1));
    const [row] = await claim(arena, places(arena.dictionary.keyed.lane), 1, ANNA);
    if (row === undefined) throw new Error("there is one");
    const request = row.request_id;
    let got: Submitted | "over" | undefined;
    return {
      sessions: {
        anna: (db) => settled(db, [ends(row)], ANNA),
        hand: async (db) => {
          got = await hand(db, arena, request, "bob");
        },
      },
      async check() {
        const isOver = got === "over";
        must((await countOf(arena, live)) === (isOver ? 0 : 2), "either none or both of them live");
        must((await countOf(arena, "from sluice.unique_key")) === (isOver ? 0 : 1), "what goes on was never over");
        must((await countOf(arena, exact, [request])) === 1, "the counts are exact");
        const bobs = await countOf(arena, "from sluice.request_owner where request_id = $1 and owner = 'bob'", [
          request,
        ]);
        must(bobs === (isOver ? 0 : 1), "whoever was too late owns nothing of it");
      },
    };
  },
};

const againstACancel: Scenario = {
  name: "a request is cancelled while others are handed into it: nothing of it lives on",
  preemptions: 3,
  async prepare(arena) {
    const { request } = await ask(arena, 1);
    let got: Submitted | "over" | undefined;
    return {
      sessions: {
        cancel: (db) => cancelRequest(db, request, "person"),
        hand: async (db) => {
          got = await hand(db, arena, request, "bob");
        },
      },
      async check() {
        const lives = await countOf(arena, live);
        // Handed in behind the cancel's last look: then it came after it, and nobody was told that it is over.
        must(lives === 0 || (lives === 2 && got !== "over"), "all or nothing of what was handed in");
        must((await countOf(arena, exact, [request])) === 1, "the counts are exact");
      },
    };
  },
};

const againstLeaving: Scenario = {
  name: "the only owner leaves while another hands something in: told to be the last before, or only left after",
  preemptions: 3,
  async prepare(arena) {
    const { request } = await ask(arena, 1);
    await hand(arena.db, arena, request, "ann");
    let told: Leaving | undefined;
    return {
      sessions: {
        ann: async (db) => {
          told = await leaveRequest(db, request, "ann", { actor: "ann", dryRun: false });
        },
        bob: (db) => hand(db, arena, request, "bob"),
      },
      async check() {
        const owners = await countOf(arena, "from sluice.request_owner where request_id = $1", [request]);
        must(owners === (told === "left" ? 1 : 2), "nobody is lost");
        must((await countOf(arena, exact, [request])) === 1, "the counts are exact");
      },
    };
  },
};

export const handingInto: readonly Scenario[] = [againstTheEnd, againstACancel, againstLeaving];
