// What is stored, since when, and what holds what should be gone. For people; decides nothing.

import type { Queryable, Statement } from "../db/database.ts";
import { isExpired, isFree } from "../retention/remove.sql.ts";

export interface TableRow {
  readonly name: string;
  readonly bytes: string;
  readonly rows: string;
}

// Rows as the server estimates them; a table that was never counted has none yet. A week of the journal counts as journal.
const TABLES: Statement = {
  name: "table-sizes",
  text: `
select case when c.relname ~ '^journal_([0-9]{4}w|rest)' then 'journal' else c.relname end as name,
  sum(pg_total_relation_size(c.oid))::bigint as bytes, sum(greatest(c.reltuples, 0))::bigint as rows
from pg_class c
where c.relnamespace = 'sluice'::regnamespace and c.relkind = 'r'
group by 1
order by 2 desc, 1`,
};

export async function tableSizes(db: Queryable): Promise<TableRow[]> {
  return await db.query<TableRow>(TABLES, []);
}

export interface FactsRow {
  readonly oldest_request: Date | null;
  readonly oldest_week: string | null;
  readonly ran_at: Date | null;
  readonly held_until: Date | null;
  readonly pipelines: readonly PipelineKeep[];
}

export interface PipelineKeep {
  readonly name: string;
  readonly version: number;
  readonly done: number | null;
  readonly failed: number | null;
  readonly cancelled: number | null;
}

const FACTS: Statement = {
  name: "retention-facts",
  text: `
select (select created_at from sluice.request order by id limit 1) as oldest_request,
  (select min(substr(c.relname, 9)) from pg_inherits h join pg_class c on c.oid = h.inhrelid
    where h.inhparent = 'sluice.journal'::regclass and c.relname ~ '^journal_[0-9]{4}w') as oldest_week,
  to_timestamp((s.value ->> 'ranAt')::float8 / 1000) as ran_at,
  to_timestamp(nullif((s.value ->> 'heldUntil')::float8, 0) / 1000) as held_until,
  array (
    select jsonb_build_object('name', p.name, 'version', p.version, 'done', extract(epoch from p.keep_done) * 1000,
      'failed', extract(epoch from p.keep_failed) * 1000, 'cancelled', extract(epoch from p.keep_cancelled) * 1000)
    from sluice.pipeline p
    order by p.name, p.version
    limit 1000) as pipelines
from (select) one
left join sluice.setting s on s.name = 'retention-walk'`,
};

export async function retentionFacts(db: Queryable): Promise<FactsRow> {
  const [row] = await db.query<FactsRow>(FACTS, []);
  return row ?? { oldest_request: null, oldest_week: null, ran_at: null, held_until: null, pipelines: [] };
}

export interface RemovalRow {
  readonly request_id: string;
  readonly asked_by: string | null;
  readonly asked_at: Date;
  readonly obstacle: string | null;
}

const REMOVALS: Statement = {
  name: "read-removals",
  text: `
select m.request_id, m.asked_by, m.asked_at, m.obstacle
from sluice.removal m
where m.due_at < 'infinity'
order by m.asked_at, m.request_id
limit 1000`,
};

/** Without those that go with another. */
export async function readRemovals(db: Queryable): Promise<RemovalRow[]> {
  return await db.query<RemovalRow>(REMOVALS, []);
}

const REMOVAL: Statement = {
  name: "read-removal",
  text: `
select request_id, asked_by, asked_at, obstacle from sluice.removal where request_id = $1 and asked_by is not null`,
};

/** Undefined for one that nobody asked to have removed. */
export async function readRemoval(db: Queryable, request: string): Promise<RemovalRow | undefined> {
  const [row] = await db.query<RemovalRow>(REMOVAL, [request]);
  return row;
}

export interface ExpiredRow {
  readonly pipeline: string;
  readonly version: number;
  readonly state: number;
  readonly items: number;
}

const EXPIRED: Statement = {
  name: "preview-requests",
  text: `
with over as materialized (
  select q.id from sluice.request q
  where not exists (select from sluice.removal m where m.request_id = q.id) and ${isExpired} and ${isFree}
  order by q.id
  limit $1
)
select p.name as pipeline, p.version, i.state, count(*)::int as items, (select count(*) from over)::int as requests
from over
join sluice.item i on i.request_id = over.id
join sluice.pipeline p on p.id = i.pipeline_id
group by p.name, p.version, i.state
order by p.name, p.version, i.state`,
};

/** What would go now, of the first so many requests that would. */
export async function previewRequests(
  db: Queryable,
  most: number,
): Promise<(ExpiredRow & { readonly requests: number })[]> {
  return await db.query<ExpiredRow & { readonly requests: number }>(EXPIRED, [most]);
}
