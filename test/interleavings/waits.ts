// Items that wait, for the scenarios about ending waits.

import type { Database } from "../../src/engine/db/database.ts";
import { addWaiter } from "../../src/engine/items/beside.sql.ts";
import type { ClaimedRow } from "../../src/engine/items/claim.sql.ts";
import type { Arena } from "./arena.ts";
import { ANNA, settled, taken, waits } from "./play.ts";

type Kind = "signal" | "item" | "children";

export async function beginWait(db: Database, arena: Arena, row: ClaimedRow, kind: Kind, key: string): Promise<void> {
  await db.transaction(async (tx) => {
    await settled(tx, [waits(row, arena.dictionary.line, kind)], ANNA);
    await addWaiter(tx, row.id, kind, key);
  });
}

/** An item that waits already. */
export async function waiting(arena: Arena, kind: Kind, key: string): Promise<ClaimedRow> {
  const [row] = await taken(arena, ANNA, [1]);
  if (row === undefined) throw new Error("nothing was claimed");
  await beginWait(arena.db, arena, row, kind, key);
  return row;
}
