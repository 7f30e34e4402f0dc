// Reading the journal in the order of the feed.
//
// A transaction's number is given out before it commits, so a row may appear behind one that was read already. Nothing is
// read at or above the oldest transaction that still runs: below it everything has ended, and no row can appear any more.
//
// A filter looks at the same rows and leaves some out; the cursor moves over all of them. (A filter inside the scan would
// have to walk the whole journal again and again to find nothing.)

import type { Queryable, Statement } from "../db/database.ts";
import type { Position } from "./cursor.ts";
import type { JournalRow } from "./event.ts";
import { serverIdentity } from "./feed-epoch.sql.ts";

/** What is known of the feed itself, on every row; the rest is null where there was nothing to read. */
export interface FeedRow extends JournalRow {
  readonly feed_epoch: string | null;
  /** Whether the epoch is that of the server we are talking to. */
  readonly is_here: boolean | null;
  /** The feed ends below this transaction. */
  readonly horizon: string;
  /** The last event that was let go: whoever has not seen it has missed something. */
  readonly floor_xid: string;
  readonly floor_seq: string;
  /** Rows looked at, this one included. */
  readonly scanned: number;
  readonly is_match: boolean;
}

const horizon = "pg_snapshot_xmin(pg_current_snapshot())";

const place = `
  select s.value ->> 'epoch' as feed_epoch,
    s.value ->> 'system' = here.system and s.value ->> 'timeline' = here.timeline as is_here,
    ${horizon}::text as horizon, coalesce(s.value ->> 'floorXid', '0') as floor_xid,
    coalesce(s.value ->> 'floorSeq', '0') as floor_seq
  from ${serverIdentity} here
  left join sluice.setting s on s.name = 'feed'`;

// The limit inside keeps what follows small, and "limit 1" keeps the item a lookup whatever the statistics say. Of rows
// that do not match only the last is sent, and of that only its place.
export const EVENTS: Statement = {
  name: "events",
  text: `
with place as materialized (${place}
),
found as (
  select j.xid, j.seq, j.at, j.item_id, coalesce(j.request_id, i.request_id) as request_id, i.owner, i.key as item_key,
    i.pipeline_id, j.epoch, j.kind,
    j.stage, j.to_stage, j.ended, j.attempt, j.series, j.took_ms, j.reason, j.code, j.message, j.output,
    ($4::bigint is null or j.item_id = $4) and ($5::bigint is null or coalesce(j.request_id, i.request_id) = $5) as is_match,
    count(*) over () as scanned,
    row_number() over (order by j.xid desc, j.seq desc) as from_end
  from (
    select xid, seq, at, item_id, request_id, epoch, kind, stage, to_stage, ended, attempt, series, took_ms, reason, code,
      message, output
    from sluice.journal
    where (xid, seq) > ($1::xid8, $2::bigint) and xid < ${horizon}
    order by xid, seq
    limit $3) j
  left join lateral (select request_id, owner, key, pipeline_id from sluice.item where id = j.item_id limit 1) i on true
)
select place.feed_epoch, place.is_here, place.horizon, place.floor_xid, place.floor_seq, coalesce(f.scanned, 0)::int as scanned, coalesce(f.is_match, false) as is_match,
  f.xid::text as xid, f.seq, f.at, f.item_id, f.request_id, f.owner, f.item_key, p.name as pipeline, p.version as pipeline_version,
  p.stages[f.stage + 1] as from_stage, p.stages[f.to_stage + 1] as to_stage, f.kind, f.ended, f.attempt, f.series, f.took_ms,
  f.reason, f.code, f.message, w.id as worker_id, w.name as worker_name,
  case when f.is_match and (f.item_id is null or $6::boolean) then f.output end as output
from place
left join found f on f.is_match or f.from_end = 1
left join sluice.pipeline p on p.id = f.pipeline_id
left join lateral (select id, name from sluice.worker where epoch = f.epoch limit 1) w on true
order by f.xid, f.seq`,
};

export interface EventFilter {
  readonly item: string | null;
  readonly request: string | null;
  /** Whether those of items come along; they may be large. */
  readonly outputs: boolean;
}

/** Rows after `after`, at most `limit` looked at. Always answers with at least one row, for what is known of the feed. */
export async function eventsAfter(
  db: Queryable,
  after: Position,
  limit: number,
  filter: EventFilter,
): Promise<FeedRow[]> {
  return await db.query<FeedRow>(EVENTS, [after.xid, after.seq, limit, filter.item, filter.request, filter.outputs]);
}

// "offset 0" keeps it a lookup for each item: free to choose, the planner looks for the smallest xid by walking the whole
// journal in that order until it meets one of the items (10 s for 10,000 items among 300,000, this way 40 ms).
const BEGINNING: Statement = {
  name: "feed-beginning",
  text: `
select least(min(first.xid), ${horizon})::text as xid
from (
  select $1::bigint as id where $1::bigint is not null
  union all
  select i.id from sluice.item i where i.request_id = $2::bigint) about
cross join lateral (select j.xid from sluice.journal j where j.item_id = about.id offset 0) first`,
};

/**
 * No event about these lies before this place. A transaction that still runs may hold earlier ones, so it is never above
 * the horizon.
 */
export async function beginningOf(db: Queryable, filter: EventFilter): Promise<Position> {
  const [row] = await db.query<{ xid: string }>(BEGINNING, [filter.item, filter.request]);
  return { xid: row?.xid ?? "0", seq: "0" };
}

const LAG: Statement = {
  name: "feed-lag",
  text: `
with writer as (
  select a.xact_start as began_at, coalesce(nullif(a.application_name, ''), 'a session') || ' (pid ' || a.pid || ')' as who
  from pg_stat_activity a
  where a.backend_xid is not null and a.pid <> pg_backend_pid()
  union all
  select prepared, 'prepared transaction ' || gid from pg_prepared_xacts
)
select greatest(date_part('epoch', sluice.now() - w.began_at) * 1000, 0)::float8 as lag_ms, w.who,
  exists (select from sluice.journal where xid >= ${horizon}) as is_held_back
from (select) one
left join lateral (select began_at, who from writer order by began_at limit 1) w on true`,
};

export interface LagRow {
  readonly lag_ms: number | null;
  readonly who: string | null;
  readonly is_held_back: boolean;
}

export async function readLag(db: Queryable): Promise<LagRow> {
  const [row] = await db.query<LagRow>(LAG, []);
  return row ?? { lag_ms: null, who: null, is_held_back: false };
}
