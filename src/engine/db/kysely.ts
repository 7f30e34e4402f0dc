// Kysely as a writer of typed SELECTs and nothing else: it makes text and parameters, and `Database` runs them. So there
// is one way to the database, which tests and the simulator own, and one place that decides how values are read.

import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type { Queryable } from "./database.ts";
import type { Tables } from "./tables.ts";

/** Begin a query here and end it with `read`. It has no connection: executing it would answer with nothing. */
export const tables: Kysely<Tables> = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** One name, one text: a query whose shape depends on its arguments needs a name for each shape. */
export async function read<Row>(db: Queryable, name: string, query: Compilable<Row>): Promise<Row[]> {
  const { sql, parameters } = query.compile();
  return await db.query<Row>({ name, text: sql }, parameters);
}
