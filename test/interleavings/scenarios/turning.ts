// Taking turns: two who claim by key at once, keys that are limited, and what has waited longest.

import type { Database } from "../../../src/engine/db/database.ts";
import { type ClaimedRow, claim, claimCapped, type Take } from "../../../src/engine/items/claim.sql.ts";
import { AGED_SECONDS, claimAged } from "../../../src/engine/items/claim-aged.sql.ts";
import { claimFair, claimFairProbe } from "../../../src/engine/items/claim-fair.sql.ts";
import { claimFromService, claimThrough } from "../../../src/engine/items/claim-service.sql.ts";
import { setValve } from "../../../src/engine/operate/valve.sql.ts";
import { service } from "../../../src/engine/pipeline/service.ts";
import { registerService, takeProbe } from "../../../src/engine/services/service.sql.ts";
import { byPriority } from "../../../src/engine/workers/turns.ts";
import type { Arena } from "../arena.ts";
import { PER_KEY, TELLER } from "../dictionary.ts";
import { BY_FILE } from "../plans.ts";
import {
  ANNA,
  type Asked,
  advances,
  ask,
  BERT,
  countOf,
  enter,
  kill,
  listed,
  moveBehind,
  must,
  places,
  settled,
  turnsOf,
} from "../play.ts";
import type { Scenario } from "../scenario.ts";

const SUSPECT = "update sluice.run set suspicion = 1 where id = any ($1)";
const limitedTake = byPriority(claimFair);

/** So many of each key. */
async function askKeys(arena: Arena, counts: Readonly<Record<string, number>>, asked: Asked): Promise<string[]> {
  const items: string[] = [];
  for (const [fairness, count] of Object.entries(counts))
    items.push(...(await ask(arena, count, { ...asked, fairness })).items);
  return items;
}

async function withTeller(arena: Arena): Promise<void> {
  await enter(arena, ANNA, BERT);
  await registerService(arena, TELLER, service(TELLER).rules);
}

const ids = (rows: readonly ClaimedRow[]) => rows.map((row) => row.id);

async function keysOf(arena: Arena, where: string): Promise<string> {
  const rows = await arena.rows<{ key: string }>(
    `select i.fairness as key from sluice.run r join sluice.item i on i.id = r.id where ${where} order by 1`,
  );
  return rows.map((row) => row.key).join("");
}

interface Sharing {
  readonly counts: Readonly<Record<string, number>>;
  readonly wants: readonly [anna: number, bert: number];
  readonly isSuspect?: boolean;
}

const sharing: Readonly<Record<string, Sharing>> = {
  "an equal part each": { counts: { a: 2, b: 2, c: 2 }, wants: [4, 4] },
  "what is left over by keys that have less": { counts: { a: 6, b: 1 }, wants: [4, 4] },
  "what is left over by the keys that were looked at": { counts: { a: 1, b: 1 }, wants: [2, 1] },
  "what the dead held": { counts: { a: 3, b: 3 }, wants: [4, 4], isSuspect: true },
};

const shared = Object.entries(sharing).map(
  ([name, { counts, wants, isSuspect }]): Scenario => ({
    name: `two who claim by turns take different rows, and nobody waits: ${name}`,
    async prepare(arena) {
      await enter(arena, ANNA, BERT);
      const { turns } = arena.dictionary;
      const items = await askKeys(arena, counts, { line: turns });
      if (isSuspect) await arena.rows(SUSPECT, [items]);
      const got: ClaimedRow[] = [];
      const claimAs = (epoch: string, wanted: number) => async (db: Database) =>
        db.transaction(async (tx) => got.push(...(await claimFair(tx, turnsOf(...turns.lanes), wanted, epoch))));
      return {
        sessions: { anna: claimAs(ANNA, wants[0]), bert: claimAs(BERT, wants[1]) },
        check({ waits }) {
          const wanted = Math.min(items.length, wants[0] + wants[1]);
          must(got.length === wanted, `${got.length} were claimed, and ${wanted} asked for`);
          must(new Set(ids(got)).size === got.length, "each row is claimed once");
          must(
            got.every((row) => row.version === 1),
            "in its first version",
          );
          must(waits.length === 0, `nobody waits (${waits})`);
        },
      };
    },
  }),
);

