// Which lanes have something to claim, and of which priorities. Those whose places are counted are claimed from under a lock,
// one by one: asked for all together first, the ones with nothing to do cost nothing.

import type { Queryable, Statement } from "../db/database.ts";
import { closedValveCovers } from "./valve-scope.sql.ts";

// "limit 1" keeps it a probe of the index, lane by lane, and a lane behind a closed valve is not looked at.
const DUE: Statement = {
  name: "due-lanes",
  text: `
select l.id as lane, array_agg(level.priority order by level.priority) as priorities
from unnest($1::int[]) asked (lane)
join sluice.lane l on l.id = asked.lane
join sluice.pipeline p on p.id = l.pipeline_id
cross join unnest(array[1, 2, 3, 4, 5]::smallint[]) level (priority)
cross join lateral (
  select from sluice.run r
  where r.lane = l.id and r.priority = level.priority and r.state = 0 and r.ready_at <= sluice.now() - $2 * interval '1 second'
  order by r.ready_at, r.id
  limit 1) ready
where not ${closedValveCovers}
group by l.id`,
};

/** The priorities by lane. */
export async function dueLanes(
  db: Queryable,
  lanes: readonly number[],
  readyForSeconds = 0,
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (lanes.length === 0) return new Map();
  const rows = await db.query<{ lane: number; priorities: number[] }>(DUE, [lanes, readyForSeconds]);
  return new Map(rows.map(({ lane, priorities }) => [lane, priorities]));
}
