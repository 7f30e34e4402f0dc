// What goes with an item that ends: keys, checkpoints, and the hint that somebody may wait for it.

import { readChildren } from "../../../src/engine/items/context.sql.ts";
import { saveCheckpoint } from "../../../src/engine/items/lease.sql.ts";
import { type Settlement, settle } from "../../../src/engine/items/settle.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import { ANNA, ask, ends, enter, fails, must, settled, take, taken } from "../play.ts";
import type { Scenario } from "../scenario.ts";

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

export const endings = [freedKey, freedWholly, checkpointsEnd, hints];