const whoMay: Scenario = {
  name: "a claim by turns takes what is due, by key and then by age, above its floor where it goes by age alone",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { turns, line } = arena.dictionary;
    const [lane = 0] = turns.lanes;
    const next = async (most: number, after = "0", floor = 0) =>
      ids(await claimFair(arena, [{ lane, priority: 3, floor, after }], most, ANNA)).join();
    const older = (item: string | undefined, by: string) =>
      arena.rows(`update sluice.run set ready_at = ready_at - interval '${by}' where id = $1`, [item]);
    return {
      sessions: {},
      async check() {
        await ask(arena, 1, { line: turns, fairness: "a", delayMs: 3_600_000 });
        await ask(arena, 1, { line: turns, fairness: "b", priority: 4 });
        await ask(arena, 1, { line, fairness: "c" });
        must((await next(9)) === "", "nothing that is due later, of another priority or another lane");
        const [young, old] = await askKeys(arena, { a: 2 }, { line: turns });
        await older(old, "1 hour");
        await arena.plansBy(BY_FILE);
        must((await next(1)) === old, "the oldest of a key first");
        must((await next(9)) === young, "then the other");
        must((await next(9)) === "", "and nothing twice");
        await arena.plansBy();
        must(
          (await claimFair(arena, turnsOf(...turns.lanes), 9, "1")).length === 0,
          "an unknown worker claims nothing",
        );
        // Without a key they are found by age alone.
        const [first, second, third] = (await ask(arena, 3, { line: turns })).items;
        await older(first, "1 hour");
        await older(third, "30 minutes");
        await moveBehind(arena, "run", first);
        const [now] = await arena.rows<{ at: number }>("select date_part('epoch', sluice.now())::float8 - 600 as at");
        must((await next(9, "0", now?.at)) === second, "nothing below the floor");
        await arena.plansBy(BY_FILE);
        must((await next(1)) === first, "then the oldest");
        must((await next(1)) === third, "and the other");
        await arena.plansBy();
        await ask(arena, 1, { line: turns, delayMs: 3_600_000 });
        must((await next(9)) === "", "and nothing that is due later");
        must((await next(9)) === "", "nor what is leased");
      },
    };
  },
};

const round: Scenario = {
  name: "keys come in a round that begins after the last one",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { turns } = arena.dictionary;
    const [lane = 0] = turns.lanes;
    return {
      sessions: {},
      async check() {
        await askKeys(arena, { a: 3, b: 3, c: 3, d: 3 }, { line: turns });
        let after = "0";
        const served: (string | null)[] = [];
        for (let turn = 0; turn < 12; turn += 1) {
          const [row] = await claimFair(arena, [{ lane, priority: 3, floor: 0, after }], 1, ANNA);
          served.push(row?.fair ?? null);
          after = row?.fair ?? after;
        }
        const rounds = [0, 4, 8].map((from) => listed(served.slice(from, from + 4)));
        must(new Set(served.slice(0, 4)).size === 4, `everybody once (${served})`);
        must(new Set(rounds).size === 1, "then everybody again");
      },
    };
  },
};

const dead: Scenario = {
  name: "the dead claim nothing by turns, nor what is old; suspects come first, the best and oldest of them",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const { turns, limited } = arena.dictionary;
    return {
      sessions: {},
      async check() {
        await kill(arena, ANNA);
        const [young, old, urgent] = [
          ...(await askKeys(arena, { a: 2 }, { line: turns })),
          ...(await askKeys(arena, { z: 1 }, { line: turns, priority: 1 })),
        ];
        const [held] = await askKeys(arena, { a: 1 }, { line: turns, delayMs: 3_600_000 });
        await arena.rows(SUSPECT, [[young, old, urgent, held]]);
        await arena.rows("update sluice.run set ready_at = ready_at - interval '1 hour' where id = $1", [old]);
        await askKeys(arena, { b: 1 }, { line: turns, priority: 1 });
        const next = async (epoch: string) => ids(await claimFair(arena, turnsOf(...turns.lanes), 1, epoch)).join();
        must((await next(ANNA)) === "", "the dead claim nothing");
        must((await claimAged(arena, places(...turns.lanes), 1, ANNA)).length === 0, "nor what has waited");
        await arena.plansBy(BY_FILE);
        must((await next(BERT)) === urgent, "the best first");
        must((await next(BERT)) === old, "then the oldest");
        must((await next(BERT)) === young, "then the other");
        await arena.plansBy();
        const others = ids(await claimFair(arena, turnsOf(...turns.lanes), 9, BERT));
        must(others.length === 1 && others[0] !== held, "what is not due is not claimed");
        const mixed = await askKeys(arena, { a: 4 }, { line: turns });
        await arena.rows(SUSPECT, [mixed.slice(0, 2)]);
        must((await claimFair(arena, turnsOf(...turns.lanes), 4, BERT)).length === 4, "nobody is counted twice");
        // Where keys are limited, what the dead held is no exception.
        const suspects = await askKeys(arena, { a: 3 }, { line: limited });
        await arena.rows(SUSPECT, [suspects]);
        const at = turnsOf(limited.lanes[0] as number);
        must((await claimCapped(arena.db, at, 9, BERT, limitedTake)).length === PER_KEY, "no more than the limit");
      },
    };
  },
};

