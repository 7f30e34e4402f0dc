// Two who hand in the same thing.

import type { Database } from "../../../src/engine/db/database.ts";
import { checkSubmission, type SubmitOptions, type Submitted } from "../../../src/engine/intake/submission.ts";
import { submit } from "../../../src/engine/intake/submit.ts";
import { expireKeys, joinOwner } from "../../../src/engine/intake/unique-key.sql.ts";
import { claim } from "../../../src/engine/items/claim.sql.ts";
import { parseId, seededRandom, systemClock } from "../../../src/kit/index.ts";
import type { Arena } from "../arena.ts";
import { ANNA, countOf, ends, enter, fails, must, places, settled } from "../play.ts";
import type { Scenario } from "../scenario.ts";

async function hand(db: Database, arena: Arena, options: SubmitOptions): Promise<Submitted> {
  const submission = await checkSubmission(arena.dictionary.keyed, [{}], { key: "same", ...options }, systemClock);
  return await submit(db, submission, seededRandom(1));
}

const live = "from sluice.item where state = 0";

const joinTwice: Scenario = {
  name: "two submissions with one key: one enters, the other joins it",
  preemptions: 3,
  async prepare(arena) {
    const got: Submitted[] = [];
    const script = (owner: string) => async (db: Database) => got.push(await hand(db, arena, { owner }));
    return {
      sessions: { one: script("one"), two: script("two") },
      async check() {
        must(new Set(got.map((one) => one.request)).size === 1, "both have the same request");
        must(got.filter((one) => one.joined).length === 1, "one of them joined");
        must((await countOf(arena, live)) === 1, "there is one item");
        must((await countOf(arena, "from sluice.request_owner")) === 2, "and both own it");
      },
    };
  },
};

const replaceTwice: Scenario = {
  name: "two submissions that replace: the last one lives, the others are cancelled",
  preemptions: 2,
  async prepare(arena) {
    await hand(arena.db, arena, {});
    const got: Submitted[] = [];
    const script = async (db: Database) => got.push(await hand(db, arena, { onConflict: "replace" }));
    return {
      sessions: { one: script, two: script },
      async check() {
        must(
          got.every((one) => !one.joined),
          "nobody joined",
        );
        must((await countOf(arena, live)) === 1, "one item lives");
        must((await countOf(arena, "from sluice.item where state = 3")) === 2, "two were cancelled");
        must(
          (await countOf(
            arena,
            "from sluice.unique_key k join sluice.item i on i.request_id = k.request_id where i.state = 0",
          )) === 1,
          "the living one has the key",
        );
      },
    };
  },
};

const rescheduleTwice: Scenario = {
  name: "two submissions that reschedule, against a claim: moved while it has not begun, never after",
  preemptions: 2,
  async prepare(arena) {
    await enter(arena, ANNA);
    await hand(arena.db, arena, {});
    const script = (delay: string) => (db: Database) => hand(db, arena, { onConflict: "reschedule", delay });
    return {
      sessions: {
        one: script("1h"),
        two: script("2h"),
        worker: async (db) => {
          const rows = await claim(db, places(arena.dictionary.keyed.lane), 10, ANNA);
          if (rows.length === 1)
            must(
              (
                await settled(
                  db,
                  rows.map((row) => ends(row)),
                  ANNA,
                )
              ).length === 1,
              "what is held is not moved",
            );
        },
      },
      async check() {
        const moved = await countOf(arena, "from sluice.journal where kind = 17");
        const waiting = await countOf(
          arena,
          "from sluice.run where ready_at > sluice.now() + interval '50 minutes' and reason = 'scheduled'",
        );
        must((await countOf(arena, live)) === waiting, "it waits, or a new one does, or it is done");
        must(moved <= 2, "and each moved it at most once");
      },
    };
  },
};

const rescheduleRules: Scenario = {
  name: "rescheduling moves only items that have not begun",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const changes = {
          nothing: [true, "update sluice.run set reason = null"],
          "a delay": [true, "update sluice.run set reason = 'scheduled'"],
          "a lease": [false, "update sluice.run set state = 1, epoch = 7001"],
          "a later stage": [false, "update sluice.run set stage = 1"],
          "work begun": [false, "update sluice.run set begun_at = sluice.now()"],
          "an attempt": [false, "update sluice.run set attempts = 1"],
          "a wait": [false, "update sluice.run set reason = 'question'"],
        } as const;
        for (const [what, [isMoved, change]] of Object.entries(changes)) {
          await arena.reset();
          await enter(arena, ANNA);
          await hand(arena.db, arena, {});
          await hand(arena.db, arena, { key: "other" });
          await arena.rows(change);
          await hand(arena.db, arena, { onConflict: "reschedule", delay: "1h" });
          const moved = await countOf(arena, "from sluice.run where ready_at > sluice.now() + interval '50 minutes'");
          must(moved === (isMoved ? 1 : 0), `after ${what}: ${moved} moved`);
          must((await countOf(arena, "from sluice.journal where kind = 17")) === moved, "and that is written down");
        }
        await arena.reset();
      },
    };
  },
};

