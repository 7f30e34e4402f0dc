import { saveProgress } from "../../../src/engine/items/lease.sql.ts";
import { resolveCommits } from "../../../src/engine/items/resolve.sql.ts";
import { settle } from "../../../src/engine/items/settle.sql.ts";
import {
  ANNA,
  advances,
  ask,
  BERT,
  countOf,
  ends,
  enter,
  journalled,
  kill,
  must,
  settled,
  taken,
  waits,
} from "../play.ts";
import type { Scenario } from "../scenario.ts";

const handOffRules: Scenario = {
  name: "an item is handed on only while nothing better is ready and the next lane has no cap",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
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
        must(
          finished?.held === false,
          "a worker taken for dead finishes what it has and takes nothing new, though others live",
        );
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
        for (const [late, epoch] of [
          [one, BERT],
          [older(one), ANNA],
        ] as const)
          for (const alone of [ends(late), advances(late, line)])
            must((await settled(arena, [alone], epoch)).length === 0, "and so is either where all go the same way");
        must((await countOf(arena, "from sluice.journal where kind = 9")) === 8, "which is written down as well");
        await saveProgress(arena, [{ ...one, progress: 50 }], BERT);
        await saveProgress(arena, [{ ...older(one), progress: 60 }], ANNA);
        must(
          (await countOf(arena, "from sluice.run where progress is not null")) === 0,
          "nor does their progress count",
        );
        await saveProgress(arena, [{ ...one, progress: 70 }], ANNA);
        must((await countOf(arena, "from sluice.run where progress = 70")) === 1, "the holder's does");
        const half = await settled(arena, [ends(one), advances(older(two), line)], ANNA);
        must(half.join() === one.id, "of a batch, what is the holder's is accepted");
        must((await countOf(arena, "from sluice.journal where kind = 9")) === 9, "and the other alone is written down");
        must((await settled(arena, [advances(two, line)], ANNA)).length === 1, "the holder is accepted");
        await settled(arena, [ends({ ...one, id: "987654321" })], ANNA);
        must((await countOf(arena, "from sluice.journal where kind = 9")) === 9, "of what is gone nothing is told");
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

export const settlements = [handOffRules, staleWrites, quietRepeat, lostReply];
