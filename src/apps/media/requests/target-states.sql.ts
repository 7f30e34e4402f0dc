// How films and episodes stand at each of their servers: the newest parts of the stages that deliver.

import type { Queryable, Statement } from "../../../engine/index.ts";

export interface TargetPartRow {
  readonly item_id: string;
  readonly stage: "deliver" | "publish";
  /** Of the part. */
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly state: number;
  readonly progress: number | null;
  readonly reason: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly output: unknown;
  readonly ended_at: Date | null;
}

const PARTS: Statement = {
  name: "media-target-parts",
  text: `
select made.item_id, made.stage, p.id, p.part as name, p.input, p.state, r.progress, r.reason, last.code, last.message, last.output,
  p.finished_at as ended_at
from unnest($1::bigint[]) u (id)
cross join lateral (
  select distinct on (q.parts_of) q.id as request_id, u.id as item_id, l.stages[q.parts_of + 1] as stage
  from sluice.request q
  join sluice.item i on i.id = u.id
  join sluice.pipeline l on l.id = i.pipeline_id
  where q.parent_id = u.id and q.parts_of is not null and l.stages[q.parts_of + 1] in ('deliver', 'publish')
  order by q.parts_of, q.id desc) made
join sluice.item p on p.request_id = made.request_id and p.part is not null
left join lateral (select x.* from sluice.run x where x.id = p.id limit 1) r on true
left join lateral (
  select j.code, j.message, j.output from sluice.journal j
  where j.item_id = p.id and (j.ended <> 0 or (p.state = 0 and j.code is not null))
  order by j.version desc
  limit 1) last on true
order by made.item_id, p.id`,
};

export async function findTargetParts(db: Queryable, items: readonly string[]): Promise<TargetPartRow[]> {
  return items.length === 0 ? [] : await db.query<TargetPartRow>(PARTS, [items]);
}