const limits: Scenario = {
  name: "two who claim where keys are limited never hold more of one than it allows",
  preemptions: 2,
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const { limited } = arena.dictionary;
    await askKeys(arena, { a: 3, b: 1 }, { line: limited });
    await askKeys(arena, { a: 2, b: 3 }, { line: limited, priority: 1 });
    const at = turnsOf(limited.lanes[0] as number).filter(({ priority }) => priority === 1 || priority === 3);
    const claimAs = (epoch: string) => async (db: Database) => await claimCapped(db, at, 9, epoch, limitedTake);
    return {
      sessions: { anna: claimAs(ANNA), bert: claimAs(BERT) },
      async check({ waits }) {
        must((await keysOf(arena, "r.state = 1")) === "aabb", "two of each");
        must((await countOf(arena, "from sluice.run where state = 1 and priority = 1")) === 4, "the better ones");
        must(waits.length === 0, `who finds another claiming does not wait for it (${waits})`);
      },
    };
  },
};

const overfull: Scenario = {
  name: "a key of which more are in a stage than its limit keeps nobody else waiting",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { limited } = arena.dictionary;
    const [lane = 0] = limited.lanes;
    return {
      sessions: {},
      async check() {
        await askKeys(arena, { a: 3 }, { line: limited });
        // As what people let through: it is not held back.
        must((await claim(arena, places(lane), 9, ANNA)).length === PER_KEY + 1, "one more than there may be");
        await askKeys(arena, { a: 1, b: 3 }, { line: limited });
        await claimCapped(arena.db, turnsOf(lane), 9, ANNA, limitedTake);
        must((await keysOf(arena, "r.state = 1")) === "aaabb", "others enter as before");
      },
    };
  },
};

const handedOn: Scenario = {
  name: "what was handed on takes no place of its key, and nobody is handed to where keys are limited",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { limited } = arena.dictionary;
    const at = turnsOf(limited.lanes[0] as number);
    const claims = async () => await claimCapped(arena.db, at, 9, ANNA, limitedTake);
    return {
      sessions: {},
      async check() {
        await askKeys(arena, { a: 5 }, { line: limited });
        const [one] = await claims();
        if (one === undefined) throw new Error("nothing was claimed");
        await settled(arena, [advances(one, limited, { handOff: true })], ANNA, limited.lanes);
        must((await countOf(arena, "from sluice.run where state = 1 and stage = 1")) === 1, "it is in the next stage");
        must((await claims()).length === 1, "its place is free");
        must((await claims()).length === 0, "and then no longer");
        const back = { toStage: 0, toLane: limited.lanes[0] as number, handOff: true };
        const [two] = await arena.rows<ClaimedRow>("select * from sluice.run where state = 1 and stage = 1");
        await settled(arena, [advances(two as ClaimedRow, limited, back)], ANNA, limited.lanes);
        must((await countOf(arena, "from sluice.run where state = 1")) === PER_KEY, "one comes back by the line only");
      },
    };
  },
};

const served: Scenario = {
  name: "two who claim from a service never hold more of one key than it allows",
  preemptions: 2,
  async prepare(arena) {
    await withTeller(arena);
    const { limitedServed } = arena.dictionary;
    await askKeys(arena, { a: 4, b: 1 }, { line: limitedServed });
    const at = turnsOf(limitedServed.lanes[0] as number).filter(({ priority }) => priority === 3);
    const claimAs = (epoch: string) => async (db: Database) =>
      await claimFromService(db, TELLER, at, 9, epoch, limitedTake);
    return {
      sessions: { anna: claimAs(ANNA), bert: claimAs(BERT) },
      check: async () => must((await keysOf(arena, "r.state = 1")) === "aab", "two of one, and the other"),
    };
  },
};

