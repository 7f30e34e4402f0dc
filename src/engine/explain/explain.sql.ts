// Everything that decides why items stand where they stand, in one statement and so in one snapshot: of one, or of a page's.

import type { Queryable, Statement } from "../db/database.ts";
import { keyOf } from "../items/key-taken.sql.ts";
import { AHEAD_MOST } from "./explanation.ts";
import { type LaneFactsRow, laneColumns, laneFacts } from "./lane-facts.sql.ts";

/** What has ended is in no lane, and has nothing of one. */
export type FactsRow = ItemFactsRow & (LaneFactsRow | { readonly [Fact in keyof LaneFactsRow]: null });

interface ItemFactsRow {
  readonly id: string;
  readonly now: Date;
  readonly item_state: number;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly pipeline: string;
  readonly pipeline_version: number;
  readonly stages: readonly string[];
  readonly stage: number | null;
  readonly run_state: number | null;
  readonly reason: string | null;
  readonly since: Date | null;
  readonly ready_at: Date | null;
  readonly deadline_at: Date | null;
  readonly is_due: boolean;
  readonly attempts: number | null;
  readonly key_is_full: boolean;
  readonly ahead: number;
  readonly ref: string | null;
  readonly progress: number | null;
  readonly marks: Readonly<Record<string, number>> | null;
  readonly active_ms: number | null;
  readonly waiter_kind: "signal" | "item" | "children" | null;
  readonly waiter_key: string | null;
  readonly children_total: number | null;
  readonly children_ended: number | null;
  readonly question_id: string | null;
  readonly question_text: string | null;
  readonly question_options: readonly string[] | null;
  readonly question_fallback_at: Date | null;
  readonly fault_code: string | null;
  readonly fault_message: string | null;
  /** What the stage said of its wait. */
  readonly note: string | null;
  readonly end_attempt: number | null;
  readonly end_code: string | null;
  readonly end_message: string | null;
  readonly key_taken: boolean;
  readonly holder_name: string | null;
  readonly holder_state: number | null;
}

// What a lane's items have in common is read once for all of them.
//
// Ahead is who the claim's walk over (lane, priority, ready_at, id) meets first. Each priority is walked apart, and the last one
// that matters no further than the last item asked for: with one condition for all, it would be read to its end. The priorities
// are spelled out, because generate_series() counts as 1,000 rows to the planner, which then compiled this for 1.2 s to run it
// in 5 ms.
const FACTS: Statement = {
  name: "explain",
  text: `
with asked as materialized (
  select i.id, i.request_id, i.state as item_state, i.created_at, i.finished_at, i.pipeline_id, r.id as run_id, r.lane, r.stage, r.state as run_state,
    r.reason, r.since, r.ready_at, r.deadline_at, coalesce(r.ready_at <= sluice.now(), false) as is_due, r.attempts, r.series,
    r.priority, r.fair, r.is_manual is true as passes, r.ref, r.progress, r.marks, r.active_at, r.epoch
  from unnest($1::bigint[]) w (id)
  cross join lateral (select x.* from sluice.item x where x.id = w.id limit 1) i
  left join lateral (select x.* from sluice.run x where x.id = w.id limit 1) r on true
),
lane as materialized (${laneFacts("select distinct lane, passes from asked where lane is not null")}
),
line as materialized (
  select n.id, n.ahead
  from (
    select found.id, (row_number() over (partition by q.lane order by better.priority, found.ready_at, found.id))::int - 1 as ahead
    from (
      select distinct on (lane) lane, priority, ready_at from asked where run_state = 0 and is_due
      order by lane, priority desc, ready_at desc) q
    cross join (values (1), (2), (3), (4), (5)) better (priority)
    cross join lateral (
      select x.id, x.ready_at from sluice.run x
      where x.lane = q.lane and x.state = 0 and x.priority = better.priority
        and x.ready_at <= case when better.priority < q.priority then sluice.now() else q.ready_at end
      order by x.ready_at, x.id
      limit ${AHEAD_MOST + 1}) found
    where better.priority <= q.priority) n
  where n.id = any ($1::bigint[])
)
select a.id, sluice.now() as now, a.item_state, a.created_at, a.finished_at, p.name as pipeline, p.version as pipeline_version, p.stages,
  coalesce(a.stage, last.stage) as stage, a.run_state, a.reason, a.since, a.ready_at, a.deadline_at, a.is_due, a.attempts, a.ref,
  a.progress, a.marks, (extract(epoch from a.active_at) * 1000)::float8 as active_ms,
  ${laneColumns}, coalesce(a.fair::text = any (l.full_keys), false) as key_is_full,
  case when a.is_due then least(coalesce(line.ahead, ${AHEAD_MOST + 1}), ${AHEAD_MOST + 1}) else 0 end as ahead,
  w.kind as waiter_kind, w.key as waiter_key,
  children.total as children_total, children.completed + children.failed + children.cancelled as children_ended,
  q.id as question_id, q.text as question_text, q.options as question_options, q.fallback_at as question_fallback_at,
  told.code as fault_code, case when told.is_wait then null else told.message end as fault_message,
  case when told.is_wait then told.message end as note, last.attempt as end_attempt, last.code as end_code,
  last.message as end_message, coalesce(own.is_taken, false) as key_taken, holder.name as holder_name, holder.state as holder_state
from asked a
join sluice.pipeline p on p.id = a.pipeline_id
left join lane l on l.lane = a.lane and l.passes = a.passes
left join line on line.id = a.id
left join sluice.waiter w on w.run_id = a.run_id
left join sluice.request children on children.id = case when w.kind = 'children' then w.key::bigint end
left join sluice.worker holder on holder.epoch = a.epoch
left join lateral (
  select id, text, options, fallback_at from sluice.question
  where run_id = a.run_id and answered_at is null and withdrawn_at is null
  order by id desc
  limit 1) q on true
left join lateral (
  -- The last fault, or what a stage said of what it waits for.
  select code, message, kind = 4 as is_wait from sluice.journal
  where item_id = a.run_id and (kind in (8, 16) or kind = 4 and reason = a.reason) and stage = a.stage and series = a.series
  order by version desc
  limit 1) told on true
left join lateral (
  select stage, attempt, code, message from sluice.journal
  where item_id = a.id and ended <> 0 and a.item_state <> 0
  order by version desc
  limit 1) last on true
left join sluice.request asked_by on asked_by.id = case when a.item_state = 2 then a.request_id end
left join lateral (${keyOf("asked_by")}) own on true`,
};

/** Of each that is there, in no order. */
export async function findAllFacts(db: Queryable, items: readonly string[]): Promise<FactsRow[]> {
  return items.length === 0 ? [] : await db.query<FactsRow>(FACTS, [items]);
}

/** Undefined when there is no such item. */
export async function findFacts(db: Queryable, item: string): Promise<FactsRow | undefined> {
  const [row] = await findAllFacts(db, [item]);
  return row;
}
