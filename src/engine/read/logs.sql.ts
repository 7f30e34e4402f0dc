// What visits of an item noted.

import type { Queryable, Statement } from "../db/database.ts";

export interface LogRow {
  readonly version: number;
  readonly at: Date;
  /** Null in rows of earlier releases. */
  readonly began_at: Date | null;
  readonly stage: string | null;
  readonly attempt: number;
  /** How many lines of the visit came before these. */
  readonly first: number;
  readonly dropped: number;
  readonly lines: readonly {
    readonly ms: number;
    readonly level: "info" | "warn" | "error";
    readonly text: string;
    readonly facts?: unknown;
  }[];
}

const rowsOf = (visits: string) => `
select l.version, l.at, l.began_at, p.stages[l.stage + 1] as stage, l.attempt, coalesce(l.first, l.dropped) as first, l.dropped,
  l.lines
from sluice.visit_log l
join sluice.item i on i.id = l.item_id
join sluice.pipeline p on p.id = i.pipeline_id
where l.item_id = $1 and l.version = any (array (${visits}))
order by l.version, first, l.at`;

const NEWEST: Statement = {
  name: "logs",
  text: rowsOf(`
  select v.version from sluice.visit_log v
  where v.item_id = $1
  group by v.version
  order by v.version desc
  limit $2`),
};

const FROM: Statement = {
  name: "logs-from",
  text: rowsOf(`
  select v.version from sluice.visit_log v
  where v.item_id = $1 and v.version >= $3
  group by v.version
  order by v.version
  limit $2`),
};

/** Of the newest visits, or of the first from one on; a visit's rows one after the other, the oldest first. */
export async function logsOf(db: Queryable, item: string, most: number, from?: number): Promise<LogRow[]> {
  if (from === undefined) return await db.query<LogRow>(NEWEST, [item, most]);
  return await db.query<LogRow>(FROM, [item, most, from]);
}
