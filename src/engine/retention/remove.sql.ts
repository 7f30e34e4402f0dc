// Removing whole requests: with their items, keys, questions and what is kept of their journal. Application tables that
// refer to an item go along, are emptied there, or keep it, as their foreign keys say.
//
// Everything of a request is locked first, never waiting for anybody; then a second statement looks once more and removes.
// Whoever acts on an item in between (a retry) waits for it, and then finds nothing.

import type { Queryable, Statement } from "../db/database.ts";

/** Item `i` has ended, and the time of how it ended is over. */
const isPast = `coalesce(
    i.finished_at + (
      select case i.state when 1 then p.keep_done when 2 then p.keep_failed when 3 then p.keep_cancelled end
      from sluice.pipeline p where p.id = i.pipeline_id) <= sluice.now(), false)`;

/**
 * No item `i` is so. A subquery with a limit stays a look-up for each request; as "not exists" it became a hash over all
 * items there are.
 */
const noItem = (isSo: string) => `coalesce((select false from sluice.item i where ${isSo} limit 1), true)`;

/**
 * The time of request `q` is over: that of all its items, and of the item it belongs to. Children and parts are read with
 * their item, so they stay as long as it does.
 */
export const isExpired = `${noItem(`i.request_id = q.id and not ${isPast}`)}
  and ${noItem(`i.id = q.parent_id and not ${isPast}`)}`;

/** Nothing hangs on request `q` any more: no live item, no child, nothing that may exist outside, nobody who waits for it. */
export const isFree = noItem(`i.request_id = q.id and (i.state = 0
      or exists (select from sluice.request c where c.parent_id = i.id)
      or exists (select from sluice.intent n where n.item_id = i.id and n.over_at is null)
      or exists (select from sluice.intent n where n.cleanup_id = i.id and n.over_at is null)
      or exists (select from sluice.waiter w where w.kind = 'item' and w.key = i.id::text))`);

export interface WalkedRow {
  readonly id: string;
  readonly items: number;
  /** It can go. */
  readonly is_over: boolean;
  /** Whatever became of it, it is too young, and so is what comes after. */
  readonly is_young: boolean;
}

const WALK: Statement = {
  name: "walk-requests",
  text: `
select q.id, q.total as items,
  coalesce(q.created_at > sluice.now() - (
    select min(least(p.keep_done, p.keep_failed, p.keep_cancelled)) from sluice.pipeline p), true) as is_young,
  not exists (select from sluice.removal m where m.request_id = q.id) and ${isExpired} and ${isFree} as is_over
from sluice.request q
where q.id > $1
order by q.id
limit $2`,
};

/** Requests in the order they were made. One that something holds is left to those who look after it. */
export async function walkRequests(db: Queryable, after: string, most: number): Promise<WalkedRow[]> {
  return await db.query<WalkedRow>(WALK, [after, most]);
}

const LOCK_ITEMS: Statement = {
  name: "lock-removed-items",
  text: `select id from sluice.item where request_id = any ($1::bigint[]) for update nowait`,
};

const LOCK_KEYS: Statement = {
  name: "lock-removed-keys",
  text: `select key from sluice.unique_key where request_id = any ($1::bigint[]) for update nowait`,
};

/** For the caller's transaction. Throws a conflict when somebody has his hands on any of it. */
export async function lockRequests(tx: Queryable, requests: readonly string[]): Promise<void> {
  await tx.query(LOCK_ITEMS, [requests]);
  await tx.query(LOCK_KEYS, [requests]);
}

const REMOVE: Statement = {
  name: "remove-requests",
  text: `
with gone as materialized (
  select q.id, m.asked_by
  from sluice.request q
  left join sluice.removal m on m.request_id = q.id
  where q.id = any ($1::bigint[]) and (m.asked_by is not null or (${isExpired})) and ${isFree}
),
items as (
  delete from sluice.item where request_id = any (array (select id from gone)) returning id
),
requests as (delete from sluice.request where id = any (array (select id from gone))),
keys as (delete from sluice.unique_key where request_id = any (array (select id from gone))),
questions as (delete from sluice.question where run_id = any (array (select id from items))),
checkpoints as (delete from sluice.checkpoint where run_id = any (array (select id from items))),
notes as (delete from sluice.visit_log where item_id = any (array (select id from items))),
removals as (delete from sluice.removal where request_id = any (array (select id from gone)))
select array (select id::text from gone order by id) as requests, array (select id::text from items) as items,
  array (select id::text from gone where asked_by is not null order by id) as asked`,
};

export interface Removed {
  readonly requests: readonly string[];
  readonly items: readonly string[];
  /** Those that somebody asked to have removed. */
  readonly asked: readonly string[];
}

/** For the transaction that has locked them. Those on which something hangs stay. */
export async function removeLocked(tx: Queryable, requests: readonly string[]): Promise<Removed> {
  const [row] = await tx.query<Removed>(REMOVE, [requests]);
  return row ?? { requests: [], items: [], asked: [] };
}

// What lies in its week goes with its week; taking it out row by row just before would be twice the work.
const FORGET_KEPT: Statement = {
  name: "forget-kept",
  text: `delete from sluice.journal where kept and item_id = any ($1::bigint[])`,
};

export async function forgetKept(tx: Queryable, items: readonly string[]): Promise<void> {
  await tx.query(FORGET_KEPT, [items]);
}

const FORGET_ALL: Statement = {
  name: "forget-journal",
  text: `delete from sluice.journal where item_id = any ($1::bigint[])`,
};

const TELL: Statement = {
  name: "tell-removed",
  text: `
insert into sluice.journal (at, request_id, kind, output)
select sluice.now(), u.id, 38, jsonb_build_object('request', u.name)
from unnest($1::bigint[], $2::text[]) u (id, name)`,
};

/** Nothing is left of what was asked to be removed, but that it was. */
export async function forgetAll(
  tx: Queryable,
  items: readonly string[],
  requests: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  await tx.query(FORGET_ALL, [items]);
  await tx.query(TELL, [requests.map((one) => one.id), requests.map((one) => one.name)]);
}
