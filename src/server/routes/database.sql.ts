// The database as people ask about it.

import type { Queryable, Statement } from "../../engine/index.ts";

export interface DatabaseFacts {
  readonly at: Date;
  readonly version: string;
  readonly bytes: number;
}

const FACTS: Statement = {
  name: "database-facts",
  text: `
select sluice.now() as at, current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes`,
};

export async function databaseFacts(db: Queryable): Promise<DatabaseFacts> {
  const [facts] = await db.query<DatabaseFacts>(FACTS, []);
  return facts as DatabaseFacts; // there is always one row
}
