// One item let through a closed valve by a person, and what a rollout's change does to another.

import type { Database } from "../../../src/engine/db/database.ts";
import { claimCapped } from "../../../src/engine/items/claim.sql.ts";
import { claimManual, manualLanes } from "../../../src/engine/items/claim-manual.sql.ts";
import { claimFromService } from "../../../src/engine/items/claim-service.sql.ts";
import { act } from "../../../src/engine/operate/act.ts";
import { NOT_HELD } from "../../../src/engine/operate/plan.ts";
import { rolloutOf, setRollout } from "../../../src/engine/operate/rollout.sql.ts";
import { listValves, setValve } from "../../../src/engine/operate/valve.sql.ts";
import { closedLanes } from "../../../src/engine/workers/registry.sql.ts";
import { seededRandom, systemClock } from "../../../src/kit/index.ts";
import type { Arena } from "../arena.ts";
import { NARROW_CAP, SERVICE } from "../dictionary.ts";
import { BY_FILE } from "../plans.ts";
import {
  ANNA,
  ask,
  BERT,
  countOf,
  ends,
  enter,
  journalled,
  kill,
  listed,
  must,
  places,
  settled,
  take,
} from "../play.ts";
import type { Scenario } from "../scenario.ts";
import { api, failures, prepared, report } from "../service-play.ts";

const random = seededRandom(1);
const off = { kind: "switch", scope: {}, closed: true, note: null, actor: "person" };
/** Undefined when it was done, else why not. */
async function pass(db: Database, item: string | undefined, dryRun = false): Promise<string | undefined> {
  // No pipeline's own code has a say in it.
  const ports = { db, clock: systemClock, random, registry: undefined as never };
  const answer = await act(ports, { type: "run-once" }, item ?? "0", { actor: "person", dryRun });
  return answer.ok ? undefined : answer.reason;
}

async function queued(arena: Arena, count: number, given: Parameters<typeof ask>[2] = {}): Promise<readonly string[]> {
  const { items } = await ask(arena, count, given);
  return items;
}

const twice: Scenario = {
  name: "two who let the same item through: once",
  async prepare(arena) {
    await enter(arena, ANNA);
    const [item] = await queued(arena, 1);
    await setValve(arena, off);
    const answers: (string | undefined)[] = [];
    const script = async (db: Database) => answers.push(await pass(db, item));
    return {
      sessions: { one: script, two: script },
      async check() {
        must(
          answers.toSorted().join() === "it was let through already,",
          `one has done it, the other hears that it is so: ${answers}`,
        );
        must((await journalled(arena, item as string, "let-through")) === 1, "it is written down once");
        must((await countOf(arena, "from sluice.audit where action = 'run-once'")) === 1, "and audited once");
      },
    };
  },
};

const passAndClaim: Scenario = {
  name: "a pass that comes while a worker takes the item takes nothing out of its hands",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line } = arena.dictionary;
    const [item] = await queued(arena, 1);
    await setValve(arena, off);
    const done = { claimed: 0, settled: 0 };
    return {
      sessions: {
        person: (db) => pass(db, item),
        worker: async (db) => {
          await setValve(db, { ...off, closed: false });
          const [row] = await take(db, line, ANNA);
          // While the person writes, its row is locked, and the worker passes by.
          if (row === undefined) return;
          done.claimed += 1;
          done.settled += (await settled(db, [ends(row)], ANNA)).length;
        },
      },
      check: () => must(done.settled === done.claimed, "what was claimed could be settled"),
    };
  },
};

const twoWorkers: Scenario = {
  name: "two workers who take what was let through: each item once, nobody waits",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const items = await queued(arena, 2);
    await setValve(arena, off);
    for (const item of items) await pass(arena.db, item);
    const at = places(arena.dictionary.line.lanes[0] as number);
    const got: string[] = [];
    const script = (epoch: string) => (db: Database) =>
      db.transaction(async (tx) => got.push(...(await claimManual(tx, at, 1, epoch)).map((row) => row.id)));
    return {
      sessions: { [ANNA]: script(ANNA), [BERT]: script(BERT) },
      check({ waits }) {
        must(listed(got) === listed(items), `each of them once: ${got}`);
        must(waits.length === 0, "nobody waited");
      },
    };
  },
};

const inOrder: Scenario = {
  name: "what was let through is taken in the order of all claims, however the rows lie",
  settings: { [ANNA]: BY_FILE },
  async prepare(arena) {
    await enter(arena, ANNA);
    const [late, early] = await queued(arena, 2);
    const [urgent] = await queued(arena, 1, { priority: 1 });
    await setValve(arena, off);
    for (const item of [late, early, urgent]) await pass(arena.db, item);
    await arena.rows("update sluice.run set ready_at = ready_at - interval '1 hour' where id = $1", [early]);
    const got: string[] = [];
    const at = places(arena.dictionary.line.lanes[0] as number);
    return {
      sessions: {
        [ANNA]: async (db) => {
          for (const _ of [1, 2, 3]) got.push(...(await claimManual(db, at, 1, ANNA)).map((row) => row.id));
        },
      },
      check: () => must(got.join() === [urgent, early, late].join(), `the urgent one, then who was first: ${got}`),
    };
  },
};