const probed: Scenario = {
  name: "what passes an open breaker is of a key that has a place left",
  async prepare(arena) {
    await withTeller(arena);
    const { limitedServed } = arena.dictionary;
    const at = turnsOf(limitedServed.lanes[0] as number);
    const passes = async () => await claimThrough(arena.db, TELLER, at, ANNA, byPriority(claimFairProbe));
    return {
      sessions: {},
      async check() {
        await askKeys(arena, { a: 2 }, { line: limitedServed });
        await claimFromService(arena.db, TELLER, at, 2, ANNA, limitedTake);
        await askKeys(arena, { a: 2 }, { line: limitedServed, priority: 1 });
        await arena.rows("update sluice.service set is_open = true, probe_at = sluice.now()");
        await arena.rows(
          "insert into sluice.valve (kind, service, closed, generation, changed_at) values ('breaker', $1, true, 1, sluice.now())",
          [TELLER],
        );
        must((await passes()).length === 0, "nobody without the probe");
        await takeProbe(arena, TELLER, ANNA, 60_000);
        must((await passes()).length === 0, "nobody of a key that is full");
        const [b] = await askKeys(arena, { b: 2 }, { line: limitedServed });
        must(ids(await passes()).join() === b, "then one of another key");
      },
    };
  },
};

const aged = [claim, claimAged].map(
  (other): Scenario => ({
    name: `who takes what has waited longest shares it with ${other.name}, and nobody waits`,
    async prepare(arena) {
      await enter(arena, ANNA, BERT);
      const { line } = arena.dictionary;
      const { items } = await ask(arena, 4, { priority: 5 });
      await arena.rows("update sluice.run set ready_at = ready_at - interval '1 hour'");
      const got: ClaimedRow[] = [];
      const claimAs = (epoch: string, take: Take) => async (db: Database) =>
        db.transaction(async (tx) => got.push(...(await take(tx, places(...line.lanes), 2, epoch))));
      return {
        sessions: { anna: claimAs(ANNA, claimAged), bert: claimAs(BERT, other) },
        check({ waits }) {
          must(listed(ids(got)) === listed(items), "each row is claimed once");
          must(waits.length === 0, `nobody waits (${waits})`);
        },
      };
    },
  }),
);

const longest: Scenario = {
  name: "what has been ready for ten minutes is taken by age alone, behind no closed valve",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    return {
      sessions: {},
      async check() {
        const items: string[] = [];
        for (const [index, priority] of [1, 3, 5, 5].entries()) {
          const [item] = (await ask(arena, 1, { priority })).items;
          items.push(item as string);
          const ago = [AGED_SECONDS - 30, AGED_SECONDS + 30, AGED_SECONDS + 60, AGED_SECONDS + 90][index];
          await arena.rows("update sluice.run set ready_at = ready_at - $2 * interval '1 second' where id = $1", [
            item,
            ago,
          ]);
        }
        const next = async () => ids(await claimAged(arena, places(...line.lanes), 1, ANNA)).join();
        const pause = { kind: "pause", scope: { pipeline: "line" }, note: null, actor: "person" };
        await setValve(arena, { ...pause, closed: true });
        must((await next()) === "", "a closed valve holds it");
        must((await claimFair(arena, turnsOf(...line.lanes), 9, ANNA)).length === 0, "and what is claimed by turns");
        await setValve(arena, { ...pause, closed: false });
        must((await claimAged(arena, places(...line.lanes), 1, "1")).length === 0, "an unknown worker claims nothing");
        await arena.plansBy(BY_FILE);
        must((await next()) === items[3], "the oldest first");
        must((await next()) === items[2], "whatever its priority");
        must((await next()) === items[1], "one after the other");
        must((await next()) === "", "and nothing that has not waited so long");
        await arena.plansBy();
        const { limited } = arena.dictionary;
        await askKeys(arena, { a: 1 }, { line: limited });
        const oldOfKeys = async () => (await claimFair(arena, turnsOf(...limited.lanes), 9, ANNA, AGED_SECONDS)).length;
        must((await oldOfKeys()) === 0, "nor where keys are limited");
        await arena.rows("update sluice.run set ready_at = ready_at - interval '1 hour'");
        must((await oldOfKeys()) === 1, "before it has");
      },
    };
  },
};

export const turning: readonly Scenario[] = [
  ...shared,
  whoMay,
  round,
  dead,
  limits,
  overfull,
  handedOn,
  served,
  probed,
  ...aged,
  longest,
];
