// PGlite as a Database: real PostgreSQL in this process, in memory, one session. For unit tests and the simulator only:
// it never calls fsync.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import type { Database, Queryable, Statement } from "../db/database.ts";
import { migrate, schemaText } from "../db/migrate.ts";

const INT8 = 20;
const TIMESTAMPTZ = 1184;
const XID8 = 5069;

const parsers = {
  [INT8]: (value: string) => value,
  [XID8]: (value: string) => value,
  [TIMESTAMPTZ]: (value: string) => (value.endsWith("infinity") ? null : new Date(value)),
};

export interface PgliteDatabase extends Database {
  readonly pglite: PGlite;
}

/** An empty database with the schema in place. The first of a process takes seconds, its copies a fraction of one. */
export async function openPglite(): Promise<PgliteDatabase> {
  const pglite = await PGlite.create({ loadDataDir: await template(), parsers });
  return wrap(pglite);
}

/**
 * What a copy need not bring along, for it is read and filled at every start: the databases that new ones are made from, and
 * buffers for far more than a test writes. Each of the two takes about a quarter off a start.
 */
const LEAN = [
  "update pg_database set datistemplate = false",
  "drop database template0",
  "drop database template1",
  "alter system set shared_buffers = '16MB'",
  "checkpoint",
];

let made: Promise<Blob> | undefined;

/** Made once per machine and schema: seven seconds for initdb in a sandbox are too long for every test file. */
function template(): Promise<Blob> {
  made ??= readTemplate();
  return made;
}

async function readTemplate(): Promise<Blob> {
  const version = createHash("sha256")
    .update(JSON.stringify([schemaText, LEAN, process.versions.node]))
    .digest("hex")
    .slice(0, 16);
  const file = path.join(tmpdir(), `sluice-pglite-${version}.tar`);
  if (existsSync(file)) return new Blob([await readFile(file)]);
  const copy = await makeTemplate();
  // Written beside and renamed, so that nobody reads half of it.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, Buffer.from(await copy.arrayBuffer()));
  await rename(draft, file);
  return copy;
}

async function makeTemplate(): Promise<Blob> {
  const pglite = await PGlite.create();
  const kysely = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite }) });
  await migrate(kysely);
  // Not destroyed through Kysely: that would close the database before it is copied.
  for (const statement of LEAN) await pglite.exec(statement);
  const copy = await pglite.dumpDataDir("none");
  await pglite.close();
  return copy;
}

function wrap(pglite: PGlite): PgliteDatabase {
  return {
    pglite,
    query: (statement, values) => run(pglite, statement, values),
    transaction: (work) =>
      pglite.transaction(async (tx) => {
        const inside: Queryable = { query: (statement, values) => run(tx, statement, values) };
        return await work(inside);
      }),
    listen: (channel, listener) => pglite.listen(channel, (payload) => listener.wake(payload)),
    close: () => pglite.close(),
  };
}

interface Session {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

async function run<Row>(session: Session, statement: Statement, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await session.query(statement.text, values as unknown[]);
  return rows as Row[];
}
