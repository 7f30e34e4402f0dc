// Everything that decides why an item stands where it stands, in one statement and so in one snapshot.

import type { Queryable, Statement } from "../db/database.ts";
import { closedAndCovers, closedValveCovers } from "../items/valve-scope.sql.ts";
import type { Grant } from "../services/rate.ts";
import { AHEAD_MOST } from "./explanation.ts";

export interface FactsRow {
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
  readonly cap: number | null;
  readonly inside: number;
  readonly per_key: number | null;
  readonly key_inside: number;
  readonly ahead: number;
  readonly live_workers: number;
  readonly ref: string | null;
  readonly progress: number | null;
  readonly marks: Readonly<Record<string, number>> | null;
  readonly active_ms: number | null;
  readonly resumed_ms: number | null;
  readonly service: string | null;
  readonly service_open: boolean;
  readonly service_changed_at: Date | null;
  readonly service_probe_at: Date | null;
  readonly service_busy_until: Date | null;
  readonly service_is_busy: boolean;
  readonly service_code: string | null;
  readonly service_message: string | null;
  readonly service_capacity: number | null;
  readonly service_inside: number;
  readonly service_ramp: number | null;
  readonly service_leased: number;
  readonly service_limit_count: number | null;
  readonly service_limit_ms: number | null;
  readonly service_grants: readonly Grant[] | null;
  readonly now_ms: number;
  readonly takes_capacity: boolean | null;
  readonly valve_kind: string | null;
  readonly valve_service: string | null;
  readonly valve_note: string | null;
  readonly valve_changed_at: Date | null;
  readonly valve_until: Date | null;
  readonly valves: number;
  readonly valve_has_breaker: boolean | null;
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
  readonly end_attempt: number | null;
  readonly end_code: string | null;
  readonly end_message: string | null;
  readonly holder_name: string | null;
  readonly holder_state: number | null;
}

// Ahead is who the claim's walk over (lane, priority, ready_at, id) meets first. Better priorities and the own one are
// counted apart: with one condition for both, the own priority would be read to its end. The priorities are spelled out,
// because generate_series() counts as 1,000 rows to the planner, which then compiled this for 1.2 s to run it in 5 ms.
const FACTS: Statement = {
  name: "explain",
  text: `
select sluice.now() as now, i.state as item_state, i.created_at, i.finished_at, p.name as pipeline, p.version as pipeline_version,
  p.stages, coalesce(r.stage, last.stage) as stage, r.state as run_state, r.reason, r.since, r.ready_at, r.deadline_at,
  coalesce(r.ready_at <= sluice.now(), false) as is_due, r.attempts, l.cap, room.inside, l.per_key, of_key.inside as key_inside, line.ahead, crew.live_workers,
  r.ref, r.progress, r.marks, (extract(epoch from r.active_at) * 1000)::float8 as active_ms,
  (extract(epoch from s.resumed_at) * 1000)::float8 as resumed_ms,
  s.name as service, coalesce(s.is_open, false) as service_open, s.changed_at as service_changed_at,
  s.probe_at as service_probe_at, s.busy_until as service_busy_until,
  coalesce(s.busy_until > sluice.now(), false) as service_is_busy, s.code as service_code, s.message as service_message,
  s.capacity as service_capacity, used.inside as service_inside, s.ramp as service_ramp, used.leased as service_leased,
  s.limit_count as service_limit_count, s.limit_ms as service_limit_ms, s.grants as service_grants,
  (extract(epoch from sluice.now()) * 1000)::float8 as now_ms, l.takes_capacity,
  valve.kind as valve_kind, valve.service as valve_service, valve.note as valve_note, valve.changed_at as valve_changed_at,
  valve.until as valve_until, coalesce(valve.valves, 0) as valves, valve.has_breaker as valve_has_breaker, w.kind as waiter_kind, w.key as waiter_key,
  children.total as children_total, children.completed + children.failed + children.cancelled as children_ended,
  q.id as question_id, q.text as question_text, q.options as question_options, q.fallback_at as question_fallback_at,
  fault.code as fault_code, fault.message as fault_message, last.attempt as end_attempt, last.code as end_code,
  last.message as end_message, holder.name as holder_name, holder.state as holder_state
from sluice.item i
join sluice.pipeline p on p.id = i.pipeline_id
left join sluice.run r on r.id = i.id
left join sluice.lane l on l.id = r.lane
left join sluice.service s on s.name = l.service
left join sluice.waiter w on w.run_id = r.id
left join sluice.request children on children.id = case when w.kind = 'children' then w.key::bigint end
left join sluice.worker holder on holder.epoch = r.epoch
left join lateral (
  select v.kind, v.service, v.note, v.changed_at, v.until, count(*) over ()::int as valves,
    bool_or(v.kind = 'breaker') over () as has_breaker
  from sluice.valve v
  -- Of what a person let through, only breakers still hold anything.
  where l.id is not null and ${closedAndCovers} and (v.kind = 'breaker' or r.is_manual is not true)
  order by v.changed_at, v.id
  limit 1) valve on true
cross join lateral (
  select count(*)::int as inside from sluice.run x
  where l.cap is not null and x.lane = l.id and x.state <> 0 and x.stage = l.stage) room
cross join lateral (
  select count(*)::int as inside from sluice.run x
  where l.per_key is not null and x.lane = l.id and x.state <> 0 and x.stage = l.stage and x.fair = r.fair
    -- What is let through a closed valve is let through this as well.
    and (r.is_manual is not true or not ${closedValveCovers})) of_key
cross join lateral (
  select count(*)::int as live_workers from sluice.worker
  where state = 0 and pipelines @> array[i.pipeline_id]
    and (stages is null or p.stages[l.stage + 1] = any (stages) or p.name = 'cleanup')
    and (coalesce(l.service, '') = '' or services && array[l.service, split_part(l.service, ':', 1)])) crew
cross join lateral (
  select count(*) filter (where x.state = 1)::int as leased, count(*) filter (where o.takes_capacity)::int as inside
  from sluice.lane o
  join sluice.run x on x.lane = o.id and x.state <> 0 and x.stage = o.stage
  where (s.capacity is not null or s.ramp is not null) and o.service = s.name) used
cross join lateral (
  select count(*)::int as ahead
  from (
    select from (values (1), (2), (3), (4)) better (priority)
    cross join lateral (
      select from sluice.run x
      where x.lane = r.lane and x.state = 0 and x.priority = better.priority and x.ready_at <= sluice.now()
      order by x.ready_at, x.id
      limit ${AHEAD_MOST + 1}) found
    where better.priority < r.priority
    union all
    (select from sluice.run x
    where x.lane = r.lane and x.state = 0 and x.priority = r.priority and x.ready_at <= sluice.now()
      and (x.ready_at, x.id) < (r.ready_at, r.id)
    order by x.ready_at, x.id
    limit ${AHEAD_MOST + 1})) waiting) line
left join lateral (
  select id, text, options, fallback_at from sluice.question
  where run_id = r.id and answered_at is null and withdrawn_at is null
  order by id desc
  limit 1) q on true
left join lateral (
  select code, message from sluice.journal
  where item_id = r.id and kind in (8, 16) and stage = r.stage and series = r.series
  order by version desc
  limit 1) fault on true
left join lateral (
  select stage, attempt, code, message from sluice.journal
  where item_id = i.id and ended <> 0 and i.state <> 0
  order by version desc
  limit 1) last on true
where i.id = $1`,
};

/** Undefined when there is no such item. */
export async function findFacts(db: Queryable, item: string): Promise<FactsRow | undefined> {
  const [row] = await db.query<FactsRow>(FACTS, [item]);
  return row;
}
