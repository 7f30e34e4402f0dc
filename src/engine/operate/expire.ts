// Ends what has run out of time, wherever it is: in line, waiting, in a worker's hands, at work outside. What it may have
// left outside is owed, as with every item that fails; its holder is refused and learns of it with its next look.

import type { Queryable } from "../db/database.ts";
import { failRuns } from "./cancel.sql.ts";
import { overdueRuns } from "./expire.sql.ts";

const AT_ONCE = 500;

/**
 * How many were ended. One that was claimed or settled between our look and our write stands for the next round; so do those
 * beyond the batch.
 */
export async function expireOverdue(db: Queryable): Promise<number> {
  const overdue = await overdueRuns(db, AT_ONCE);
  if (overdue.length === 0) return 0;
  return (await failRuns(db, overdue, "DEADLINE", "its deadline has passed")).length;
}
