// Operations as they stand, and what came of their members.

import type { Queryable, Statement } from "../db/database.ts";
import type { Ordered } from "./plan.ts";

export interface OperationRow {
  readonly id: string;
  readonly key: string | null;
  readonly actor: string;
  readonly action: Ordered;
  readonly total: number;
  readonly done: number;
  readonly refused: number;
  readonly failed: number;
  readonly stopped: number;
  readonly started_at: Date;
  readonly stopped_at: Date | null;
  readonly finished_at: Date | null;
  /** For how long it has been at it, or was. */
  readonly took_ms: number;
}

const columns = `o.id, o.key, o.actor, o.action, o.total, o.done, o.refused, o.failed, o.stopped, o.started_at, o.stopped_at, o.finished_at,
  date_part('epoch', coalesce(o.finished_at, sluice.now()) - o.started_at) * 1000 as took_ms`;

const GET: Statement = {
  name: "operation",
  text: `
select ${columns} from sluice.operation o
where (o.id = $1::bigint or o.key = $2) and ($3::text is null or o.actor = $3)`,
};

/** Of one actor alone, where one is named. */
export async function findOperation(
  db: Queryable,
  by: { readonly id: string } | { readonly key: string },
  actor?: string,
): Promise<OperationRow | undefined> {
  const key = "key" in by ? by.key : null;
  const [row] = await db.query<OperationRow>(GET, ["id" in by ? by.id : null, key, actor ?? null]);
  return row;
}

const LIST: Statement = {
  name: "operations",
  text: `
select ${columns} from sluice.operation o
where o.id < $1::bigint and ($3::text is null or o.actor = $3)
order by o.id desc limit $2`,
};

/** Newest first, those before one of them. */
export async function listOperations(
  db: Queryable,
  before: string,
  limit: number,
  actor?: string,
): Promise<OperationRow[]> {
  return await db.query<OperationRow>(LIST, [before, limit, actor ?? null]);
}

const OPEN: Statement = {
  name: "open-operations",
  text: `select ${columns} from sluice.operation o where o.finished_at is null order by o.id limit 100`,
};

export async function openOperations(db: Queryable): Promise<OperationRow[]> {
  return await db.query<OperationRow>(OPEN, []);
}

export interface MemberRow {
  readonly item_id: string;
  readonly outcome: number;
  readonly reason: string | null;
  readonly copy_id: string | null;
  readonly at: Date | null;
}

const RESULTS: Statement = {
  name: "operation-results",
  text: `
select item_id, outcome, reason, copy_id, at
from sluice.operation_item
where operation_id = $1 and item_id > $2::bigint and ($3::smallint is null or outcome = $3)
order by item_id
limit $4`,
};

export async function readResults(
  db: Queryable,
  operation: string,
  page: { readonly after: string; readonly outcome: number | null; readonly limit: number },
): Promise<MemberRow[]> {
  return await db.query<MemberRow>(RESULTS, [operation, page.after, page.outcome, page.limit]);
}
