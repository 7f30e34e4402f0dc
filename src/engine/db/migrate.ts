// Brings the schema up to date, once, however many processes start together: one transaction under one lock, so a process
// that loses the race finds everything done, and one that dies half-way leaves nothing behind.
//
// Changes expand first and contract a release later. A newer release may have migrated already; this one goes on working
// as long as the schema says that it may.

import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import * as engine from "./migrations/0001-engine.sql.ts";
import * as outside from "./migrations/0002-outside.sql.ts";
import * as versions from "./migrations/0003-versions.sql.ts";
import * as operations from "./migrations/0004-operations.sql.ts";
import * as finders from "./migrations/0005-finders.sql.ts";
import * as retention from "./migrations/0006-retention.sql.ts";
import * as figures from "./migrations/0007-figures.sql.ts";
import * as handlers from "./migrations/0008-handlers.sql.ts";
import * as fair from "./migrations/0009-fair.sql.ts";
import * as lean from "./migrations/0010-lean.sql.ts";
import * as lists from "./migrations/0011-lists.sql.ts";
import * as measures from "./migrations/0012-measures.sql.ts";
import * as keys from "./migrations/0013-keys.sql.ts";
import * as stages from "./migrations/0014-stages.sql.ts";
import * as finderPause from "./migrations/0015-finder-pause.sql.ts";
import * as notes from "./migrations/0016-notes.sql.ts";
import * as titlesAndTrends from "./migrations/0017-titles-and-trends.sql.ts";
import * as staying from "./migrations/0018-staying.sql.ts";
import * as invitations from "./migrations/0019-invitations.sql.ts";
import * as fewerChecks from "./migrations/0020-fewer-checks.sql.ts";
import { persistently } from "./persistently.ts";
import { isCurrent, SCHEMA_MINIMUM, SCHEMA_VERSION, type SchemaState } from "./schema-state.ts";

const ALL = [
  engine,
  outside,
  versions,
  operations,
  finders,
  retention,
  figures,
  handlers,
  fair,
  lean,
  lists,
  measures,
  keys,
  stages,
  finderPause,
  notes,
  titlesAndTrends,
  staying,
  invitations,
  fewerChecks,
];

/** Changes exactly when the schema does. */
export const schemaText = ALL.map(({ up }) => up).join("\n");
// Any fixed number; "sluice" in ASCII.
const LOCK = 0x736c75696365;

export async function migrate(db: Kysely<unknown>): Promise<void> {
  if (isCurrent(await storedState(db))) return;
  // Workers of the release before are at work: whichever of us the server ends, it was only in the way.
  await persistently(() => inOneTransaction(db), isDeadlock);
}

const isDeadlock = (error: unknown) => error instanceof Error && "code" in error && error.code === "40P01";

async function inOneTransaction(db: Kysely<unknown>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(tx);
    await sql`set local lock_timeout = '60s'`.execute(tx);
    if (isCurrent(await storedState(tx))) return;
    await sql`create schema if not exists sluice`.execute(tx);
    const migrator = new Migrator({
      db: tx,
      provider: { getMigrations: async () => Object.fromEntries(ALL.map(({ name, up }) => [name, fromText(up)])) },
      migrationTableSchema: "sluice",
      migrationTableName: "migration",
      migrationLockTableName: "migration_lock",
    });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    await sql`
      insert into sluice.setting (name, value)
      values ('schema', ${JSON.stringify({ version: SCHEMA_VERSION, minimum: SCHEMA_MINIMUM })}::text::jsonb)
      on conflict (name) do update set value = excluded.value`.execute(tx);
  });
}

async function storedState(tx: Kysely<unknown>): Promise<SchemaState | undefined> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('sluice.setting') is not null as found`.execute(tx);
  if (rows[0]?.found !== true) return undefined;
  const stored = await sql<{ value: SchemaState }>`select value from sluice.setting where name = 'schema'`.execute(tx);
  return stored.rows[0]?.value;
}

/** One statement at a time: not every session takes several at once. In our migrations a statement ends with its line. */
function fromText(text: string): Migration {
  const statements = text.split(/;\s*\n/).filter((statement) => statement.trim() !== "");
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
