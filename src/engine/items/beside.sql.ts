// Rows that appear beside a settled run row, in the same transaction: who waits for what, questions, children.

import type { Queryable, Statement } from "../db/database.ts";

/** Set while a row of `waiter` or `question` belongs to the run row, so that only those are cleaned up at settlement. */
const ADD_WAITER: Statement = {
  name: "add-waiter",
  text: `
with flagged as (update sluice.run set flags = flags | 4 where id = $1 returning id)
insert into sluice.waiter (run_id, kind, key)
select id, $2, $3 from flagged
on conflict (run_id) do update set kind = excluded.kind, key = excluded.key`,
};

export async function addWaiter(
  db: Queryable,
  run: string,
  kind: "signal" | "item" | "children",
  key: string,
): Promise<void> {
  await db.query(ADD_WAITER, [run, kind, key]);
}

// Locked, so that it cannot be removed between this look and the commit of what follows from it.
const ITEM_EXISTS: Statement = {
  name: "item-exists",
  text: `select id from sluice.item where id = $1 for key share`,
};

export async function itemExists(db: Queryable, item: string): Promise<boolean> {
  const rows = await db.query(ITEM_EXISTS, [item]);
  return rows.length === 1;
}

const DROP_WAITER: Statement = {
  name: "drop-waiter",
  text: `
with dropped as (delete from sluice.waiter where run_id = $1 returning run_id)
update sluice.run set flags = flags & ~4 where id in (select run_id from dropped)`,
};

export async function dropWaiter(db: Queryable, run: string): Promise<void> {
  await db.query(DROP_WAITER, [run]);
}

const ADD_QUESTION: Statement = {
  name: "add-question",
  text: `
insert into sluice.question (run_id, stage, text, options, fallback, asked_at, fallback_at)
select id, stage, $2, $3::text::jsonb, $4::text::jsonb, sluice.now(), sluice.now() + $5::float8 * interval '1 millisecond'
from sluice.run where id = $1
returning id`,
};

export interface NewQuestion {
  readonly text: string;
  readonly options: string | null;
  readonly fallback: string | null;
  readonly fallbackMs: number | null;
}

export async function addQuestion(db: Queryable, run: string, question: NewQuestion): Promise<string> {
  const [row] = await db.query<{ id: string }>(ADD_QUESTION, [
    run,
    question.text,
    question.options,
    question.fallback,
    question.fallbackMs,
  ]);
  return (row as { id: string }).id;
}

const GROW_REQUEST: Statement = {
  name: "grow-request",
  text: `update sluice.request set total = total + $2 where id = $1`,
};

/** Makes room for items that join an open request. Takes the request's lock, so the counts stay exact. */
export async function growRequest(db: Queryable, request: string, by: number): Promise<void> {
  await db.query(GROW_REQUEST, [request, by]);
}
