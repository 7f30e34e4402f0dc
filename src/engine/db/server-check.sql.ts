// Whether a server may be trusted with the work: new enough, and durable.

import type { Queryable, Statement } from "./database.ts";

export interface ServerFacts {
  readonly version: number;
  readonly fsync: string;
  readonly synchronous_commit: string;
}

const FACTS: Statement = {
  name: "server-facts",
  text: `
select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
  current_setting('synchronous_commit') as synchronous_commit`,
};

export async function serverFacts(db: Queryable): Promise<ServerFacts> {
  const [row] = await db.query<ServerFacts>(FACTS, []);
  return row as ServerFacts;
}
