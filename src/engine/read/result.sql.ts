// Waiting for requests to be over, and how their items ended.

import type { Queryable, Statement } from "../db/database.ts";

const OVER: Statement = {
  name: "requests-over",
  text: `select id from sluice.request where id = any ($1::bigint[]) and completed + failed + cancelled = total order by id`,
};

export async function requestsOver(db: Queryable, requests: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(OVER, [requests]);
  return rows.map((row) => row.id);
}

const EXISTS: Statement = { name: "request-exists", text: `select id from sluice.request where id = $1` };

export async function requestExists(db: Queryable, request: string): Promise<boolean> {
  const rows = await db.query(EXISTS, [request]);
  return rows.length === 1;
}

export interface EndedRow {
  readonly id: string;
  readonly state: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly output: unknown;
}

const ENDED: Statement = {
  name: "ended-items",
  text: `
select i.id, i.state, last.code, last.message, last.output
from sluice.item i
left join lateral (
  select j.code, j.message, j.output from sluice.journal j
  where j.item_id = i.id and j.ended <> 0
  order by j.version desc
  limit 1) last on true
where i.request_id = $1
order by i.id
limit 10000`,
};

export async function endedItems(db: Queryable, request: string): Promise<EndedRow[]> {
  return await db.query<EndedRow>(ENDED, [request]);
}
