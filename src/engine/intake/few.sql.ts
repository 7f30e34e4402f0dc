// How the few enter that somebody may be waiting for: with less to compute than a thousand need, which on an idle server is a
// quarter of the time of a single one. Each item brings its own values, and its request where it is the first of one.

import { jsonTexts, numbers } from "../db/array-text.ts";
import type { Queryable, Statement } from "../db/database.ts";
import { fairKey } from "../items/fair-key.ts";
import { tellIf } from "../workers/notify.sql.ts";
import { type NewItem, type SubmittedRow, storeEntering } from "./submit.sql.ts";

/** In requests of their own, without a key. */
export type FewItem = Omit<NewItem, "request" | "key"> & {
  /** Items of the request that begins with this one. Null: it belongs to the same as the one before. */
  readonly total: number | null;
};

const FEW: Statement = {
  name: "submit-few",
  text: `
with entering as materialized (
  select nextval('sluice.item_ids') as id,
    -- The list is read from its beginning, so the newest id is that of the request it belongs to.
    case when u.total is null then currval('sluice.request_ids') else nextval('sluice.request_ids') end as request_id,
    sluice.now() + u.deadline_ms * interval '1 millisecond' as deadline_at, null::text as key, u.*
  from unnest($1::int[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::int[], $7::smallint[], $8::float8[], $9::text[],
    $10::text[], $11::float8[], $12::text[])
    u (total, nonce, input, title, pipeline, lane, priority, delay_ms, owner, fairness, deadline_ms, trace)
),
requests as (
  insert into sluice.request (id, total, created_at)
  select request_id, total, sluice.now() from entering where total is not null
),
owners as (
  insert into sluice.request_owner (request_id, owner, joined_at)
  select request_id, owner, sluice.now() from entering where total is not null and owner is not null
),
${storeEntering},
runs as (
  insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state, reason, deadline_at, fair)
  select id, request_id, sluice.now() + delay_ms * interval '1 millisecond', sluice.now(), 0, lane, 0, priority, 0,
    case when delay_ms > 0 then 'scheduled' end, deadline_at, ${fairKey("fairness")}
  from entering
)
select id, request_id, ${tellIf("$13")} as told from entering order by id`,
};

/** A row for each item, in their order. With `tells` other processes hear of it with the commit. */
export async function insertFew(db: Queryable, items: readonly FewItem[], tells: boolean): Promise<SubmittedRow[]> {
  return await db.query<SubmittedRow>(FEW, [
    items.map((item) => item.total),
    numbers(items.map((item) => item.nonce)),
    jsonTexts(items.map((item) => item.input)),
    items.map((item) => item.title ?? null),
    items.map((item) => item.pipeline),
    items.map((item) => item.lane),
    items.map((item) => item.priority),
    items.map((item) => item.delayMs),
    items.map((item) => item.owner),
    items.map((item) => item.fairness),
    items.map((item) => item.deadlineMs ?? null),
    items.map((item) => item.trace ?? null),
    tells,
  ]);
}
