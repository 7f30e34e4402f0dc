// How work enters: requests, items, run rows and the first journal rows in one statement.

import { jsonTexts, numbers } from "../db/array-text.ts";
import type { Queryable, Statement } from "../db/database.ts";
import { storeAsked, storeEntering, storeRuns } from "./entering.sql.ts";

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
  /** What people call it. */
  readonly title?: string | null;
  /** It fails unless it has ended by then, counted from now. Never later than its parent's. */
  readonly deadlineMs?: number | null;
  readonly trace?: string | null;
}

export interface SubmittedRow {
  readonly id: string;
  readonly request_id: string;
}

// What items of a submission have in common stands in the statement once: most of a large one used to be the same values again
// and again, written by us and read by the server.
const SUBMIT: Statement = {
  name: "submit",
  text: `
with asked as materialized (
  select nextval('sluice.request_ids') as id, u.ord, u.total, u.key, u.owner, u.parent,
    (select r.deadline_at from sluice.run r where r.id = u.parent) as until
  from unnest($1::int[], $2::text[], $3::text[], $4::bigint[]) with ordinality u (total, key, owner, parent, ord)
),
entering as materialized (
  select nextval('sluice.item_ids') as id, o.*
  from (
    -- Request ids are looked up in an array, by place. Sorted after the join: ids are to follow the order of the inputs.
    select coalesce((array (select asked.id from asked order by asked.ord))[u.request], k.joined) as request_id, u.ord, u.nonce,
      u.input, u.title, k.pipeline, k.lane, k.priority, k.delay_ms, k.owner, k.fairness, k.key, k.trace,
      sluice.now() + k.delay_ms * interval '1 millisecond' as ready_at,
      least(sluice.now() + k.deadline_ms * interval '1 millisecond',
        (array (select asked.until from asked order by asked.ord))[u.request]) as deadline_at
    -- Where none has a title there is no list of them, and what a list lacks is null.
    from unnest($5::bigint[], $6::int[], $7::bigint[], $8::text[], $19::text[]) with ordinality u (kind, request, nonce, input, title, ord)
    join unnest($9::int[], $10::int[], $11::smallint[], $12::float8[], $13::text[], $14::text[], $15::text[], $16::bigint[],
        $17::float8[], $18::text[])
      with ordinality k (pipeline, lane, priority, delay_ms, owner, fairness, key, joined, deadline_ms, trace, kind)
      on k.kind = u.kind
    order by u.ord) o
),
${storeAsked},
${storeEntering},
${storeRuns}
select (select string_agg(id::text, ' ' order by ord) from asked) as requests,
  (select string_agg(id::text, ' ' order by ord) from entering) as items`,
};

/** A row for each item, in their order. */
export async function insertRequests(
  db: Queryable,
  requests: readonly NewRequest[],
  items: readonly NewItem[],
): Promise<SubmittedRow[]> {
  const { kinds, indexes } = kindsOf(items);
  const [made] = await db.query<{ requests: string | null; items: string | null }>(SUBMIT, [
    requests.map((request) => request.total),
    requests.map((request) => request.key),
    requests.map((request) => request.owner),
    requests.map((request) => request.parent),
    numbers(indexes),
    // No request of this call is the 0th.
    numbers(items.map((item) => (typeof item.request === "number" ? item.request : 0))),
    numbers(items.map((item) => item.nonce)),
    jsonTexts(items.map((item) => item.input)),
    kinds.map((kind) => kind.pipeline),
    kinds.map((kind) => kind.lane),
    kinds.map((kind) => kind.priority),
    kinds.map((kind) => kind.delayMs),
    kinds.map((kind) => kind.owner),
    kinds.map((kind) => kind.fairness),
    kinds.map((kind) => kind.key),
    kinds.map(joinedBy),
    kinds.map((kind) => kind.deadlineMs ?? null),
    kinds.map((kind) => kind.trace ?? null),
    items.some((item) => item.title) ? items.map((item) => item.title ?? null) : null,
  ]);
  const requestIds = made?.requests?.split(" ") ?? [];
  const ids = made?.items?.split(" ") ?? [];
  return items.map(({ request }, index) => ({
    id: ids[index] ?? "",
    request_id: typeof request === "number" ? (requestIds[request - 1] ?? "") : request.id,
  }));
}

function joinedBy({ request }: NewItem): string | null {
  return typeof request === "number" ? null : request.id;
}

/** One of each kind, and for each item which it is, counted from 1. Only neighbours are compared: those of a request are alike. */
function kindsOf(items: readonly NewItem[]): {
  readonly kinds: readonly NewItem[];
  readonly indexes: readonly number[];
} {
  const kinds: NewItem[] = [];
  const indexes = items.map((item) => {
    const last = kinds.at(-1);
    if (last === undefined || !isAlike(item, last)) kinds.push(item);
    return kinds.length;
  });
  return { kinds, indexes };
}

function isAlike(one: NewItem, other: NewItem): boolean {
  return (
    one.pipeline === other.pipeline &&
    one.lane === other.lane &&
    one.priority === other.priority &&
    one.delayMs === other.delayMs &&
    one.owner === other.owner &&
    one.fairness === other.fairness &&
    one.key === other.key &&
    joinedBy(one) === joinedBy(other) &&
    one.deadlineMs === other.deadlineMs &&
    one.trace === other.trace
  );
}
