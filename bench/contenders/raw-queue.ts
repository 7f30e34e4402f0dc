// The practical limit of a queue: one table, claimed under a lease, the last batch finished and the next one claimed in
// one statement. Woken by a notification where one item must not wait.

import pg from "pg";
import type { Contender, Task } from "../contender.ts";
import { BATCH, CONNECTIONS, chunks, INSERT, type Payload, spread } from "../payload.ts";

export const TABLE = `
create table job (
  id bigint generated always as identity primary key, state smallint not null default 0, attempts smallint not null default 0,
  lease_until timestamptz, done_at timestamptz, payload jsonb not null)`;
export const INDEX = `create index job_ready on job (id) where state = 0`;

export const SUBMIT = `insert into job (payload) select e from jsonb_array_elements($1::text::jsonb) e`;

export const SUBMIT_ONE = `
with added as (insert into job (payload) values ($1::text::jsonb))
select pg_notify('job', '')`;

export const FINISH_AND_CLAIM = `
with finished as (update job set state = 2, done_at = now() where id = any ($1::bigint[]) returning 1),
  picked as (select id from job where state = 0 order by id limit $2 for update skip locked)
update job j set state = 1, attempts = attempts + 1, lease_until = now() + interval '30 s'
from picked where j.id = picked.id
returning j.id, j.payload`;

interface Row {
  readonly id: string;
  readonly payload: Payload;
}

export const rawQueue: Contender = {
  store: "postgres",
  async open({ postgres }, task) {
    const pool = new pg.Pool({ connectionString: postgres, max: CONNECTIONS + 2 });
    // A database that is dropped ends its connections.
    pool.on("error", () => {});
    // Two processes may open the same database.
    const { rows } = await pool.query("select to_regclass('job') is null as missing");
    if (rows[0].missing) for (const sql of [TABLE, INDEX]) await pool.query(sql);
    const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()));
    const count = async (states: string): Promise<number> =>
      Number((await pool.query(`select count(*) as n from job where state ${states}`)).rows[0].n);
    return {
      submit: (from, items) =>
        spread(chunks(from, items, INSERT), CONNECTIONS, (list) =>
          pool.query({ name: "submit", text: SUBMIT, values: [JSON.stringify(list)] }),
        ),
      async submitOne(payload) {
        await pool.query({ name: "submit one", text: SUBMIT_ONE, values: [JSON.stringify(payload)] });
      },
      async work() {
        if (task.tuned === "throughput") await Promise.all(clients.map((client) => drain(client, task)));
        else await listen(clients, task);
      },
      isEmpty: async () => (await count("< 2")) === 0,
      countFinished: () => count("= 2"),
      async close() {
        for (const client of clients) client.release(true);
        await pool.end();
      },
    };
  },
};

/** Finishes what it holds and claims again until there is nothing. */
async function drain(client: pg.PoolClient, task: Task): Promise<void> {
  let ids: string[] = [];
  do {
    const values = [ids, BATCH];
    const { rows } = await client.query<Row>({ name: "finish and claim", text: FINISH_AND_CLAIM, values });
    for (const row of rows) task.visit(row.payload, 0);
    ids = rows.map((row) => row.id);
  } while (ids.length > 0);
}

async function listen([listener, client]: readonly pg.PoolClient[], task: Task): Promise<void> {
  if (listener === undefined || client === undefined) throw new Error("two connections are needed");
  let isBusy = false;
  let isAgain = false;
  listener.on("notification", async () => {
    isAgain = true;
    if (isBusy) return;
    isBusy = true;
    while (isAgain) {
      isAgain = false;
      await drain(client, task);
    }
    isBusy = false;
  });
  await listener.query("listen job");
}
