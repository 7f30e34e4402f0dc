// What an application tells of items that are over: that what came of them was removed when its time was over. No part of an item's way,
// so nothing of it moves; the row stands behind its last one.

import type { Queryable, Statement } from "../db/database.ts";

const EXPIRED: Statement = {
  name: "tell-expired",
  text: `
insert into sluice.journal (at, item_id, request_id, version, kind, stage, series, code, message)
select sluice.now(), i.id, i.request_id, last.version, 39, last.stage, last.series, 'EXPIRED', $2
from unnest($1::bigint[]) u (id)
join sluice.item i on i.id = u.id
cross join lateral (
  select j.version, j.stage, j.series from sluice.journal j
  where j.item_id = i.id
  order by j.version desc, j.xid desc, j.seq desc
  limit 1) last`,
};

/** In the transaction that removes it: it is told exactly when it is so. */
export async function tellExpired(tx: Queryable, items: readonly string[], message: string): Promise<void> {
  if (items.length > 0) await tx.query(EXPIRED, [items, message]);
}
