// What the gates of an item's stages left in its history.

import type { Queryable, Statement } from "../db/database.ts";

/** Far more than any item has been tried. Waits are told apart, of each stage the last one: there may be thousands. */
const MOST = 500;

export interface GateRow {
  readonly stage: number;
  readonly version: number;
  readonly at: Date;
  /** 1 done, 18 started outside; 8 a fault, 5 sent back, of a gate or of the stage itself; else what only the stage says. */
  readonly kind: number;
  readonly code: string | null;
  readonly message: string | null;
}

// A stage that is skipped by a person has no epoch: nobody was there, and no gate was asked.
const GATES: Statement = {
  name: "item-gates",
  text: `
(select j.stage, j.version, j.at, j.kind, j.code, j.message
from sluice.journal j
where j.item_id = $1 and j.stage is not null and j.kind in (1, 5, 8, 18)
order by j.version desc
limit ${MOST})
union all
(select distinct on (j.stage) j.stage, j.version, j.at, j.kind, j.code, j.message
from sluice.journal j
where j.item_id = $1 and j.stage is not null and (j.kind in (3, 4, 6, 7) or (j.kind = 2 and j.epoch is not null))
order by j.stage, j.version desc)
order by version desc`,
};

/** Newest first. */
export async function findGateRows(db: Queryable, item: string): Promise<GateRow[]> {
  return await db.query<GateRow>(GATES, [item]);
}
