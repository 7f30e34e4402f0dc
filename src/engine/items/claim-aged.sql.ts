// Taking what has waited longest of all, whatever its priority and stage: a few places now and then, so that nothing waits
// for ever behind work that never ends.

import type { Queryable, Statement } from "../db/database.ts";
import { type ClaimedRow, type ClaimPlace, claimedBy, isOpen, openTo, takePicked } from "./claim.sql.ts";

/** What has been ready for so long has waited long. */
export const AGED_SECONDS = 600;

// Each lane and priority offers its oldest, and the oldest of those are taken; the few that were locked for nothing are free
// again with the statement's end.
const CLAIM_AGED: Statement = {
  name: "claim-aged",
  text: `
with place as materialized (
  select distinct w.lane, w.priority
  from unnest($1::int[], $2::smallint[]) w (lane, priority)
  ${openTo("$4", isOpen)}
),
picked as materialized (
  select aged.tid
  from place
  cross join lateral (
    select r.id, r.ctid as tid, r.ready_at from sluice.run r
    where r.lane = place.lane and r.priority = place.priority and r.state = 0 and r.ready_at <= sluice.now() - $5 * interval '1 second'
    order by r.ready_at, r.id
    limit $3
    for update skip locked
  ) aged
  order by aged.ready_at, aged.id
  limit $3
),
${takePicked("$4")}`,
};

export async function claimAged(
  db: Queryable,
  places: readonly ClaimPlace[],
  limit: number,
  epoch: string,
): Promise<ClaimedRow[]> {
  return await claimedBy(db, CLAIM_AGED, [
    places.map((place) => place.lane),
    places.map((place) => place.priority),
    limit,
    epoch,
    AGED_SECONDS,
  ]);
}
