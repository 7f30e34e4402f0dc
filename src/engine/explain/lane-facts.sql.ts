// What keeps everything that is due in a lane: valves, missing workers, its service, its places. One fragment, because what is
// told of an item and what a list is searched for must never disagree about it.

import type { Queryable, Statement } from "../db/database.ts";
import { closedAndCovers, closedValveCovers } from "../items/valve-scope.sql.ts";
import type { Grant } from "../services/rate.ts";

export interface LaneFactsRow {
  readonly lane: number;
  readonly cap: number | null;
  readonly inside: number;
  readonly per_key: number | null;
  readonly live_workers: number;
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
}

/** Of each lane in `asked (lane, passes)`, as it is to what stands in line there or, where it passes, to what a person let through. */
export const laneFacts = (asked: string) => `
  select l.id as lane, w.passes, l.cap, room.inside, l.per_key, busy.keys as full_keys, crew.live_workers,
    (extract(epoch from s.resumed_at) * 1000)::float8 as resumed_ms,
    s.name as service, coalesce(s.is_open, false) as service_open, s.changed_at as service_changed_at,
    s.probe_at as service_probe_at, s.busy_until as service_busy_until,
    coalesce(s.busy_until > sluice.now(), false) as service_is_busy, s.code as service_code, s.message as service_message,
    s.capacity as service_capacity, used.inside as service_inside, s.ramp as service_ramp, used.leased as service_leased,
    s.limit_count as service_limit_count, s.limit_ms as service_limit_ms, s.grants as service_grants,
    (extract(epoch from sluice.now()) * 1000)::float8 as now_ms, l.takes_capacity,
    valve.kind as valve_kind, valve.service as valve_service, valve.note as valve_note, valve.changed_at as valve_changed_at,
    valve.until as valve_until, coalesce(valve.valves, 0) as valves, valve.has_breaker as valve_has_breaker
  from (${asked}) w
  join sluice.lane l on l.id = w.lane
  join sluice.pipeline p on p.id = l.pipeline_id
  left join sluice.service s on s.name = l.service
  left join lateral (
    select v.kind, v.service, v.note, v.changed_at, v.until, count(*) over ()::int as valves,
      bool_or(v.kind = 'breaker') over () as has_breaker
    from sluice.valve v
    -- Of what a person let through, only breakers still hold anything.
    where ${closedAndCovers} and (v.kind = 'breaker' or not w.passes)
    order by v.changed_at, v.id
    limit 1) valve on true
  cross join lateral (
    select count(*)::int as inside from sluice.run x
    where l.cap is not null and x.lane = l.id and x.state <> 0 and x.stage = l.stage) room
  cross join lateral (
    select array_agg(full_key.fair::text) as keys
    from (
      select x.fair from sluice.run x
      where l.per_key is not null and x.lane = l.id and x.state <> 0 and x.stage = l.stage and x.fair is not null
        -- What is let through a closed valve is let through this as well.
        and (not w.passes or not ${closedValveCovers})
      group by x.fair
      having count(*) >= l.per_key) full_key) busy
  cross join lateral (
    select count(*)::int as live_workers from sluice.worker
    where state = 0 and pipelines @> array[l.pipeline_id]
      and (stages is null or p.stages[l.stage + 1] = any (stages) or p.name = 'cleanup')
      and (coalesce(l.service, '') = '' or services && array[l.service, split_part(l.service, ':', 1)])) crew
  cross join lateral (
    select count(*) filter (where x.state = 1)::int as leased, count(*) filter (where o.takes_capacity)::int as inside
    from sluice.lane o
    join sluice.run x on x.lane = o.id and x.state <> 0 and x.stage = o.stage
    where (s.capacity is not null or s.ramp is not null) and o.service = s.name) used`;

/** Those of a `LaneFactsRow`: not the keys, which are many. */
export const laneColumns = `l.lane, l.cap, l.inside, l.per_key, l.live_workers, l.resumed_ms, l.service, l.service_open, l.service_changed_at,
  l.service_probe_at, l.service_busy_until, l.service_is_busy, l.service_code, l.service_message, l.service_capacity, l.service_inside,
  l.service_ramp, l.service_leased, l.service_limit_count, l.service_limit_ms, l.service_grants, l.now_ms, l.takes_capacity,
  l.valve_kind, l.valve_service, l.valve_note, l.valve_changed_at, l.valve_until, l.valves, l.valve_has_breaker`;

export interface WholeLaneRow extends LaneFactsRow {
  readonly passes: boolean;
  readonly full_keys: readonly string[] | null;
}

const LANES: Statement = {
  name: "explain-lanes",
  text: `${laneFacts(`
    select id as lane, false as passes from sluice.lane
    union all
    select distinct lane, true from sluice.run where state = 0 and is_manual`)}`,
};

/** Every lane there is; as it is to those who pass only where somebody does. */
export async function findLaneFacts(db: Queryable): Promise<WholeLaneRow[]> {
  return await db.query<WholeLaneRow>(LANES, []);
}
