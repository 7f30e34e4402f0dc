// What the dead leave behind on the server.

import pg from "pg";
import { endLingering } from "../../../src/engine/workers/lingering.sql.ts";
import { sessionName } from "../../../src/engine/workers/session-name.ts";
import type { Arena } from "../arena.ts";
import { ANNA, BERT, countOf, enter, kill, must } from "../play.ts";
import type { Scenario } from "../scenario.ts";

/** A connection of that worker's process, which the server takes to be there for as long as nobody ends it. */
async function connectionOf(arena: Arena, epoch: string, isInTransaction: boolean): Promise<pg.Client> {
  const [database] = await arena.rows<{ name: string }>("select current_database() as name");
  const client = new pg.Client({
    connectionString: arena.server.url(database?.name),
    application_name: sessionName({ host: "here", pid: Number(epoch), pidStarted: "1" }),
  });
  client.on("error", () => undefined);
  await client.connect();
  if (isInTransaction) await client.query("begin");
  return client;
}

const leftBehind: Scenario = {
  name: "only what a dead worker left in the middle of a transaction is ended",
  async prepare(arena) {
    await enter(arena, ANNA, BERT);
    return {
      sessions: {},
      async check() {
        const clients = [
          await connectionOf(arena, ANNA, true),
          await connectionOf(arena, ANNA, false),
          await connectionOf(arena, BERT, true),
        ];
        try {
          must((await endLingering(arena, ANNA)) === 0, "nothing of the living is ended");
          await kill(arena, ANNA);
          must((await endLingering(arena, BERT)) === 0, "nor for somebody else's death");
          must((await endLingering(arena, ANNA)) === 1, "the transaction of the dead is");
          const left = "from pg_stat_activity where datname = current_database() and application_name = $1";
          const nameOf = (pid: string) => sessionName({ host: "here", pid: Number(pid), pidStarted: "1" });
          must((await countOf(arena, left, [nameOf(ANNA)])) === 1, "what rests keeps nothing locked and stays");
          must((await countOf(arena, left, [nameOf(BERT)])) === 1, "so does what others do");
        } finally {
          // One of them is gone, and has nothing more to say.
          await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
        }
      },
    };
  },
};

export const lingering = [leftBehind];
