// What a settlement writes, whom it refuses, and what it says about it.

import { readChildren } from "../../../src/engine/items/context.sql.ts";
import { saveCheckpoint, saveProgress } from "../../../src/engine/items/lease.sql.ts";
import { resolveCommits } from "../../../src/engine/items/resolve.sql.ts";
import { type Settlement, settle } from "../../../src/engine/items/settle.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import {
  ANNA,
  advances,
  ask,
  BERT,
  countOf,
  ends,
  enter,
  fails,
  journalled,
  kill,
  must,
  settled,
  take,
  taken,
  waits,
} from "../play.ts";
import type { Scenario } from "../scenario.ts";

const handOffRules: Scenario = {
  name: "an item is handed on only while nothing better is ready and the next lane has no cap",
  async prepare(arena) {
    await enter(arena, ANNA);
    const { line, narrow } = arena.dictionary;
    return {
      sessions: {},
      async check() {
        const handOff = async (served: readonly number[]): Promise<boolean> => {
          const [row] = await taken(arena, ANNA, [1]);
          if (row === undefined) throw new Error("nothing was claimed");
          const [answer] = await settle(arena, [advances(row, line, { handOff: true })], {
            epoch: ANNA,
            servedLanes: served,
          });
          await arena.rows(
            "delete from sluice.run; delete from sluice.item; delete from sluice.request; delete from sluice.journal",
          );
          return answer?.held ?? false;
        };
        must(await handOff(line.lanes), "nothing else is ready");
        const busy = async (priority: number, delayMs: number, lease: boolean): Promise<boolean> => {
          const { items } = await ask(arena, 1, { line: narrow, priority, delayMs });
          if (lease) await arena.rows("update sluice.run set state = 1, epoch = $1 where id = $2", [ANNA, items[0]]);
          return await handOff(narrow.lanes);
        };
        must(!(await busy(1, 0, false)), "something better is ready");
        must(await busy(3, 0, false), "something as good is ready");
        must(await busy(1, 3_600_000, false), "something better is due later");
        must(await busy(1, 0, true), "something better is being done");
        await ask(arena, 1, { line: narrow, priority: 1 });
        must(await handOff(line.lanes), "something better is ready in a lane that is not served");
        const [row] = await taken(arena, ANNA, [1]);
        if (row === undefined) throw new Error("nothing was claimed");
        const toCapped = advances(row, line, { handOff: true, toLane: narrow.lanes[0] as number, toStage: 0 });
        const [answer] = await settle(arena, [toCapped], { epoch: ANNA, servedLanes: [] });
        must(answer?.held === false, "a lane with a cap is entered by claiming only");
        const [late] = await taken(arena, ANNA, [1]);
        if (late === undefined) throw new Error("nothing was claimed");
        await kill(arena, ANNA);
        const [finished] = await settle(arena, [advances(late, line, { handOff: true })], {
          epoch: ANNA,
          servedLanes: [],
        });
        must(finished?.held === false, "a worker taken for dead finishes what it has and takes nothing new");
        await arena.rows(
          "delete from sluice.run; delete from sluice.item; delete from sluice.request; delete from sluice.journal",
        );
      },
    };
  },
};

const staleWrites: Scenario = {
  name: "only the holder writes: another epoch or an older version is refused",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const rows = await taken(arena, ANNA, [2]);
    const { line } = arena.dictionary;
    const [one, two] = rows as [(typeof rows)[0], (typeof rows)[0]];
    return {
      sessions: {},
      async check() {
        must((await settled(arena, [ends(one), advances(two, line)], BERT)).length === 0, "another epoch is refused");
        const older = (row: typeof one) => ({ ...row, version: row.version - 1 });
        must(
          (await settled(arena, [ends(older(one)), advances(older(two), line)], ANNA)).length === 0,
          "an older version is refused",
        );
        must((await countOf(arena, "from sluice.journal where kind = 9")) === 4, "all four are written down");
        await saveProgress(arena, [{ ...one, progress: 50 }], BERT);
        await saveProgress(arena, [{ ...older(one), progress: 60 }], ANNA);
        must(
          (await countOf(arena, "from sluice.run where progress is not null")) === 0,
          "nor does their progress count",
        );
        await saveProgress(arena, [{ ...one, progress: 70 }], ANNA);
        must((await countOf(arena, "from sluice.run where progress = 70")) === 1, "the holder's does");
        must((await settled(arena, [ends(one), advances(two, line)], ANNA)).length === 2, "the holder is accepted");
        must((await countOf(arena, "from sluice.item where state = 1")) === 1, "the one that ended has ended");
      },
    };
  },
};

