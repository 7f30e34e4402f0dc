// After a reply was lost: did it commit? The journal row with this fence says so. Where an outcome writes no journal row,
// the run row does: it either still stands as it was, or has moved on.

import type { Queryable, Statement } from "../db/database.ts";
import type { Fence } from "./lease.sql.ts";

export interface Resolved {
  readonly id: string;
  readonly committed: boolean;
  /** The run row's version if this process still holds it. */
  readonly held_version: number | null;
}

const RESOLVE: Statement = {
  name: "resolve",
  text: `
select u.id,
  -- "limit 1" keeps this a probe: as "exists" it became a hash over the whole journal.
  coalesce((
    select true from sluice.journal j
    where j.item_id = u.id and j.version = u.version and j.epoch = $3 and j.kind <> 9
    limit 1), false) as committed,
  (select r.version from sluice.run r where r.id = u.id and r.epoch = $3) as held_version
from unnest($1::bigint[], $2::int[]) u (id, version)`,
};

export async function resolveCommits(db: Queryable, fences: readonly Fence[], epoch: string): Promise<Resolved[]> {
  return await db.query<Resolved>(RESOLVE, [fences.map((one) => one.id), fences.map((one) => one.version), epoch]);
}