const windows: Scenario = {
  name: "a key for a time is taken until its time is over",
  async prepare(arena) {
    return {
      sessions: {},
      async check() {
        const first = await hand(arena.db, arena, { unique: { window: "1h" } });
        await hand(arena.db, arena, { key: "for ever", unique: "forever" });
        await hand(arena.db, arena, { key: "live" });
        must(
          (await hand(arena.db, arena, { unique: { window: "1h" } })).request === first.request,
          "within its time it joins",
        );
        await expireKeys(arena);
        must((await countOf(arena, "from sluice.unique_key")) === 3, "housekeeping leaves it alone");
        await arena.rows(
          "update sluice.unique_key set expires_at = sluice.now() - interval '1 second' where scope = 'window'",
        );
        const second = await hand(arena.db, arena, { unique: { window: "1h" } });
        must(second.request !== first.request, "afterwards it does not");
        must((await countOf(arena, live)) === 4, "and the first one lives on");
        await arena.rows(
          "update sluice.unique_key set expires_at = sluice.now() - interval '1 second' where scope = 'window'",
        );
        await expireKeys(arena);
        must(
          (await countOf(arena, "from sluice.unique_key")) === 2,
          "housekeeping takes what is over, and nothing else",
        );
        await joinOwner(arena, parseId("request", second.request, "request"), "somebody");
        await joinOwner(arena, parseId("request", second.request, "request"), "somebody");
        must((await countOf(arena, "from sluice.request_owner")) === 1, "an owner joins once");
      },
    };
  },
};

const joinAndEnd: Scenario = {
  name: "a submission joins while the last item ends: it joins, or enters anew",
  preemptions: 3,
  async prepare(arena) {
    await enter(arena, ANNA);
    await hand(arena.db, arena, {});
    const rows = await claim(arena, places(arena.dictionary.keyed.lane), 10, ANNA);
    let got: Submitted | undefined;
    return {
      sessions: {
        worker: (db) =>
          db.transaction((tx) =>
            settled(
              tx,
              rows.map((row) => ends(row)),
              ANNA,
            ),
          ),
        person: async (db) => (got = await hand(db, arena, { owner: "person" })),
      },
      async check() {
        must((await countOf(arena, live)) === (got?.joined ? 0 : 1), "what did not join lives");
        must((await countOf(arena, "from sluice.unique_key")) === (got?.joined ? 0 : 1), "and has the key");
      },
    };
  },
};

const failedHolder: Scenario = {
  name: "two submissions after all of a request failed: one enters anew with its key, the other joins that",
  preemptions: 3,
  async prepare(arena) {
    await enter(arena, ANNA);
    const first = await hand(arena.db, arena, { unique: "forever" });
    const request = parseId("request", first.request, "request");
    const [row] = await claim(arena, places(arena.dictionary.keyed.lane), 1, ANNA);
    if (row === undefined) throw new Error("nothing was claimed");
    await settled(arena, [fails(row)], ANNA);
    await arena.rows("update sluice.request set total = 2 where id = $1", [request]);
    must((await hand(arena.db, arena, { unique: "forever" })).joined, "not all of it failed: it is joined");
    await arena.rows("update sluice.request set total = 1 where id = $1", [request]);
    const got: Submitted[] = [];
    const submits = async (db: Database) => void got.push(await hand(db, arena, { unique: "forever" }));
    return {
      sessions: { one: submits, two: submits },
      async check() {
        must(got[0]?.request === got[1]?.request && got[0]?.request !== first.request, "both speak of a new one");
        must(got.filter((one) => one.joined).length === 1, "which one of them made");
        must((await countOf(arena, live)) === 1, "it lives");
      },
    };
  },
};

export const intake = [joinTwice, replaceTwice, rescheduleTwice, rescheduleRules, windows, joinAndEnd, failedHolder];
