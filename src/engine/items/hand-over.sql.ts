// When an item may be begun without a claim, because whoever stores it or settles it leases it at once: only where a claim would have
// taken it, and without asking anybody else.

import { closedValveCovers } from "./valve-scope.sql.ts";

const isUncounted = `l.cap is null and l.per_key is null`;

/** SQL: those of the lanes whose places are nobody's to count. */
export const uncountedAmong = (lanes: string) =>
  `select l.id from sluice.lane l where l.id = any (${lanes}) and ${isUncounted}`;

/** SQL: those of them that flow as well. */
export const openAmong = (lanes: string) => `select l.id
  from sluice.lane l
  join sluice.pipeline p on p.id = l.pipeline_id
  where l.id = any (${lanes}) and ${isUncounted} and not ${closedValveCovers}`;

/**
 * SQL: no valve has moved since this generation. What somebody took for open then is open, and need not be asked again with every item,
 * which takes longer than storing its request.
 */
export const valvesAreOf = (generation: string) => `(select generation from sluice.valve_clock) = ${generation}`;

/** SQL: a row for each of these lanes and priorities, up to the least urgent of them, in which something is due. */
export const readyIn = (lanes: string, leastUrgent: string) => `unnest(${lanes}) served (lane)
  cross join generate_series(1, ${leastUrgent}::int) level (priority)
  -- "limit 1" keeps this a probe: as "exists" it became a hash over every ready row and halved the throughput.
  cross join lateral (
    select from sluice.run r
    where r.lane = served.lane and r.priority = level.priority and r.state = 0 and r.ready_at <= sluice.now()
    -- The order is the index's: where most rows are ready, the planner would rather try its luck in the whole table.
    order by r.ready_at, r.id
    limit 1) ready`;
