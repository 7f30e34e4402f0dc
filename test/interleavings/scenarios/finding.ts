// Finders of several processes that look for the same things.

import type { Database } from "../../../src/engine/db/database.ts";
import { type EnteredPage, enterPage } from "../../../src/engine/intake/enter-found.ts";
import { failFinder, registerFinders, rewindFinder, takeFinders } from "../../../src/engine/intake/finder.sql.ts";
import type { CheckedPage } from "../../../src/engine/intake/found.ts";
import { checkSubmission } from "../../../src/engine/intake/submission.ts";
import { submit } from "../../../src/engine/intake/submit.ts";
import { seededRandom, systemClock } from "../../../src/kit/index.ts";
import type { Arena } from "../arena.ts";
import { ANNA, BERT, countOf, enter, kill, must } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const NOTHING = { found: 0, fresh: 0, known: 0 };
const later = () => ({ dueInMs: 60_000, goesOn: false });

async function pageOf(arena: Arena, ...keys: string[]): Promise<CheckedPage> {
  const entities = await Promise.all(
    keys.map(async (key) => ({
      ...(await checkSubmission(arena.dictionary.keyed, [{}], { key, unique: "forever" }, systemClock)),
      key,
    })),
  );
  return { entities, found: keys.length, after: JSON.stringify(keys.at(-1)) };
}

async function begin(arena: Arena, ...names: string[]): Promise<void> {
  await enter(arena, ANNA, BERT);
  await registerFinders(
    arena,
    names.map((name) => ({ name, everyMs: 60_000 })),
  );
}

/** Takes it and enters the page, as a worker does. */
async function run(db: Database, name: string, epoch: string, page: CheckedPage): Promise<EnteredPage | undefined> {
  const [taken] = await takeFinders(db, [name], epoch);
  return taken === undefined ? undefined : await enterPage(db, taken, page, seededRandom(1), NOTHING, later);
}

const oneTakes: Scenario = {
  name: "two workers find a finder due: one has it, and enters the page once",
  preemptions: 3,
  async prepare(arena) {
    await begin(arena, "f");
    const page = await pageOf(arena, "a", "b");
    const entered: (EnteredPage | undefined)[] = [];
    const script = (epoch: string) => async (db: Database) => entered.push(await run(db, "f", epoch, page));
    return {
      sessions: { anna: script(ANNA), bert: script(BERT) },
      async check() {
        must(entered.filter((one) => one !== undefined).length === 1, "one of them ran it");
        must((await countOf(arena, "from sluice.item")) === 2, "there are two items");
        must((await countOf(arena, `from sluice.finder where after = '"b"' and epoch is null`)) === 1, "it moved on");
      },
    };
  },
};

const sameEntities: Scenario = {
  name: "two finders and a person hand in the same entity at the same time: it enters once",
  preemptions: 1,
  async prepare(arena) {
    await begin(arena, "f", "g");
    const page = await pageOf(arena, "a", "b");
    const person = (await pageOf(arena, "b")).entities[0];
    const entered: (EnteredPage | undefined)[] = [];
    const script = (name: string, epoch: string) => async (db: Database) =>
      entered.push(await run(db, name, epoch, page));
    return {
      sessions: {
        anna: script("f", ANNA),
        bert: script("g", BERT),
        person: async (db) => person !== undefined && (await submit(db, person, seededRandom(2))),
      },
      async check() {
        must(
          entered.every((one) => one !== undefined),
          "both ran",
        );
        must((await countOf(arena, "from sluice.item")) === 2, "each entity entered once");
        must((await countOf(arena, "from sluice.unique_key")) === 2, "and has its key");
        const fresh = entered.reduce((sum, one) => sum + (one?.totals.fresh ?? 0), 0);
        must(fresh === 1 || fresh === 2, "what was known was counted as known");
      },
    };
  },
};

