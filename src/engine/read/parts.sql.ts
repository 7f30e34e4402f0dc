// The parts of an item, of each stage those that were made last.

import type { Queryable, Statement } from "../db/database.ts";

export interface ItemPartRow {
  readonly id: string;
  readonly name: string;
  readonly stage: number;
  readonly is_whole: boolean;
  readonly state: number;
  readonly since: Date;
  readonly until: Date | null;
  readonly reason: string | null;
  readonly attempts: number;
  readonly progress: number | null;
  readonly code: string | null;
  readonly message: string | null;
}

const PARTS: Statement = {
  name: "item-parts",
  text: `
select i.id, i.part as name, c.parts_of as stage, c.is_whole, i.state, coalesce(r.since, i.finished_at, i.created_at) as since,
  case when r.state = 0 and r.ready_at > sluice.now() and r.ready_at < 'infinity' then r.ready_at end as until,
  case when r.state = 0 and r.ready_at > sluice.now() then r.reason end as reason,
  coalesce(r.attempts, last.attempt, 0) as attempts, r.progress, last.code, last.message
from sluice.request c
join sluice.item i on i.request_id = c.id
left join sluice.run r on r.id = i.id
left join lateral (
  select j.attempt, j.code, j.message from sluice.journal j
  where j.item_id = i.id and j.ended <> 0
  order by j.version desc
  limit 1) last on i.state <> 0
where c.parent_id = $1 and c.parts_of is not null
  and not exists (select from sluice.request n where n.parent_id = c.parent_id and n.parts_of = c.parts_of and n.id > c.id)
order by c.parts_of, i.id
limit 10000`,
};

export async function findItemParts(db: Queryable, item: string): Promise<ItemPartRow[]> {
  return await db.query<ItemPartRow>(PARTS, [item]);
}
