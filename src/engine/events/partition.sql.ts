// The journal is partitioned by week. Partitions are made four ahead; what falls outside lands in the default partition,
// which stays empty unless a clock jumped.

import type { Database, Queryable, Statement } from "../db/database.ts";

const WEEKS_AHEAD: Statement = {
  name: "weeks-ahead",
  text: `
select to_char(week, 'IYYY"w"IW') as name, week::text as from_day, (week + interval '7 days')::text as to_day
from generate_series(0, 4) ahead
cross join lateral (select date_trunc('week', sluice.now() at time zone 'UTC') + ahead * interval '7 days') w (week)
where to_regclass('sluice.journal_' || to_char(week, 'IYYY"w"IW')) is null
  -- A clock that jumped may have left rows of that week in the default partition; they could not stay there beside a
  -- partition of their own, and no process could start any more.
  and not exists (
    select from sluice.journal_rest r
    where r.at >= week at time zone 'UTC' and r.at < (week + interval '7 days') at time zone 'UTC')
order by week`,
};

interface Week {
  readonly name: string;
  readonly from_day: string;
  readonly to_day: string;
}

// Any fixed number; "weeks" in ASCII. "if not exists" alone does not help two that come at once: the second fails.
const ALONE: Statement = { name: "make-partitions-alone", text: `select pg_advisory_xact_lock(512970943347)` };

/** The names come from `to_char` above and hold digits and a "w", so they are safe to write into the statement. */
export async function ensurePartitions(db: Database): Promise<void> {
  if ((await db.query<Week>(WEEKS_AHEAD, [])).length === 0) return;
  await db.transaction(async (tx) => {
    await tx.query(ALONE, []);
    for (const week of await tx.query<Week>(WEEKS_AHEAD, [])) await makePartition(tx, week);
  });
}

async function makePartition(tx: Queryable, week: Week): Promise<void> {
  const text = `create table if not exists sluice.journal_${week.name} partition of sluice.journal
    for values from (false, '${week.from_day}+00') to (false, '${week.to_day}+00')`;
  await tx.query({ name: `make-partition-${week.name}`, text }, []);
}
