// Migrates the database at a URL, over a connection of its own: without the short limits that statements have elsewhere.

import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { migrate } from "./migrate.ts";

export async function migrateAt(url: string): Promise<void> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: 10_000,
    application_name: "sluice migrate",
  });
  // A connection that breaks shows in the statement under way; without a listener it would end the process.
  pool.on("error", () => {});
  // The pool listens only while a connection is idle in it, not between two statements of a transaction.
  pool.on("connect", (client) => client.on("error", () => {}));
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrate(kysely);
  } finally {
    await kysely.destroy();
  }
}
