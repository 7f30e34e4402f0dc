// What visits noted, kept in the transaction that settles them.

import type { Queryable, Statement } from "../db/database.ts";

export interface NewLog {
  readonly item: string;
  /** The fence of the visit. */
  readonly version: number;
  readonly stage: number;
  readonly attempt: number;
  readonly dropped: number;
  /** A JSON list. */
  readonly lines: string;
}

/** Visits whose lines are kept, for one item: a stage that looks again every minute must not fill the disk. */
export const LOGS_PER_ITEM = 100;

const KEEP: Statement = {
  name: "keep-logs",
  text: `
with outdated as (
  delete from sluice.visit_log l
  using unnest($1::bigint[]) u (item_id)
  where l.item_id = u.item_id and l.version <= (
    select o.version from sluice.visit_log o
    where o.item_id = u.item_id
    order by o.version desc
    offset ${LOGS_PER_ITEM - 1}
    limit 1)
)
insert into sluice.visit_log (item_id, version, at, stage, attempt, dropped, lines)
select u.item_id, u.version, sluice.now(), u.stage, u.attempt, u.dropped, u.lines::jsonb
from unnest($1::bigint[], $2::int[], $3::smallint[], $4::smallint[], $5::int[], $6::text[])
  u (item_id, version, stage, attempt, dropped, lines)`,
};

export async function keepLogs(db: Queryable, logs: readonly NewLog[]): Promise<void> {
  if (logs.length === 0) return;
  await db.query(KEEP, [
    logs.map((one) => one.item),
    logs.map((one) => one.version),
    logs.map((one) => one.stage),
    logs.map((one) => one.attempt),
    logs.map((one) => one.dropped),
    logs.map((one) => one.lines),
  ]);
}
