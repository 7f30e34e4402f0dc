// How work enters: requests, items, run rows and the first journal rows in one statement.

import type { Queryable, Statement } from "../db/database.ts";
import { fairKey } from "../items/fair-key.ts";

export interface NewRequest {
  readonly total: number;
  readonly key: string | null;
  readonly owner: string | null;
  readonly parent: string | null;
}

export interface NewItem {
  /** Which of the requests of the same call it belongs to, counted from 1; or the id of a request that is there already. */
  readonly request: number | { readonly id: string };
  readonly pipeline: number;
  readonly lane: number;
  readonly nonce: string;
  readonly priority: number;
  readonly delayMs: number;
  readonly owner: string | null;
  readonly fairness: string | null;
  readonly key: string | null;
  readonly input: string;
  /** It fails unless it has ended by then, counted from now. Never later than its parent's. */
  readonly deadlineMs?: number | null;
  readonly trace?: string | null;
}

export interface SubmittedRow {
  readonly ord: number;
  readonly id: string;
  readonly request_id: string;
}

/** The codec of values this release writes: plain JSON. Read back with the item, so that a later codec can be told apart. */
export const CODEC = 1;

const SUBMIT: Statement = {
  name: "submit",
  text: `
with asked as materialized (
  select nextval('sluice.request_ids') as id, u.ord, u.total, u.key, u.owner, u.parent,
    (select r.deadline_at from sluice.run r where r.id = u.parent) as until
  from unnest($1::int[], $2::text[], $3::text[], $4::bigint[]) with ordinality u (total, key, owner, parent, ord)
),
entering as materialized (
  -- Looked up in an array: after a join the rows come in any order, and ids are to follow the order of the inputs.
  select nextval('sluice.item_ids') as id,
    coalesce((array (select asked.id from asked order by asked.ord))[u.request], u.joined) as request_id, u.ord, u.pipeline, u.lane, u.nonce, u.priority,
    u.delay_ms, u.owner, u.fairness, u.key, u.input, u.trace,
    least(sluice.now() + u.deadline_ms * interval '1 millisecond',
      (array (select asked.until from asked order by asked.ord))[u.request]) as deadline_at
  from unnest($5::int[], $6::int[], $7::int[], $8::bigint[], $9::smallint[], $10::float8[], $11::text[], $12::text[],
      $13::text[], $14::text[], $15::bigint[], $16::float8[], $17::text[])
    with ordinality u (request, pipeline, lane, nonce, priority, delay_ms, owner, fairness, key, input, joined, deadline_ms,
      trace, ord)
),
requests as (
  insert into sluice.request (id, parent_id, key, total, created_at)
  select id, parent, key, total, sluice.now() from asked
),
owners as (
  insert into sluice.request_owner (request_id, owner, joined_at)
  select id, owner, sluice.now() from asked where owner is not null
),
items as (
  insert into sluice.item (id, request_id, nonce, created_at, pipeline_id, priority, codec, owner, fairness, key, input, trace)
  select id, request_id, nonce, sluice.now(), pipeline, priority, ${CODEC}, owner, fairness, key, input::jsonb, trace
  from entering
),
runs as (
  insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state, reason, deadline_at, fair)
  select id, request_id, sluice.now() + delay_ms * interval '1 millisecond', sluice.now(), 0, lane, 0, priority, 0,
    case when delay_ms > 0 then 'scheduled' end, deadline_at, ${fairKey("fairness")}
  from entering
),
journal as (
  insert into sluice.journal (at, item_id, request_id, version, kind, to_stage, series, reason)
  select sluice.now(), id, request_id, 0, 0, 0, 1, case when delay_ms > 0 then 'scheduled' end from entering
)
select ord::int, id, request_id from entering order by ord`,
};

export async function insertRequests(
  db: Queryable,
  requests: readonly NewRequest[],
  items: readonly NewItem[],
): Promise<SubmittedRow[]> {
  return await db.query<SubmittedRow>(SUBMIT, [
    requests.map((request) => request.total),
    requests.map((request) => request.key),
    requests.map((request) => request.owner),
    requests.map((request) => request.parent),
    items.map((item) => (typeof item.request === "number" ? item.request : null)),
    items.map((item) => item.pipeline),
    items.map((item) => item.lane),
    items.map((item) => item.nonce),
    items.map((item) => item.priority),
    items.map((item) => item.delayMs),
    items.map((item) => item.owner),
    items.map((item) => item.fairness),
    items.map((item) => item.key),
    items.map((item) => item.input),
    items.map((item) => (typeof item.request === "number" ? null : item.request.id)),
    items.map((item) => item.deadlineMs ?? null),
    items.map((item) => item.trace ?? null),
  ]);
}
