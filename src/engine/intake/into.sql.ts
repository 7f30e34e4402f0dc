// A request that items are handed into. Its row's lock comes first: while it is held nothing of the request ends, so one that is
// open stays open until the new items are counted.

import type { Queryable, Statement } from "../db/database.ts";

export interface IntoRow {
  readonly is_open: boolean;
  /** An item made it, for what it spawned or for its parts, and waits for exactly those. */
  readonly is_spawned: boolean;
  readonly is_removed: boolean;
}

const LOCK: Statement = {
  name: "lock-into",
  text: `select id from sluice.request where id = $1 for no key update`,
};

const SEE: Statement = {
  name: "see-into",
  text: `
select q.completed + q.failed + q.cancelled < q.total as is_open, q.parent_id is not null as is_spawned,
  exists (select from sluice.removal m where m.request_id = q.id and m.asked_by is not null) as is_removed
from sluice.request q
where q.id = $1`,
};

/** Undefined where there is no such request. */
export async function seeInto(db: Queryable, request: string): Promise<IntoRow | undefined> {
  const [row] = await db.query<IntoRow>(SEE, [request]);
  return row;
}

/** For a transaction. A statement after the lock sees what ended while this one waited. */
export async function lockInto(tx: Queryable, request: string): Promise<IntoRow | undefined> {
  await tx.query(LOCK, [request]);
  return await seeInto(tx, request);
}
