// Items whose deadline has passed.

import type { Queryable, Statement } from "../db/database.ts";
import type { LiveRow } from "./cancel.sql.ts";

// The index has only those with a deadline, so nobody else is looked at. A parent comes before what it spawned, which has
// its deadline from it: ended first, the children would wake it for one more visit.
const OVERDUE: Statement = {
  name: "overdue",
  text: `
select r.id, r.version, r.state
from sluice.run r
where r.deadline_at <= sluice.now()
order by r.deadline_at, r.id
limit $1`,
};

export async function overdueRuns(db: Queryable, most: number): Promise<LiveRow[]> {
  return await db.query<LiveRow>(OVERDUE, [most]);
}
