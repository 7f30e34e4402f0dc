// What is asked of one database, as the server itself counts it: statements, and the pages that they touched.

import type pg from "pg";

/** Loaded in the server and asleep, or every contender would pay for it. */
export const ASLEEP = { shared_preload_libraries: "'pg_stat_statements'", "pg_stat_statements.track": "none" };

export interface Asked {
  readonly statements: number;
  /** Found in memory or read; a page that is touched twice counts twice. */
  readonly buffers: number;
}

export interface Asking {
  /** From nothing again. */
  restart(): Promise<void>;
  /** Of the statements that contain `text`; of all without. */
  read(text?: string): Promise<Asked>;
}

/** Wakes it for sessions that begin after this. `admin` is a connection to another database. */
export async function countStatements(admin: pg.Client, url: string): Promise<Asking> {
  const name = new URL(url).pathname.slice(1);
  await admin.query("create extension if not exists pg_stat_statements");
  await admin.query(`alter database ${name} set pg_stat_statements.track = 'top'`);
  const { rows } = await admin.query("select oid from pg_database where datname = $1", [name]);
  const { oid } = rows[0];
  return {
    async restart() {
      await admin.query("select pg_stat_statements_reset(0, $1::oid, 0)", [oid]);
    },
    async read(text = "") {
      const { rows } = await admin.query(
        `select coalesce(sum(calls), 0)::int as statements, coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int as buffers
         from pg_stat_statements where dbid = $1::oid and strpos(query, $2) > 0`,
        [oid, text],
      );
      return rows[0];
    },
  };
}
