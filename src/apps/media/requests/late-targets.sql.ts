// Films and episodes that are done, in a request that is not, and lack a server that somebody named since.

import type { Queryable, Statement } from "../../../engine/index.ts";

const UNSERVED: Statement = {
  name: "media-unserved-items",
  text: `
select i.id
from sluice.item i
join sluice.pipeline l on l.id = i.pipeline_id and l.name = 'media'
where i.request_id = $1 and i.state = 1 and exists (
  select from media.request_target t
  where t.request_id = $1 and not exists (
    select from sluice.request q
    join sluice.item p on p.request_id = q.id
    where q.parent_id = i.id and q.parts_of is not null and l.stages[q.parts_of + 1] = 'deliver' and p.part = t.name))
order by i.id`,
};

export async function findUnserved(db: Queryable, request: string): Promise<{ readonly id: string }[]> {
  return await db.query<{ id: string }>(UNSERVED, [request]);
}
