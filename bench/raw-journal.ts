// The practical limit: hand-written SQL for a four-stage chain that claims under a lease, writes one row per stage and
// keeps its history, and nothing else. No fence, no request, no events, no priorities.

import pg from "pg";
import type { Contender } from "./contender.ts";
import { BATCH, CONNECTIONS, payload, STAGES } from "./workload.ts";

const TABLES = `
create table item (
  id bigint generated always as identity primary key, stage smallint not null default 0, state smallint not null default 0,
  attempts smallint not null default 0, lease_until timestamptz, updated_at timestamptz not null default now(), payload jsonb not null);
create index item_ready on item (stage, id) where state = 0;
create table step (item bigint not null, stage smallint not null, at timestamptz not null default now(), output jsonb, primary key (item, stage))`;

const CLAIM = `
with picked as (select id from item where state = 0 and stage = 0 order by id limit $1 for update skip locked)
update item i set state = 1, attempts = attempts + 1, lease_until = now() + interval '30 s'
from picked where i.id = picked.id
returning i.id, i.stage, i.payload`;

const FINISH = `
with written as (insert into step (item, stage, output) select id, $2, '{"ok":true}' from unnest($1::bigint[]) u (id) returning 1)
update item set stage = $2 + 1, state = case when $2 = ${STAGES - 1} then 2 else 1 end, updated_at = now()
where id = any ($1::bigint[])`;

export const rawJournal: Contender = {
  name: "raw journal",
  async prepare(url, count) {
    const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
    pool.on("error", () => {});
    for (const statement of TABLES.split(";")) await pool.query(statement);
    for (let from = 0; from < count; from += 2_000) {
      const rows = Array.from({ length: Math.min(2_000, count - from) }, (_, index) => payload(from + index));
      await pool.query(`insert into item (payload) select e from jsonb_array_elements($1::text::jsonb) e`, [
        JSON.stringify(rows),
      ]);
    }
    return {
      async drain() {
        await Promise.all(Array.from({ length: CONNECTIONS }, () => drainOne(pool)));
      },
      close: () => pool.end(),
    };
  },
};

async function drainOne(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  for (;;) {
    const { rows } = await client.query({ name: "claim", text: CLAIM, values: [BATCH] });
    if (rows.length === 0) break;
    const ids = rows.map((row: { id: string }) => row.id);
    for (let stage = 0; stage < STAGES; stage += 1)
      await client.query({ name: "finish", text: FINISH, values: [ids, stage] });
  }
  client.release();
}
