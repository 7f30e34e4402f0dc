// Which items in hand were cancelled or taken away meanwhile.

import type { Queryable } from "../db/database.ts";
import { stillHeld } from "../items/lease.sql.ts";
import type { Hands } from "./hands.ts";
import type { Held } from "./held.ts";

export async function takenAway(db: Queryable, hands: Hands, epoch: string): Promise<Held[]> {
  const before = hands.all().map((held) => ({ held, version: held.version }));
  const ids = before.map(({ held }) => held.row.id);
  const mine = new Set((await stillHeld(db, ids, epoch)).map((one) => one.id));
  return before
    .filter(({ held, version }) => {
      // It may have been settled while we asked; then its version says so.
      return hands.has(held) && held.version === version && !mine.has(held.row.id);
    })
    .map(({ held }) => held);
}
