// What visits of an item noted.

import type { Queryable, Statement } from "../db/database.ts";

export interface LogRow {
  readonly at: Date;
  readonly stage: string | null;
  readonly attempt: number;
  readonly dropped: number;
  readonly lines: readonly {
    readonly ms: number;
    readonly level: "info" | "warn" | "error";
    readonly text: string;
    readonly facts?: unknown;
  }[];
}

const LOGS: Statement = {
  name: "logs",
  text: `
select l.at, p.stages[l.stage + 1] as stage, l.attempt, l.dropped, l.lines
from sluice.visit_log l
join sluice.item i on i.id = l.item_id
join sluice.pipeline p on p.id = i.pipeline_id
where l.item_id = $1
order by l.version desc
limit $2`,
};

/** The newest first. */
export async function logsOf(db: Queryable, item: string, most: number): Promise<LogRow[]> {
  return await db.query<LogRow>(LOGS, [item, most]);
}
