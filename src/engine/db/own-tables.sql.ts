// Tables of those who build on the engine, in a schema of their own beside the engine's. Brought up to date as the engine's are:
// once, however many processes start together, and whole or not at all.

import { InputError } from "../../kit/index.ts";
import type { Database, Queryable, Statement } from "./database.ts";

export interface TableMigration {
  readonly name: string;
  /** Statements, each of which ends with its line. */
  readonly up: string;
}

const SCHEMA_PATTERN = /^[a-z][a-z0-9_]{0,40}$/;
// Any fixed number that is not the engine's own.
const LOCK = 0x736c75696366;

const TAKE_TURN: Statement = { name: "own-tables-turn", text: `select pg_advisory_xact_lock(${LOCK})` };

/** `schema` is yours alone; the engine's is called sluice. */
export async function prepareTables(
  db: Pick<Database, "transaction">,
  schema: string,
  migrations: readonly TableMigration[],
): Promise<void> {
  if (!SCHEMA_PATTERN.test(schema) || schema === "sluice")
    throw new InputError("schema", `schema is a plain name other than sluice, got ${JSON.stringify(schema)}`);
  await db.transaction(async (tx) => {
    await tx.query(TAKE_TURN, []);
    const run = (name: string, text: string) => tx.query({ name: `${schema}-${name}`, text }, []);
    await run("schema", `create schema if not exists ${schema}`);
    await run(
      "migrations",
      `create table if not exists ${schema}.migration (name text primary key, at timestamptz not null)`,
    );
    const done = new Set(await doneIn(tx, schema));
    for (const { name, up } of migrations.filter((one) => !done.has(one.name))) {
      for (const [index, text] of statementsOf(up).entries()) await run(`${name}-${index}`, text);
      await tx.query(
        { name: `${schema}-done`, text: `insert into ${schema}.migration (name, at) values ($1, sluice.now())` },
        [name],
      );
    }
  });
}

async function doneIn(tx: Queryable, schema: string): Promise<string[]> {
  const asked = { name: `${schema}-which`, text: `select name from ${schema}.migration` };
  return (await tx.query<{ name: string }>(asked, [])).map((row) => row.name);
}

function statementsOf(text: string): string[] {
  return text.split(/;\s*\n/).filter((statement) => statement.trim() !== "");
}
