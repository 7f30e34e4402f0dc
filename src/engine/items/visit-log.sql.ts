// What visits noted: bit by bit while they run, and whole in the transaction that settles them.
//
// A visit that runs adds a row for what is new and changes none, so a line is written once, however long the visit. Its
// settlement takes these rows away and stores what is left of all lines as one. Lines have numbers, and a reader lays rows
// together by them: a row that was on its way while the visit was settled says what is there already.

import type { Queryable, Statement } from "../db/database.ts";

export interface NewLog {
  readonly item: string;
  /** The fence of the visit. */
  readonly version: number;
  readonly stage: number;
  readonly attempt: number;
  /** How many lines of the visit came before these. */
  readonly first: number;
  /** How many of its oldest are gone for good. */
  readonly dropped: number;
  /** A JSON list. */
  readonly lines: string;
  /** When the visit began, by the clock that `sentAt` is read from. */
  readonly beganAt: number;
}

export interface WholeLog extends NewLog {
  /** Some of it may have been written while the visit ran. */
  readonly isBegun: boolean;
}

/** Visits whose lines are kept, for one item: a stage that looks again every minute must not fill the disk. */
export const LOGS_PER_ITEM = 100;

/** The newest of those visits that have to make room for this one. */
const outlived = (visit: string) => `(
    select o.version from sluice.visit_log o
    where o.item_id = ${visit}.item_id and o.version < ${visit}.version
    group by o.version
    order by o.version desc
    offset ${LOGS_PER_ITEM - 1}
    limit 1)`;

const GIVEN = `unnest($1::bigint[], $2::int[], $3::smallint[], $4::smallint[], $5::int[], $6::int[], $7::text[], $8::float8[])
  u (item_id, version, stage, attempt, first, dropped, lines, age)`;
const INSERT = `insert into sluice.visit_log (item_id, version, at, began_at, stage, attempt, first, dropped, lines)`;
const ROW = `u.item_id, u.version, sluice.now(), sluice.now() - make_interval(secs => u.age / 1000), u.stage, u.attempt, u.first,
  u.dropped, u.lines::jsonb`;

const KEEP: Statement = {
  name: "keep-logs",
  text: `
with outdated as (
  delete from sluice.visit_log l
  using unnest($1::bigint[], $2::int[]) u (item_id, version)
  where l.item_id = u.item_id and l.version <= ${outlived("u")}
)
${INSERT}
select ${ROW}
from ${GIVEN}`,
};

const FORGET: Statement = {
  name: "forget-begun-logs",
  text: `
delete from sluice.visit_log l
using unnest($1::bigint[], $2::int[]) u (item_id, version)
where l.item_id = u.item_id and l.version = u.version`,
};

/** `sentAt`: when the transaction began. */
export async function keepLogs(db: Queryable, logs: readonly WholeLog[], sentAt: number): Promise<void> {
  if (logs.length === 0) return;
  const begun = logs.filter((one) => one.isBegun);
  if (begun.length > 0) await db.query(FORGET, [begun.map((one) => one.item), begun.map((one) => one.version)]);
  await db.query(KEEP, parameters(logs, sentAt));
}

// Nothing in here waits: a settlement of the same item, which takes such rows away as well, must not find itself in a circle.
const ADD: Statement = {
  name: "add-logs",
  text: `
with held as materialized (
  select u.item_id, u.version, u.stage, u.attempt, u.first, u.dropped, u.lines, u.age, ${outlived("u")} as outlived
  from ${GIVEN}
  join sluice.run r on r.id = u.item_id
  where r.version = u.version and r.epoch = $9
),
outdated as materialized (
  select l.ctid as place
  from held u
  join sluice.visit_log l on l.item_id = u.item_id
  where l.version <= u.outlived
    or (l.version = u.version and coalesce(l.first, l.dropped) + jsonb_array_length(l.lines) <= u.dropped)
  for update of l skip locked
),
gone as (
  delete from sluice.visit_log where ctid = any (array (select place from outdated))
)
${INSERT}
select ${ROW}
from held u`,
};

/** Of visits that are still in the hands of this epoch; nothing of the others. */
export async function addLogs(
  db: Queryable,
  logs: readonly NewLog[],
  { epoch, sentAt }: { readonly epoch: string; readonly sentAt: number },
): Promise<void> {
  await db.query(ADD, [...parameters(logs, sentAt), epoch]);
}

function parameters(logs: readonly NewLog[], sentAt: number): unknown[][] {
  return [
    logs.map((one) => one.item),
    logs.map((one) => one.version),
    logs.map((one) => one.stage),
    logs.map((one) => one.attempt),
    logs.map((one) => one.first),
    logs.map((one) => one.dropped),
    logs.map((one) => one.lines),
    logs.map((one) => Math.max(0, sentAt - one.beganAt)),
  ];
}
