// Recurring work of the engine: whoever moves the due time on does the step. Every step may run twice, so a crash between
// taking and doing costs one interval, nothing else.

import type { Queryable, Statement } from "../db/database.ts";

const TAKE: Statement = {
  name: "take-duty",
  text: `
insert into sluice.duty as d (name, due_at, epoch, done_at)
values ($1, sluice.now() + $2::float8 * interval '1 millisecond', $3, sluice.now())
on conflict (name) do update
set due_at = excluded.due_at, epoch = excluded.epoch, done_at = excluded.done_at
-- After a clock that jumped back, "due" may lie far in the future; more than two intervals ahead is no longer believed. (One
-- would not do: of two that come at once, the second to write may have begun first, and sees a due time just beyond one.)
where d.due_at <= sluice.now() or d.due_at > sluice.now() + 2 * $2::float8 * interval '1 millisecond'
returning name`,
};

/** True for the one process that does it this time. */
export async function takeDuty(db: Queryable, name: string, everyMs: number, epoch: string): Promise<boolean> {
  const rows = await db.query(TAKE, [name, everyMs, epoch]);
  return rows.length === 1;
}
