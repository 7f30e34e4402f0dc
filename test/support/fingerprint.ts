// All that is stored, a line for each table: whether anything was changed can be seen by it, and where.

import type { Database } from "../../src/engine/db/database.ts";

export type Fingerprint = { readonly [table: string]: string };

const TABLES = {
  name: "test-tables",
  text: `
select format('%I.%I', schemaname, tablename) as name from pg_tables
where schemaname in ('sluice', 'sluice_server', 'media') order by name`,
};

/** That somebody who is signed in was seen is written down now and then, whatever they ask. */
const BESIDES: { readonly [table: string]: string } = { "sluice_server.session": "seen_at" };

export async function fingerprint(db: Database): Promise<Fingerprint> {
  const tables = await db.query<{ name: string }>(TABLES, []);
  const lines = tables.map(({ name }) => {
    const row = `to_jsonb(t) - '${BESIDES[name] ?? ""}'`;
    return `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtext((${row})::text)), 0) as rows from ${name} t`;
  });
  const text = lines.join("\nunion all\n");
  const found = await db.query<{ name: string; rows: string }>({ name: "test-fingerprint", text }, []);
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows]));
}
