// Rows of no request that nobody asks for any more, each kind a batch at a time, oldest first.

import type { Queryable, Statement } from "../db/database.ts";
import type { Limits } from "./policy.sql.ts";

// By id, which is nearly by time: the oldest are looked at, and go if they are old enough. That needs no second index.
const AUDIT: Statement = {
  name: "forget-audit",
  text: `
delete from sluice.audit
where id in (select id from sluice.audit order by id limit 5000) and at < sluice.now() - $1::float8 * interval '1 millisecond'`,
};

const SIGNALS: Statement = {
  name: "forget-signals",
  text: `
delete from sluice.signal
where key in (
  select key from sluice.signal
  where sent_at < sluice.now() - $1::float8 * interval '1 millisecond'
  order by sent_at
  limit 5000)`,
};

// Named in the history as long as there is one. What it held was taken back when it was cleared.
const WORKERS: Statement = {
  name: "forget-workers",
  text: `
delete from sluice.worker
where id in (
  select id from sluice.worker
  where cleared_at < sluice.now() - $1::float8 * interval '1 millisecond'
  order by id
  limit 5000)`,
};

// As long as the history that tells of it. Members first, some at a time: an operation may have a million.
const OPERATION_ITEMS: Statement = {
  name: "forget-operation-items",
  text: `
delete from sluice.operation_item m
using (
  select i.operation_id, i.item_id
  from sluice.operation o
  join sluice.operation_item i on i.operation_id = o.id
  where o.finished_at < sluice.now() - $1::float8 * interval '1 millisecond'
  limit 20000) gone
where m.operation_id = gone.operation_id and m.item_id = gone.item_id`,
};

const OPERATIONS: Statement = {
  name: "forget-operations",
  text: `
delete from sluice.operation o
where o.finished_at < sluice.now() - $1::float8 * interval '1 millisecond'
  and not exists (select from sluice.operation_item i where i.operation_id = o.id)`,
};

export async function forgetSundries(db: Queryable, limits: Limits): Promise<void> {
  await db.query(AUDIT, [limits.audit]);
  await db.query(SIGNALS, [limits.signals]);
  await db.query(WORKERS, [limits.history]);
  await db.query(OPERATION_ITEMS, [limits.history]);
  await db.query(OPERATIONS, [limits.history]);
}
