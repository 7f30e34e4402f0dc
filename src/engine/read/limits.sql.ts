// What bounds each lane, and who is inside: as many rows as there are lanes, each counted in the index (lane, epoch) and no further
// than COUNT_MOST.

import type { Queryable, Statement } from "../db/database.ts";
import { COUNT_MOST } from "./figures.sql.ts";

export interface LimitRow {
  readonly pipeline_id: number;
  readonly pipeline: string;
  readonly version: number;
  readonly stage: number;
  readonly name: string;
  /** "" for nobody's. */
  readonly service: string;
  readonly cap: number | null;
  readonly per_key: number | null;
  readonly takes_capacity: boolean;
  readonly inside: number;
  readonly capacity: number | null;
  readonly limit_count: number | null;
  readonly limit_ms: number | null;
}

// Rows handed on keep the lane they were claimed from, so the stage decides who is still in this one.
const LIMITS: Statement = {
  name: "stage-limits",
  text: `
select p.id as pipeline_id, p.name as pipeline, p.version, l.stage, p.stages[l.stage + 1] as name, l.service, l.cap, l.per_key,
  l.takes_capacity, room.inside, s.capacity, s.limit_count, s.limit_ms
from sluice.lane l
join sluice.pipeline p on p.id = l.pipeline_id
left join sluice.service s on s.name = l.service
cross join lateral (
  select count(*)::int as inside from (
    select from sluice.run r
    where r.lane = l.id and r.state <> 0 and r.stage = l.stage
    order by r.epoch limit ${COUNT_MOST}) x) room
order by p.name, p.version, l.stage, l.service
limit 10000`,
};

export async function laneLimits(db: Queryable): Promise<LimitRow[]> {
  return await db.query<LimitRow>(LIMITS, []);
}
