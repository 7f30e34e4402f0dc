// A suspect's process died under it: counted, and ready at once for another.

import type { Queryable, Statement } from "../db/database.ts";
import type { Fence } from "./lease.sql.ts";

const CRASH: Statement = {
  name: "crash",
  text: `
with crashed as (
  update sluice.run r
  set state = 0, epoch = null, version = r.version + 1, ready_at = sluice.now(), since = sluice.now(), begun_at = null,
    crashes = r.crashes + 1, suspicion = greatest(r.suspicion, 1)
  where r.id = $1 and r.version = $2 and r.epoch = $3
  returning r.id, r.request_id, r.stage, r.series
)
insert into sluice.journal (at, item_id, request_id, epoch, version, took_ms, kind, stage, to_stage, series, pipeline_id, code,
  message)
select sluice.now(), c.id, c.request_id, $3, $2, $4, 16, c.stage, c.stage, c.series, i.pipeline_id, 'CRASHED', $5
from crashed c
left join sluice.item i on i.id = c.id and i.part is null
returning item_id`,
};

/** False when the caller no longer holds the item, or when an earlier try of this very call had got through. */
export async function recordCrash(
  db: Queryable,
  fence: Fence,
  epoch: string,
  facts: { readonly how: string; readonly tookMs: number },
): Promise<boolean> {
  const rows = await db.query(CRASH, [fence.id, fence.version, epoch, facts.tookMs, facts.how]);
  return rows.length === 1;
}