const quietRepeat: Scenario = {
  name: "a repeated wait leaves no journal row, everything else does",
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [3]);
    const { line } = arena.dictionary;
    const [quiet, loud, plain] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
    return {
      sessions: {},
      async check() {
        const silent = waits(quiet, line, "disk_low");
        await settled(
          arena,
          [
            { ...silent, detail: { ...silent.detail, journal: false } },
            waits(loud, line, "disk_low"),
            advances(plain, line),
          ],
          ANNA,
        );
        must((await journalled(arena, quiet.id, "wait")) === 0, "the repeat is silent");
        must((await journalled(arena, loud.id, "wait")) === 1, "the first is not");
        must((await journalled(arena, plain.id, "done")) === 1, "nor is a plain success");
      },
    };
  },
};

const lostReply: Scenario = {
  name: "after a lost reply the journal tells whether it committed",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    const rows = await taken(arena, ANNA, [4]);
    const { line } = arena.dictionary;
    const [done, handed, open, stolen] = rows as [
      (typeof rows)[0],
      (typeof rows)[0],
      (typeof rows)[0],
      (typeof rows)[0],
    ];
    return {
      sessions: {},
      async check() {
        await settled(arena, [ends(done), advances(handed, line, { handOff: true })], ANNA);
        await arena.rows("update sluice.run set epoch = $1, version = version + 1 where id = $2", [BERT, stolen.id]);
        must((await settled(arena, [ends(stolen)], ANNA)).length === 0, "it is refused");
        // The other holder settles under the same version number: versions alone do not tell holders apart.
        await arena.rows(
          "insert into sluice.journal (at, item_id, epoch, version, kind) values (sluice.now(), $1, $2, $3, 1)",
          [open.id, BERT, open.version],
        );
        const found = await resolveCommits(arena, rows, ANNA);
        const told = (id: string) => JSON.stringify(found.find((one) => one.id === id));
        const says = (id: string, committed: boolean, held_version: number | null) =>
          must(
            told(id) === JSON.stringify({ id, committed, held_version }),
            `${told(id)}: committed ${committed}, held ${held_version}`,
          );
        says(done.id, true, null);
        says(handed.id, true, handed.version + 1);
        says(open.id, false, open.version);
        says(stolen.id, false, null);
        const older = await resolveCommits(arena, [{ id: done.id, version: done.version - 1 }], ANNA);
        must(older[0]?.committed === false, "another version's row is not this one's");
        await arena.rows("delete from sluice.journal where item_id = $1 and epoch = $2", [open.id, BERT]);
      },
    };
  },
};

const freedKey: Scenario = {
  name: "a key for the live is freed when its request is over, others stay",
  async prepare(arena) {
    await enter(arena, ANNA);
    const keep = async (key: string, scope: string) => {
      const given = await ask(arena, 2, { key });
      await arena.rows("insert into sluice.unique_key (pipeline, key, request_id, scope) values ('line', $1, $2, $3)", [
        key,
        given.request,
        scope,
      ]);
      return given;
    };
    return {
      sessions: {},
      async check() {
        const keys = async () =>
          (await arena.rows<{ key: string }>("select key from sluice.unique_key order by key"))
            .map((row) => row.key)
            .join();
        const live = await keep("a-live", "live");
        await keep("b-forever", "forever");
        await keep("c-live", "live");
        const rows = await take(arena, arena.dictionary.line, ANNA);
        const [first, second] = rows.filter((row) => row.request_id === live.request) as [
          (typeof rows)[0],
          (typeof rows)[0],
        ];
        await settled(arena, [ends(first)], ANNA);
        must((await keys()) === "a-live,b-forever,c-live", "a request that is not over keeps its key");
        await cancelItems(arena, [second.id], "person");
        must((await keys()) === "b-forever,c-live", "the last item frees it, cancelled as well as done");
        const rest = rows.filter((row) => row.request_id !== live.request);
        await settled(
          arena,
          rest.slice(0, 3).map((row) => ends(row)),
          ANNA,
        );
        await cancelItems(arena, [(rest[3] as (typeof rows)[0]).id], "person");
        must((await keys()) === "b-forever", "a key for ever stays");
      },
    };
  },
};

