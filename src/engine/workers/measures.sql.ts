// Adding what workers measured to what they measured before.

import type { Queryable, Statement } from "../db/database.ts";
import { addToTrends } from "./tally-trends.sql.ts";

export interface Measure {
  readonly kind: "call" | "resume";
  /** 0 for none. */
  readonly pipeline: number;
  readonly stage: number;
  /** "" for none. */
  readonly service: string;
  readonly length: number;
  times: number;
  ms: number;
}

// In one order, so that two workers that add to the same rows do not wait for each other in a circle.
const ADD: Statement = {
  name: "add-measures",
  text: `
with given as materialized (
  select u.kind, u.pipeline, u.stage, u.service, u.length, u.times, u.ms
  from unnest($1::text[], $2::int[], $3::smallint[], $4::text[], $5::smallint[], $6::bigint[], $7::float8[])
    u (kind, pipeline, stage, service, length, times, ms)
),
trends as (
  -- When it was is known nowhere else.
  ${addToTrends("select 'resume' as kind, g.pipeline, '' as name, sluice.now() as at, 0 as length, g.times from given g where g.kind = 'resume'")}
)
insert into sluice.measure as m (kind, pipeline_id, stage, service, length, times, ms)
select g.kind, g.pipeline, g.stage, g.service, g.length, g.times, g.ms
from given g
order by g.kind, g.pipeline, g.stage, g.service, g.length
on conflict (kind, pipeline_id, stage, service, length) do update
set times = m.times + excluded.times, ms = m.ms + excluded.ms`,
};

export async function addMeasures(db: Queryable, rows: readonly Measure[]): Promise<void> {
  await db.query(ADD, [
    rows.map((one) => one.kind),
    rows.map((one) => one.pipeline),
    rows.map((one) => one.stage),
    rows.map((one) => one.service),
    rows.map((one) => one.length),
    rows.map((one) => one.times),
    rows.map((one) => one.ms),
  ]);
}
