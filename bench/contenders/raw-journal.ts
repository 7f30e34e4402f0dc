// The practical limit of a chain: hand-written SQL that claims under a lease, writes one row per stage and keeps its
// history, and nothing else. No fence, no request, no events, no priorities.

import pg from "pg";
import type { Contender, Opened, Task } from "../contender.ts";
import { BATCH, CONNECTIONS, chunks, INSERT, type Payload } from "../payload.ts";

export const TABLES = `
create table item (
  id bigint generated always as identity primary key, stage smallint not null default 0, state smallint not null default 0,
  attempts smallint not null default 0, lease_until timestamptz, updated_at timestamptz not null default now(), payload jsonb not null);
create index item_ready on item (stage, id) where state = 0;
create table step (item bigint not null, stage smallint not null, at timestamptz not null default now(), output jsonb, primary key (item, stage))`;

export const SUBMIT = `insert into item (payload) select e from jsonb_array_elements($1::text::jsonb) e`;

export const CLAIM = `
with picked as (select id from item where state = 0 and stage = 0 order by id limit $1 for update skip locked)
update item i set state = 1, attempts = attempts + 1, lease_until = now() + interval '30 s'
from picked where i.id = picked.id
returning i.id, i.stage, i.payload`;

export const FINISH = `
with written as (insert into step (item, stage, output) select id, $2, '{"ok":true}' from unnest($1::bigint[]) u (id) returning 1)
update item set stage = $2 + 1, state = case when $2 = $3 - 1 then 2 else 1 end, updated_at = now()
where id = any ($1::bigint[])`;

/** The little of a driver that is needed, so that the same SQL also runs where there is only one connection. */
export interface Connection {
  query(name: string, text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export const rawJournal: Contender = {
  store: "postgres",
  async open(place, task) {
    const pool = new pg.Pool({ connectionString: place.postgres, max: CONNECTIONS });
    // A database that is dropped ends its connections.
    pool.on("error", () => {});
    const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()));
    const connections = clients.map(
      (client): Connection => ({
        query: async (name, text, values) => (await client.query({ name, text, values: [...values] })).rows,
      }),
    );
    return await openJournal(connections, task, async () => {
      for (const client of clients) client.release();
      await pool.end();
    });
  },
};

export async function openJournal(
  connections: readonly Connection[],
  task: Task,
  close: () => Promise<void>,
): Promise<Opened> {
  const [first] = connections;
  if (first === undefined) throw new Error("no connection");
  for (const [index, table] of TABLES.split(";").entries()) await first.query(`table${index}`, table, []);
  const count = async (sql: string): Promise<number> => Number((await first.query(sql, sql, []))[0]?.n);
  return {
    async submit(from, items) {
      for (const rows of chunks(from, items, INSERT)) await first.query("submit", SUBMIT, [JSON.stringify(rows)]);
    },
    async submitOne(payload) {
      await first.query("submit", SUBMIT, [JSON.stringify([payload])]);
    },
    async work() {
      await Promise.all(connections.map((connection) => drain(connection, task)));
    },
    isEmpty: async () => (await count("select count(*) as n from item where state < 2")) === 0,
    countFinished: () => count("select count(*) as n from step"),
    close,
  };
}

async function drain(connection: Connection, task: Task): Promise<void> {
  for (;;) {
    const rows = await connection.query("claim", CLAIM, [BATCH]);
    if (rows.length === 0) return;
    const ids = rows.map((row) => row.id);
    for (let stage = 0; stage < task.stages; stage += 1) {
      // The column is filled by `submit` alone.
      for (const row of rows) task.visit(row.payload as Payload, stage);
      await connection.query("finish", FINISH, [ids, stage, task.stages]);
    }
  }
}
