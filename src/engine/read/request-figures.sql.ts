// Requests by how they stand. Bounded: the newest ones by their key and those of the newest live items, so many of each and no more.

import type { Queryable, Statement } from "../db/database.ts";

const NEWEST_MOST = 5_000;
const LIVE_MOST = 20_000;

export interface RequestFigureRow {
  readonly pipeline: string;
  readonly version: number;
  readonly total: number;
  readonly completed: number;
  readonly partly: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly has_begun: boolean;
  readonly requests: number;
}

// Of each count only whether there is any: that decides the status, and thousands of requests come back as a few rows. Requests that
// items made themselves are not among them, as in lists.
const FIGURES: Statement = {
  name: "request-figures",
  text: `
with live as materialized (
  select request_id as id, bool_or(begun_at is not null or stage > 0 or series > 1) as has_begun
  from (select request_id, begun_at, stage, series from sluice.run order by id desc limit ${LIVE_MOST}) r
  group by request_id
),
newest as materialized (
  select id from sluice.request order by id desc limit ${NEWEST_MOST}
),
counted as (
  select q.pipeline_id, sign(q.completed)::int as completed, sign(q.partly)::int as partly, sign(q.failed)::int as failed,
    sign(q.cancelled)::int as cancelled, (q.completed + q.failed + q.cancelled < q.total)::int as unfinished,
    coalesce(live.has_begun, false) as has_begun
  from (select id from newest union select id from live) looked
  left join live on live.id = looked.id
  cross join lateral (
    select x.total, x.completed, x.partly, x.failed, x.cancelled, i.pipeline_id
    from sluice.request x
    cross join lateral (select y.pipeline_id from sluice.item y where y.request_id = x.id order by y.id limit 1) i
    where x.id = looked.id and x.parent_id is null
    limit 1) q
)
select p.name as pipeline, p.version, c.completed + c.failed + c.cancelled + c.unfinished as total, c.completed, c.partly, c.failed,
  c.cancelled, c.has_begun, count(*)::int as requests
from counted c
join sluice.pipeline p on p.id = c.pipeline_id
group by p.name, p.version, c.unfinished, c.completed, c.partly, c.failed, c.cancelled, c.has_begun
order by p.name, p.version`,
};

export async function requestFigures(db: Queryable): Promise<RequestFigureRow[]> {
  return await db.query<RequestFigureRow>(FIGURES, []);
}
