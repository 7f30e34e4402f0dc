// What the gates of an item's stages left in its history.

import type { Queryable, Statement } from "../db/database.ts";

/** Far more than any item has been tried. */
const MOST = 500;

export interface GateRow {
  readonly stage: number;
  readonly version: number;
  readonly at: Date;
  /** 1 done, 18 started outside; else a refusal: 8 a fault, 5 sent back. */
  readonly kind: number;
  readonly message: string | null;
}

const GATES: Statement = {
  name: "item-gates",
  text: `
select j.stage, j.version, j.at, j.kind, j.message
from sluice.journal j
where j.item_id = $1 and j.stage is not null and (j.kind in (1, 18) or j.kind in (5, 8) and j.message like 'gate %')
order by j.version desc
limit ${MOST}`,
};

/** Newest first. */
export async function findGateRows(db: Queryable, item: string): Promise<GateRow[]> {
  return await db.query<GateRow>(GATES, [item]);
}