const freedWholly: Scenario = {
  name: "settling and cancelling free the keys of exactly the requests they end",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        for (const way of ["settle", "cancel"] as const) {
          const hold = async (key: string, scope: "live" | "forever", total: number) => {
            const given = await ask(arena, total, { key });
            await arena.rows(
              "insert into sluice.unique_key (pipeline, key, request_id, scope) values ('line', $1, $2, $3)",
              [key, given.request, scope],
            );
            return given;
          };
          const over = await hold(`${way}-over`, "live", 1);
          const half = await hold(`${way}-half`, "live", 2);
          const forever = await hold(`${way}-forever`, "forever", 1);
          const rows = await take(arena, arena.dictionary.line, ANNA);
          const ids = [over.items[0], half.items[0], forever.items[0]] as string[];
          const batch = rows.filter((row) => ids.includes(row.id));
          if (way === "settle")
            await settled(
              arena,
              batch.map((row) => ends(row)),
              ANNA,
            );
          else await cancelItems(arena, ids, "person");
          const left = await arena.rows<{ key: string }>(
            "select key from sluice.unique_key where key like $1 order by key",
            [`${way}%`],
          );
          must(
            left.map((row) => row.key).join() === `${way}-forever,${way}-half`,
            `${way}: left are ${left.map((row) => row.key)}`,
          );
        }
      },
    };
  },
};

const checkpointsEnd: Scenario = {
  name: "a checkpoint ends with its item, and is kept for a retry",
  async prepare(arena) {
    await enter(arena, ANNA);
    const rows = await taken(arena, ANNA, [3]);
    const [done, failed, live] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
    return {
      sessions: {},
      async check() {
        for (const row of rows) await saveCheckpoint(arena, row, ANNA, "1");
        await settled(arena, [ends(done), fails(failed)], ANNA);
        const kept = await arena.rows<{ run_id: string }>("select run_id from sluice.checkpoint order by run_id");
        must(
          kept.map((row) => row.run_id).join() === `${failed.id},${live.id}`,
          "the failed and the living keep theirs",
        );
      },
    };
  },
};

const hints: Scenario = {
  name: "a settlement says whether somebody may wait for what it ended",
  async prepare(arena) {
    await enter(arena, ANNA);
    return {
      sessions: {},
      async check() {
        const { line } = arena.dictionary;
        const parent = await ask(arena, 1);
        await ask(arena, 2, { parent: parent.items[0] as string });
        await ask(arena, 1);
        const rows = await take(arena, line, ANNA);
        // Somebody waits, but for a signal.
        await arena.rows("insert into sluice.waiter (run_id, kind, key) values ($1, 'signal', 'door')", [rows[0]?.id]);
        await arena.rows("update sluice.run set flags = 4 where id = $1", [rows[0]?.id]);
        const [, one, two, alone] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
        const says = async (batch: Settlement[]) =>
          (await settle(arena, batch, { epoch: ANNA, servedLanes: [] })).some((row) => row.ends_waits);
        must(!(await says([ends(alone)])), "nobody waits for a request without a parent");
        must(!(await says([ends(one)])), "nor for a child that is not the last");
        must(await says([fails(two, { output: '"no"' })]), "the last child ends its parent's wait");
        const children = await readChildren(arena, [one.request_id]);
        must(children.map((row) => row.state).join() === "1,2", "and the parent can read how they ended");
        must(children[1]?.output === null, "a child that failed hands on nothing");
      },
    };
  },
};

export const settlements = [
  handOffRules,
  staleWrites,
  quietRepeat,
  lostReply,
  freedKey,
  freedWholly,
  hints,
  checkpointsEnd,
];
