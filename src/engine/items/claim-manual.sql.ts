// Taking what a person let through: behind switches, pauses and holds, never behind a breaker.

import type { Queryable, Statement } from "../db/database.ts";
import { type ClaimedRow, type ClaimPlace, claimedBy, openTo, takePicked } from "./claim.sql.ts";
import { closedAndCovers } from "./valve-scope.sql.ts";

const notBroken = `not exists (select from sluice.valve v where ${closedAndCovers} and v.kind = 'breaker')`;

// An index of its own, of the few there ever are ("+ 0": not that of everything that is ready in the lane).
const CLAIM_MANUAL: Statement = {
  name: "claim-manual",
  text: `
with place as materialized (
  select distinct l.id as lane
  from unnest($1::int[]) w (lane)
  ${openTo("$3", notBroken)}
),
picked as materialized (
  select ctid as tid from sluice.run
  where state = 0 and is_manual and ready_at <= sluice.now() and lane + 0 = any (array (select lane from place))
  order by priority, ready_at, id
  limit $2
  for update skip locked
),
${takePicked("$3")}`,
};

export async function claimManual(
  db: Queryable,
  places: readonly ClaimPlace[],
  limit: number,
  epoch: string,
): Promise<ClaimedRow[]> {
  return await claimedBy(db, CLAIM_MANUAL, [places.map((place) => place.lane), limit, epoch]);
}

const MANUAL_LANES: Statement = {
  name: "manual-lanes",
  text: `select distinct lane from sluice.run where state = 0 and is_manual and lane + 0 = any ($1::int[])`,
};

/** In which of these lanes somebody was let through. */
export async function manualLanes(db: Queryable, lanes: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db.query<{ lane: number }>(MANUAL_LANES, [lanes]);
  return new Set(rows.map((row) => row.lane));
}
