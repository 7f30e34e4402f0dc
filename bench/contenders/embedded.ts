// Those that bring their own database: Sluice with its embedded PostgreSQL, which is synced to the disk as any other, and
// PGlite in the process, which writes files but never syncs them.

import { chmodSync } from "node:fs";
import path from "node:path";
import { PGlite, types } from "@electric-sql/pglite";
import { fromPglite } from "pg-boss";
import { openEmbedded } from "../../src/engine/db/embedded/index.ts";
import { openSluice } from "../../src/engine/index.ts";
import type { Contender, Place } from "../contender.ts";
import { openBoss } from "./pg-boss.ts";
import { type Connection, openJournal } from "./raw-journal.ts";
import { openedOn } from "./sluice.ts";
import { pipelineOf } from "./sluice-pipeline.ts";

export const sluiceEmbedded: Contender = {
  store: "own",
  async open({ folder }, task) {
    // PostgreSQL runs as a user of its own when we are root, and has to get in.
    chmodSync(folder, 0o755);
    const database = path.join(folder, "data");
    const pipelines = [pipelineOf(task)];
    const client = await openSluice({ pipelines, database, worker: false });
    const embedded = await openEmbedded({ folder: database, log: () => {} });
    const opened = openedOn(client, task, pipelines[0] ?? pipelineOf(task), {
      url: embedded.url,
      startWorker: (worker) => openSluice({ pipelines, database, worker }),
    });
    return {
      ...opened,
      async close() {
        await opened.close();
        await embedded.leave();
      },
    };
  },
};

export const pgBossOnPglite: Contender = {
  store: "own",
  async open(place, task) {
    const pglite = await openPglite(place);
    return await openBoss(
      { db: fromPglite(pglite), backend: "pglite" },
      {
        task,
        workers: 1,
        rows: async (sql) => (await pglite.query<Record<string, unknown>>(sql)).rows,
        close: () => pglite.close(),
      },
    );
  },
};

export const rawJournalOnPglite: Contender = {
  store: "own",
  async open(place, task) {
    const pglite = await openPglite(place);
    const connection: Connection = {
      query: async (_, text, values) => (await pglite.query<Record<string, unknown>>(text, [...values])).rows,
    };
    return await openJournal([connection], task, () => pglite.close());
  },
};

const openPglite = ({ folder }: Place): Promise<PGlite> =>
  PGlite.create(path.join(folder, "data"), { parsers: { [types.INT8]: (value: string) => value } });
