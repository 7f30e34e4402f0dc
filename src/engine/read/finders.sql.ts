// How finders stand, for people.

import type { Queryable, Statement } from "../db/database.ts";

export interface FinderRow {
  readonly name: string;
  readonly every_ms: number;
  readonly due_at: Date;
  readonly after: unknown;
  readonly ran_at: Date | null;
  readonly found: number;
  readonly fresh: number;
  readonly known: number;
  readonly failures: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly is_running: boolean;
  readonly is_paused: boolean;
}

const LIST: Statement = {
  name: "list-finders",
  text: `
select f.name, f.every_ms, f.due_at, f.after, f.ran_at, f.found, f.fresh, f.known, f.failures, f.code, f.message, f.is_paused,
  exists (select from sluice.worker w where w.epoch = f.epoch and w.state = 0) as is_running
from sluice.finder f
order by f.name
limit 1000`,
};

export async function listFinders(db: Queryable): Promise<FinderRow[]> {
  return await db.query<FinderRow>(LIST, []);
}
