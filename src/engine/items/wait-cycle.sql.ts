// Items that wait for each other, none of them with a time at which it would look again: nothing would ever end that.
// Only who waits without a time has `ready_at` at infinity, and nobody is busy with such an item.

import type { Queryable, Statement } from "../db/database.ts";

/** Longer chains are not followed: a wait has to be written in a moment, however long the queue it joins. */
const LINKS_MOST = 100;

// A parent waits for its children: one of them that waits for the parent closes a circle as well.
const FIND: Statement = {
  name: "find-wait-cycle",
  text: `
with recursive own as materialized (
  select r.id, r.request_id, w.key::bigint as leader
  from sluice.run r
  join sluice.waiter w on w.run_id = r.id
  where r.id = $1 and r.ready_at = 'infinity'
),
chain (id, path) as (
  select leader, array[id, leader] from own
  union all
  select next.id, chain.path || next.id
  from chain
  join sluice.run r on r.id = chain.id and r.ready_at = 'infinity'
  join sluice.waiter w on w.run_id = r.id
  cross join own
  cross join lateral (
    select case
      when w.kind = 'item' then w.key::bigint
      when w.kind = 'children' and w.key = own.request_id::text then own.id end as id) next
  where chain.id <> own.id and next.id is not null and cardinality(chain.path) <= ${LINKS_MOST}
)
select path::text[] as path from chain where id = $1`,
};

/** The ids around the circle that this item's wait for another has just closed, itself first and last. */
export async function findWaitCycle(tx: Queryable, run: string): Promise<readonly string[] | undefined> {
  const [row] = await tx.query<{ path: readonly string[] }>(FIND, [run]);
  return row?.path;
}

// One at a time, so that no order of locks has to be kept. Its waiter stays: the visit that follows writes it anew.
const STIR: Statement = {
  name: "stir-wait-cycle",
  text: `
update sluice.run r
set ready_at = sluice.now(), version = r.version + 1
where r.ready_at = 'infinity' and r.id = any (array (
  select w.run_id
  from sluice.waiter w
  join sluice.waiter back on back.run_id::text = w.key and back.key = w.run_id::text
  join sluice.run one on one.id = w.run_id and one.ready_at = 'infinity'
  join sluice.run other on other.id = back.run_id and other.ready_at = 'infinity'
  where w.kind = 'item' and back.kind = 'item' and w.run_id > back.run_id
  limit 1))
returning r.id`,
};

/** Two that began to wait for each other at the same moment saw nothing of it. One is visited again, and then sees. */
export async function stirWaitCycle(db: Queryable): Promise<{ readonly id: string }[]> {
  return await db.query(STIR, []);
}
