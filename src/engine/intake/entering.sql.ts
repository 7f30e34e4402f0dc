// The rows that what enters leaves in each table, the same by whichever statement it does. A statement brings the columns: of its
// requests as `asked`, of its items as `entering`.

import { fairKey } from "../items/fair-key.ts";

/** The codec of values this release writes: plain JSON. Read back with the item, so that a later codec can be told apart. */
export const CODEC = 1;

export const storeAsked = `requests as (
  insert into sluice.request (id, parent_id, key, total, created_at)
  select id, parent, key, total, sluice.now() from asked
),
owners as (
  insert into sluice.request_owner (request_id, owner, joined_at)
  select id, owner, sluice.now() from asked where owner is not null
)`;

/** What there is of an item beside its run row. */
export const storeEntering = `items as (
  insert into sluice.item (id, request_id, nonce, created_at, pipeline_id, priority, codec, owner, fairness, key, input, title, trace)
  select id, request_id, nonce, sluice.now(), pipeline, priority, ${CODEC}, owner, fairness, key, input::jsonb, title, trace
  from entering
),
journal as (
  insert into sluice.journal (at, item_id, request_id, version, kind, to_stage, series, reason)
  select sluice.now(), id, request_id, 0, 0, 0, 1, case when delay_ms > 0 then 'scheduled' end from entering
)`;

/** Of what waits to be claimed. */
export const storeRuns = `runs as (
  insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state, reason, deadline_at, fair)
  select id, request_id, ready_at, sluice.now(), 0, lane, 0, priority, 0,
    case when delay_ms > 0 then 'scheduled' end, deadline_at, ${fairKey("fairness")}
  from entering
)`;