const takeRules: Scenario = {
  name: "a finder is taken when it is due and nobody who lives has it",
  async prepare(arena) {
    return {
      sessions: {},
      async check() {
        const changes = {
          nothing: [true, "update sluice.finder set due_at = sluice.now() - interval '1 second'"],
          "not due": [false, "update sluice.finder set due_at = sluice.now() + interval '1 minute'"],
          "a long backoff": [false, "update sluice.finder set due_at = sluice.now() + interval '110 minutes'"],
          "a clock set back": [true, "update sluice.finder set due_at = sluice.now() + interval '1 day'"],
          "a living holder": [false, `update sluice.finder set epoch = ${BERT}`],
          "itself as holder": [true, `update sluice.finder set epoch = ${ANNA}`],
          "a dead holder": [true, "update sluice.finder set epoch = 7003"],
        } as const;
        for (const [what, [isTaken, change]] of Object.entries(changes)) {
          await arena.reset();
          await begin(arena, "f");
          await enter(arena, "7003");
          await kill(arena, "7003");
          await arena.rows(change);
          must((await takeFinders(arena, ["f"], ANNA)).length === (isTaken ? 1 : 0), `after ${what}`);
        }
        await arena.reset();
      },
    };
  },
};

const lateHolder: Scenario = {
  name: "a finder's holder that was overtaken, or rewound, enters nothing and fails nothing",
  async prepare(arena) {
    await begin(arena, "f");
    const page = await pageOf(arena, "a");
    return {
      sessions: {},
      async check() {
        const enters = (held: { name: string; version: string }) =>
          enterPage(arena.db, held, page, seededRandom(1), NOTHING, () => ({ dueInMs: 0, goesOn: true }));
        const take = async (epoch: string) => {
          const [taken] = await takeFinders(arena, ["f"], epoch);
          if (taken === undefined) throw new Error("it was not taken");
          return taken;
        };
        const failures = () => countOf(arena, "from sluice.finder where failures > 0");
        const fault = { code: "BROKEN", message: "broken" };
        const first = await take(ANNA);
        await kill(arena, ANNA);
        const second = await take(BERT);
        must((await enters(first)) === undefined, "the one that was overtaken is refused");
        await failFinder(arena, first, fault, 1_000);
        must((await failures()) === 0, "and its failure is no news");
        must((await countOf(arena, "from sluice.item")) === 0, "nothing entered");
        const entered = await enters(second);
        must(entered?.goesOn === true, "the other enters its page");
        must((await enters(second)) === undefined, "and not twice");
        must((await countOf(arena, "from sluice.item")) === 1, "one item entered");
        const held = { name: "f", version: entered?.version ?? "" };
        must(await rewindFinder(arena, "f", "0", "anna"), "somebody rewinds it");
        must((await enters(held)) === undefined, "and the page that began before is refused");
        must(
          (await countOf(arena, "from sluice.finder where after = '0' and epoch is null")) === 1,
          "it stays rewound",
        );
        const third = await take(BERT);
        await failFinder(arena, third, fault, 1_000);
        await failFinder(arena, third, fault, 1_000);
        must((await countOf(arena, "from sluice.finder where failures = 1 and epoch is null")) === 1, "it failed once");
      },
    };
  },
};

const expired: Scenario = {
  name: "a key whose time is over is taken anew by a finder; one whose time is not is known",
  async prepare(arena) {
    await begin(arena, "f");
    const page = await pageOf(arena, "a", "b");
    return {
      sessions: {},
      async check() {
        for (const [key, window] of [
          ["a", "1h"],
          ["b", "1h"],
        ] as const) {
          const one = await checkSubmission(arena.dictionary.keyed, [{}], { key, unique: { window } }, systemClock);
          await submit(arena.db, one, seededRandom(Number.parseInt(key, 36)));
        }
        await arena.rows(
          "update sluice.unique_key set expires_at = sluice.now() - interval '1 second' where key = 'a'",
        );
        const entered = await run(arena.db, "f", ANNA, page);
        must(entered?.totals.fresh === 1 && entered.totals.known === 1, "one is new, one is known");
        must((await countOf(arena, "from sluice.unique_key where key = 'a' and scope = 'forever'")) === 1, "for ever");
        must((await countOf(arena, "from sluice.unique_key where key = 'b' and scope = 'window'")) === 1, "as it was");
      },
    };
  },
};

export const finding = [oneTakes, sameEntities, takeRules, lateHolder, expired];
