// One of several who asked for a request leaves it. Its row's lock comes first: of two who leave at once the second one sees
// that it is the last, and whoever joins is there before or after.

import type { Queryable, Statement } from "../db/database.ts";

const LOCK: Statement = {
  name: "lock-shared",
  text: `select id from sluice.request where id = $1 for update`,
};

export interface Shared {
  /** Something of it has not ended. */
  readonly is_open: boolean;
  readonly is_owner: boolean;
  readonly has_others: boolean;
}

// A statement after the lock, so that it sees who left or came while this one waited.
const SHARED: Statement = {
  name: "shared-by",
  text: `
select q.completed + q.failed + q.cancelled < q.total as is_open,
  exists (select from sluice.request_owner o where o.request_id = q.id and o.owner = $2) as is_owner,
  exists (select from sluice.request_owner o where o.request_id = q.id and o.owner <> $2) as has_others
from sluice.request q
where q.id = $1`,
};

/** For a transaction: who else asked for it, which stays so until that ends. Undefined where there is no such request. */
export async function lockShared(tx: Queryable, request: string, owner: string): Promise<Shared | undefined> {
  await tx.query(LOCK, [request]);
  const [row] = await tx.query<Shared>(SHARED, [request, owner]);
  return row;
}

const LEAVE: Statement = {
  name: "leave-request",
  text: `
with gone as (
  delete from sluice.request_owner where request_id = $1 and owner = $2 returning request_id
)
insert into sluice.audit (at, actor, action, request_id, detail)
select sluice.now(), $3, 'leave', request_id, jsonb_build_object('owner', $2::text) from gone`,
};

/** For the transaction that has the lock. */
export async function leaveShared(tx: Queryable, request: string, owner: string, actor: string): Promise<void> {
  await tx.query(LEAVE, [request, owner, actor]);
}
