// How long items stayed in the stages they have just left.

import type { Queryable, Statement } from "../db/database.ts";

export interface Leaving {
  readonly item: string;
  /** Of the journal row that says so. */
  readonly version: number;
  readonly stage: number;
  readonly at: string;
}

/** Milliseconds; null where the stay says nothing about the stage, or is not known any more. */
export interface StayedRow {
  readonly stayed: number | null;
  readonly worked: number | null;
}

// A stage is entered from another one, at the start, or by a retry; where it was entered for later (a delay), the wait says
// nothing about the stage and the stay is left out. The work alone is all visits that left a row, and what went on outside or
// in parts and children meanwhile: from the first start to the last end that was seen.
//
// "limit 1" and "offset 0" keep the look-ups look-ups in the index (item_id, version), whatever the statistics say.
const STAYED: Statement = {
  name: "stayed",
  text: `
select (extract(epoch from f.at - entry.at) * 1000)::float8 as stayed,
  case when entry.at is not null then
    work.visits + coalesce(extract(epoch from work.seen_at - work.started_at), extract(epoch from f.at - work.joins_at), 0) * 1000
  end::float8 as worked
from unnest($1::bigint[], $2::int[], $3::smallint[], $4::timestamptz[]) with ordinality f (item_id, version, stage, at, ord)
left join lateral (
  select e.at, e.version, e.kind = 17 or e.reason is not distinct from 'scheduled' as was_delayed
  from sluice.journal e
  where e.item_id = f.item_id and e.version < f.version and e.to_stage = f.stage
    and (e.kind in (0, 12, 17) or e.stage <> f.stage)
  order by e.version desc
  limit 1) entry on not entry.was_delayed
left join lateral (
  select coalesce(sum(w.took_ms), 0) as visits, min(w.at) filter (where w.kind = 18) as started_at,
    max(w.at) filter (where w.kind = 19) as seen_at, min(w.at) filter (where w.reason in ('parts', 'children')) as joins_at
  from (
    select at, took_ms, kind, reason from sluice.journal
    where item_id = f.item_id and version > entry.version and version <= f.version and stage = f.stage and kind <> 9
    offset 0) w) work on entry.at is not null
order by f.ord`,
};

/** One answer for each, in the same order. */
export async function stayedOf(db: Queryable, left: readonly Leaving[]): Promise<StayedRow[]> {
  if (left.length === 0) return [];
  return await db.query<StayedRow>(STAYED, [
    left.map((one) => one.item),
    left.map((one) => one.version),
    left.map((one) => one.stage),
    left.map((one) => one.at),
  ]);
}
