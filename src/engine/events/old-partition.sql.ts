// Letting go of old weeks of the journal. A week is dropped whole, in one short transaction; before that, the rows of it
// that somebody may still ask for are moved to the partition of what is kept, a batch at a time.
//
// Which rows: of an item that exists, those with an output and those that ended it; of one that lives, its faults as well.
// With these every read that looks into the journal answers as before: outputs, results, the reason of a failure, where a
// retry begins, what parts came to. What is gone is the way there.

import type { Database, Queryable, Statement } from "../db/database.ts";
import type { Position } from "./cursor.ts";

const OLD_WEEKS: Statement = {
  name: "old-weeks",
  text: `
select substr(c.relname, 9) as name
from pg_inherits h
join pg_class c on c.oid = h.inhrelid
where h.inhparent = 'sluice.journal'::regclass and c.relname ~ '^journal_[0-9]{4}w[0-9]{2}$'
  and (to_date(substr(c.relname, 9), 'IYYY"w"IW') + 7)::timestamp at time zone 'UTC'
    <= sluice.now() - $1::float8 * interval '1 millisecond'
order by 1
limit $2`,
};

/** Weeks that were over so long ago, oldest first. */
export async function oldWeeks(db: Queryable, ageMs: number, most = 1_000): Promise<string[]> {
  const rows = await db.query<{ name: string }>(OLD_WEEKS, [ageMs, most]);
  return rows.map((row) => row.name);
}

const columns = [
  ...["xid", "seq", "at", "item_id", "request_id", "epoch", "version", "took_ms", "kind", "stage", "to_stage", "ended"],
  ...["attempt", "series", "pipeline_id", "reason", "code", "message", "output"],
].join(", ");

/** Of a row `s`, as it was seen, of the item `i`. */
const isWanted = `(s.ended <> 0 or s.has_output or i.state = 0 and s.kind in (8, 16))`;

/** The names come from `old-weeks`, which lets digits and a "w" pass, so they are safe to write into the statement. */
const carry = (week: string): Statement => ({
  name: `carry-${week}`,
  text: `
with seen as materialized (
  select j.ctid as place, j.xid, j.seq, j.item_id, j.kind, j.ended, j.output is not null as has_output
  from sluice.journal_${week} j
  -- A transaction that still runs may yet add rows below those above it.
  where (j.xid, j.seq) > ($1::xid8, $2::bigint) and j.xid < pg_snapshot_xmin(pg_current_snapshot())
  order by j.xid, j.seq
  limit $3
),
moved as (
  delete from sluice.journal_${week} j
  where j.ctid = any (array (
    select s.place from seen s
    join sluice.item i on i.id = s.item_id
    where ${isWanted}))
  returning ${columns}
),
kept as (
  insert into sluice.journal (${columns}, kept)
  overriding system value
  select ${columns}, true from moved
)
select s.xid::text as xid, s.seq, (select count(*) from seen)::int as seen, (select count(*) from moved)::int as carried
from seen s
order by s.xid desc, s.seq desc
limit 1`,
});

export interface Carried extends Position {
  readonly seen: number;
  readonly carried: number;
}

/** Undefined when the week has no more rows after that place. */
export async function carryForward(
  db: Queryable,
  week: string,
  after: Position,
  most: number,
): Promise<Carried | undefined> {
  const [row] = await db.query<Carried>(carry(week), [after.xid, after.seq, most]);
  return row;
}

// No week drops these with it. By age alone a clock that was set back for an hour would lose its rows at once; so they go
// when weeks were dropped that were written later. The feed does not go back so far either, and nobody is told anything new.
const FORGET_REST: Statement = {
  name: "forget-rest",
  text: `
with seen as materialized (
  select j.ctid as place, j.xid, j.seq, j.at, j.item_id, j.kind, j.ended, j.output is not null as has_output
  from sluice.journal_rest j
  where (j.xid, j.seq) > ($1::xid8, $2::bigint)
    and (j.xid, j.seq) <= (
      select coalesce(f.value ->> 'floorXid', '0')::xid8, coalesce(f.value ->> 'floorSeq', '0')::bigint
      from sluice.setting f where f.name = 'feed')
  order by j.xid, j.seq
  limit $3
),
old as materialized (select s.* from seen s where s.at < sluice.now() - $4::float8 * interval '1 millisecond'),
gone as (
  delete from sluice.journal_rest j
  where j.ctid = any (array (select s.place from old s))
  returning ${columns}
),
kept as (
  insert into sluice.journal (${columns}, kept)
  overriding system value
  select ${columns}, true from gone
  where seq = any (array (select s.seq from old s join sluice.item i on i.id = s.item_id where ${isWanted}))
)
select s.xid::text as xid, s.seq, (select count(*) from seen)::int as seen
from seen s
order by s.xid desc, s.seq desc
limit 1`,
};

/** Old rows of a time that no week is for, of those after that place. Undefined when there are none after it. */
export async function forgetRest(
  db: Queryable,
  ageMs: number,
  after: Position,
  most: number,
): Promise<(Position & { readonly seen: number }) | undefined> {
  const [row] = await db.query<Position & { readonly seen: number }>(FORGET_REST, [after.xid, after.seq, most, ageMs]);
  return row;
}

const COUNT: Statement = { name: "count-kept", text: `analyze sluice.journal_kept` };

/** Plans made while the partition was empty would read all of it from now on; counting it has them made anew. */
export async function countKept(db: Queryable): Promise<void> {
  await db.query(COUNT, []);
}

// Whoever waits for the journal's lock makes everybody wait who comes after; so not for long, and again another time.
const IMPATIENT: Statement = { name: "drop-week-impatient", text: `set local lock_timeout = '100ms'` };
const LOCK: Statement = { name: "drop-week-lock", text: `lock table only sluice.journal in access exclusive mode` };

const unseen = (week: string): Statement => ({
  name: `unseen-${week}`,
  text: `select seq from sluice.journal_${week} where (xid, seq) > ($1::xid8, $2::bigint) limit 1`,
});

// Part of the feed's own row: a feed that begins anew after a restore begins without it.
const RAISE_FLOOR: Statement = {
  name: "raise-feed-floor",
  text: `
update sluice.setting s
set value = s.value || jsonb_build_object('floorXid', $1::text, 'floorSeq', $2::text)
where s.name = 'feed'
  and (coalesce(s.value ->> 'floorXid', '0')::xid8, coalesce(s.value ->> 'floorSeq', '0')::bigint) < ($1::xid8, $2::bigint)`,
};

const drop = (week: string): Statement => ({ name: `drop-${week}`, text: `drop table sluice.journal_${week}` });

/**
 * False when rows came after the last place that was looked at: a clock that was set back three months. Throws a conflict
 * when somebody reads or writes the journal for longer than we care to wait.
 */
export async function dropWeek(db: Database, week: string, last: Position): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.query(IMPATIENT, []);
    await tx.query(LOCK, []);
    if ((await tx.query(unseen(week), [last.xid, last.seq])).length > 0) return false;
    await tx.query(RAISE_FLOOR, [last.xid, last.seq]);
    await tx.query(drop(week), []);
    return true;
  });
}
