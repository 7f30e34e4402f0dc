// What is being worked on at this moment, and how far it is: the part of an item's life that no journal row tells of.

import type { Queryable, Statement } from "../db/database.ts";

export interface HeldRuns {
  readonly ids: readonly string[];
  readonly versions: readonly number[];
  /** Whether somebody's visit has begun; what happens outside is told by the journal when it begins. */
  readonly begun: readonly boolean[];
  readonly progress: readonly (number | null)[];
}

// Arrays instead of rows: this is read every second. Lane by lane it is a lookup in the index of held rows, however many wait;
// the limit inside keeps it one.
const HELD: Statement = {
  name: "live-held",
  text: `
select coalesce(array_agg(h.id::text), '{}') as ids, coalesce(array_agg(h.version), '{}') as versions,
  coalesce(array_agg(h.begun), '{}') as begun, coalesce(array_agg(h.progress), '{}') as progress
from (
  select r.id, r.version, r.state = 1 and r.begun_at is not null as begun, r.progress
  from sluice.lane l
  cross join lateral (
    select x.id, x.version, x.state, x.begun_at, x.progress from sluice.run x
    where x.lane = l.id and x.state <> 0
    limit $1) r
  limit $1) h`,
};

export async function heldRuns(db: Queryable, most: number): Promise<HeldRuns> {
  const [row] = await db.query<HeldRuns>(HELD, [most]);
  return row ?? { ids: [], versions: [], begun: [], progress: [] };
}

export interface LiveRow {
  readonly id: string;
  readonly request_id: string;
  readonly owner: string | null;
  readonly key: string | null;
  readonly pipeline: string;
  readonly pipeline_version: number;
  readonly stages: readonly string[];
  readonly stage: number;
  readonly progress: number | null;
  readonly at: Date;
}

const DETAILS: Statement = {
  name: "live-details",
  text: `
select r.id, i.request_id, i.owner, i.key, p.name as pipeline, p.version as pipeline_version, p.stages, r.stage, r.progress,
  sluice.now() as at
from unnest($1::bigint[]) u (id)
cross join lateral (select x.id, x.stage, x.progress from sluice.run x where x.id = u.id and x.state <> 0 limit 1) r
cross join lateral (select x.request_id, x.owner, x.key, x.pipeline_id from sluice.item x where x.id = u.id limit 1) i
join sluice.pipeline p on p.id = i.pipeline_id
order by r.id`,
};

export async function liveDetails(db: Queryable, ids: readonly string[]): Promise<LiveRow[]> {
  return await db.query<LiveRow>(DETAILS, [ids]);
}
