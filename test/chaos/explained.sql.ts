// What a look at explanations reads. Nobody moves meanwhile: the table's lock keeps claims and settlements waiting for a moment.

import type { Statement } from "../../src/engine/db/database.ts";

export const HOLD_STILL: Statement = {
  name: "chaos-hold-still",
  // In the order in which claims take them. Who claims holds its lane or service, and what it leaves to others is no verdict.
  text: "lock table sluice.lane, sluice.service, sluice.run in exclusive mode",
};

/** A service whose lane is new has its row a second later; until then nobody claims from it. */
export const WAITING: Statement = {
  name: "chaos-waiting",
  text: `
select r.id, r.lane
from sluice.run r
join sluice.lane l on l.id = r.lane
where r.state = 0 and (l.service = '' or exists (select from sluice.service s where s.name = l.service))
order by hashint8(r.id)
limit $1`,
};

export const ALIVE: Statement = {
  name: "chaos-alive",
  text: "select epoch, pipelines from sluice.worker where state = 0 order by epoch",
};

export const HELD_LANES: Statement = {
  name: "chaos-held-lanes",
  text: `
select l.id
from sluice.lane l
join sluice.pipeline p on p.id = l.pipeline_id
where exists (
  select from sluice.valve v
  where v.closed and coalesce(v.pipeline, p.name) = p.name and coalesce(v.version, p.version) = p.version
    and coalesce(v.stage, p.stages[l.stage + 1]) = p.stages[l.stage + 1] and coalesce(v.service, l.service) = l.service)`,
};
