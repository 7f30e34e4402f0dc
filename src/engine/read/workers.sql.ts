// Who works here, and who did until lately.

import type { Queryable, Statement } from "../db/database.ts";
import { COUNT_MOST } from "./figures.sql.ts";

export interface WorkerRow {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly state: number;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly services: readonly string[];
  readonly stages: readonly string[] | null;
  readonly pipelines: readonly { readonly name: string; readonly version: number }[];
  readonly held: number;
  /** False when its beat came over a direct connection and that connection is gone. Null where that cannot be known. */
  readonly connected: boolean | null;
  /** When it last beat; null before its first. */
  readonly seen_at: Date | null;
  /** Milliseconds since its connection last spoke; null where it beats through a pool. */
  readonly unheard: number | null;
}

// When it last beat is for people. Whether it is late goes by when its connection last spoke, which the server itself knows.
const WORKERS: Statement = {
  name: "list-workers",
  text: `
with hearts as materialized (
  select a.pid, a.state_change from pg_stat_activity a where a.application_name = 'sluice beat'
)
select w.id, w.name, w.host, w.pid, w.state, w.started_at, w.ended_at, w.services, w.stages, w.seen_at, has.pipelines, hand.held,
  case when w.state = 0 and w.backend_pid is not null then h.pid is not null end as connected,
  (extract(epoch from sluice.now() - h.state_change) * 1000)::float8 as unheard
from (
  (select x.* from sluice.worker x
    where x.state = 0 and ($2::boolean is null or $2 and x.id < $3::bigint) order by x.id desc limit $1)
  union all
  (select x.* from sluice.worker x
    where x.state <> 0 and x.ended_at > sluice.now() - interval '1 day' and ($2::boolean is not false or x.id < $3::bigint)
    order by x.id desc limit $1)) w
left join hearts h on h.pid = w.backend_pid and w.state = 0
cross join lateral (
  select coalesce(jsonb_agg(jsonb_build_object('name', p.name, 'version', p.version) order by p.name, p.version), '[]') as pipelines
  from sluice.pipeline p where p.id = any (w.pipelines)) has
cross join lateral (
  select count(*)::int as held
  from sluice.lane l
  cross join lateral (
    select from sluice.run r where r.lane = l.id and r.epoch = w.epoch and r.state <> 0 limit ${COUNT_MOST}) r) hand
order by w.state <> 0, w.id desc
limit $1`,
};

/** The last one that was told. */
export interface Place {
  readonly isLive: boolean;
  readonly id: string;
}

/** Those that live, newest first, then those that left or died within a day. */
export async function findWorkers(db: Queryable, most: number, after?: Place): Promise<WorkerRow[]> {
  return await db.query<WorkerRow>(WORKERS, [most, after?.isLive ?? null, after?.id ?? null]);
}
