// Which lanes have something to claim. Those whose places are counted are claimed from under a lock, one by one: asked for
// all together first, the ones with nothing to do cost nothing.

import type { Queryable, Statement } from "../db/database.ts";
import { closedValveCovers } from "./valve-scope.sql.ts";

// "limit 1" keeps it a probe of the index, lane by lane, and a lane behind a closed valve is not looked at.
const DUE: Statement = {
  name: "due-lanes",
  text: `
select distinct l.id as lane
from unnest($1::int[]) asked (lane)
join sluice.lane l on l.id = asked.lane
join sluice.pipeline p on p.id = l.pipeline_id
cross join unnest(array[1, 2, 3, 4, 5]::smallint[]) level (priority)
cross join lateral (
  select from sluice.run r
  where r.lane = l.id and r.priority = level.priority and r.state = 0 and r.ready_at <= sluice.now() - $2 * interval '1 second'
  order by r.ready_at, r.id
  limit 1) ready
where not ${closedValveCovers}`,
};

export async function dueLanes(
  db: Queryable,
  lanes: readonly number[],
  readyForSeconds = 0,
): Promise<ReadonlySet<number>> {
  if (lanes.length === 0) return new Set();
  const rows = await db.query<{ lane: number }>(DUE, [lanes, readyForSeconds]);
  return new Set(rows.map((row) => row.lane));
}
