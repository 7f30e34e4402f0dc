// Where one owner's live items stand, by stage and by whom their work goes through: of the newest of theirs, as for a first look.

import type { Queryable, Statement } from "../db/database.ts";
import { COUNT_MOST } from "./figures.sql.ts";

export interface OwnStage {
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  /** "" for nobody. */
  readonly service: string;
  readonly queued: number;
  readonly running: number;
  readonly waiting: number;
  readonly asking: number;
}

const counted = (condition: string) => `count(*) filter (where ${condition})::int`;

const OWN: Statement = {
  name: "own-stages",
  text: `
with mine as materialized (
  select x.id, x.pipeline_id, x.state from sluice.item x where x.owner = $1::text order by x.id desc limit ${COUNT_MOST}
)
select p.name as pipeline, p.version, p.stages[r.stage + 1] as stage, l.service,
  ${counted("r.state = 0 and r.is_due")} as queued, ${counted("r.state <> 0")} as running,
  ${counted("r.state = 0 and not r.is_due and r.reason is distinct from 'question'")} as waiting,
  ${counted("r.state = 0 and not r.is_due and r.reason = 'question'")} as asking
from mine m
join sluice.pipeline p on p.id = m.pipeline_id
cross join lateral (
  select x.state, x.stage, x.lane, x.reason, x.ready_at <= sluice.now() as is_due
  from sluice.run x where x.id = m.id limit 1) r
join sluice.lane l on l.id = r.lane
where m.state = 0
group by p.name, p.version, p.stages[r.stage + 1], l.service`,
};

export async function ownStages(db: Queryable, owner: string): Promise<OwnStage[]> {
  return await db.query<OwnStage>(OWN, [owner]);
}