const rules: Scenario = {
  name: "what was let through, is due and is behind no breaker is taken, by the living, for one visit",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    await kill(arena, BERT);
    const { line } = arena.dictionary;
    const [first, second] = line.lanes as [number, number];
    return {
      sessions: {},
      async check() {
        const [late, early, other] = await queued(arena, 3);
        const [urgent] = await queued(arena, 1, { priority: 1 });
        const [later] = await queued(arena, 1, { delayMs: 60_000 });
        const claimed = async (most: number, epoch = ANNA, lane = first) =>
          (await claimManual(arena, places(lane), most, epoch)).map((row) => row.id);
        must((await pass(arena.db, late)) === NOT_HELD, "nothing holds it");
        await setValve(arena, off);
        must((await pass(arena.db, later)) === NOT_HELD, "its own time has not come");
        must((await pass(arena.db, "999")) === "there is no such item", "there is none of that number");
        must((await pass(arena.db, other, true)) === undefined, "a dry run says yes");
        for (const item of [late, early, urgent]) must((await pass(arena.db, item)) === undefined, "and so it is done");
        must((await countOf(arena, "from sluice.run where is_manual")) === 3, "to those, not in the dry run");
        await arena.rows("update sluice.run set is_manual = true where id = $1", [later]);
        must([...(await manualLanes(arena, [first, second]))].join() === String(first), "in their lane");
        must((await manualLanes(arena, [second])).size === 0, "in no other");
        must((await claimed(9, BERT)).length === 0, "the dead take nothing");
        must((await claimed(9, ANNA, second)).length === 0, "nor anybody from another lane");
        must(listed(await claimed(9)) === listed([late, early, urgent]), "all of them by the living, and no others");
        must((await claimed(9)).length === 0, "what is held is not taken again");
        const rows = await arena.rows<{ id: string; version: number; stage: number; priority: number }>(
          "select id, version, stage, priority from sluice.run where id = any ($1) order by id",
          [[late, early]],
        );
        const [a, b] = rows as [(typeof rows)[0], (typeof rows)[0]];
        const stays = { ended: 0, toStage: 0, toLane: first } as const;
        const waiting = { kind: 4, detail: { reason: "asleep", delayMs: 0 } } as const;
        const choosing = { kind: 21, detail: { delayMs: 0 } } as const;
        await settled(arena, [ends(a, { ...stays, ...waiting }), ends(b, { ...stays, ...choosing })], ANNA);
        must((await claimed(9)).join() === b.id, "one visit, unless that only led to its work");
      },
    };
  },
};

const rationed: Scenario = {
  name: "what was let through finds room like everybody else, and passes no breaker",
  async prepare(arena) {
    await prepared(arena);
    const { served, narrow } = arena.dictionary;
    return {
      sessions: {},
      async check() {
        const items = await queued(arena, 5, { line: served });
        const capped = await queued(arena, 4, { line: narrow });
        await setValve(arena, off);
        for (const item of [...items, ...capped]) must((await pass(arena.db, item)) === undefined, "it is let through");
        const free = places(narrow.lanes[0] as number);
        const inLane = await claimCapped(arena.db, free, 9, ANNA, claimManual);
        must(inLane.length === NARROW_CAP, `a cap holds: ${inLane.length}`);
        const at = places(served.lanes[0] as number);
        const taken = await claimFromService(arena.db, api.name, at, 9, ANNA, claimManual);
        must(taken.length === 3, `a capacity of three holds: ${taken.length}`);
        await settled(
          arena,
          taken.map((row) => ends(row)),
          ANNA,
        );
        await report(arena, (era) => failures(era, 0));
        must((await claimManual(arena, at, 9, ANNA)).length === 0, "a breaker holds them all");
        const refused = await pass(
          arena.db,
          items.find((id) => !taken.some((row) => row.id === id)),
        );
        must(refused?.startsWith(`service ${SERVICE} does not answer`) === true, `and says so: ${refused}`);
        const held = await closedLanes(arena);
        must(held.broken.join() === String(served.lanes[0]), "its lanes are known as such, and no others");
        await setValve(arena, { ...off, closed: false });
        must((await pass(arena.db, items.at(-1)))?.startsWith("service") === true, "with or without a switch");
      },
    };
  },
};

const saidTwice: Scenario = {
  name: "a valve that is closed already is not closed anew; another note is written",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const written = () => countOf(arena, "from sluice.audit");
        await setValve(arena, off);
        const [before] = await listValves(arena);
        await setValve(arena, off);
        must((await written()) === 1, "once");
        await setValve(arena, { ...off, note: "why" });
        const [after] = await listValves(arena);
        must((await written()) === 2 && after?.note === "why", "what is said anew is written");
        must(Number(after?.changed_at) === Number(before?.changed_at), "it has been closed since then");
      },
    };
  },
};

const twoRollouts: Scenario = {
  name: "two rollouts of a pipeline at once: one row, the last to commit holds",
  async prepare(arena) {
    const set = (shares: Record<string, number>) => (db: Database) =>
      db.transaction((tx) => setRollout(tx, { pipeline: "line", shares, note: null, actor: "person" }));
    return {
      sessions: { one: set({ 1: 100 }), two: set({ 1: 50, 2: 50 }) },
      async check({ trace }) {
        const isOne = trace.findLast((step) => step.includes("commit"))?.startsWith("one");
        const shares = await rolloutOf(arena, "line");
        must((await countOf(arena, "from sluice.rollout")) === 1, "one row");
        must(Object.keys(shares ?? {}).length === (isOne ? 1 : 2), "the last to commit holds");
        must((await countOf(arena, "from sluice.audit where action = 'rollout'")) === 2, "both are on record");
        must((await rolloutOf(arena, "narrow")) === undefined, "of that pipeline alone");
      },
    };
  },
};

export const passing: readonly Scenario[] = [
  twice,
  passAndClaim,
  twoWorkers,
  inOrder,
  rules,
  rationed,
  saidTwice,
  twoRollouts,
];
