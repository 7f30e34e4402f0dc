// Items that may be stuck: who stands still for an hour. Whether something passing keeps them is for explain to say.
//
// Bounded: of each lane and priority only those that are due longest, by (lane, priority, ready_at, id); what is in hand by
// (lane, epoch); what came after an item by (item_id, version).

import type { Queryable, Statement } from "../db/database.ts";
import { fairKey } from "../items/fair-key.ts";
import { closedValveCovers } from "../items/valve-scope.sql.ts";

export interface SuspectRow {
  readonly id: string;
  readonly kind: "unclaimed" | "held" | "watched" | "unreadable";
}

const anHourAgo = "sluice.now() - interval '1 hour'";

/** Nothing of the lane was claimed for an hour: nobody has it in hand since, and no visit left a trace. */
const claimedNone = `(
    not exists (
      select from sluice.run h where h.lane = l.id and h.state <> 0 and h.stage = l.stage and h.since > ${anHourAgo} limit 1)
    and not exists (
      select from sluice.figure f
      where f.pipeline_id = l.pipeline_id and f.stage = l.stage and f.at > ${anHourAgo} and f.visits > 0))`;

/**
 * Somebody has one in hand that was due later, or one that came in later has been visited. No better priority counts, and no
 * other key: where turns are taken, those with less in line go past those with more.
 */
const claimedYounger = `(
    exists (
      select from sluice.run h
      where h.lane = l.id and h.state <> 0 and h.stage = l.stage and h.ready_at > r.ready_at and h.priority >= r.priority
        and (r.fair is null or h.fair = r.fair))
    or exists (
      select from (
        select j.item_id, j.stage, j.kind from sluice.journal j where j.item_id > r.id order by j.item_id limit 200) j
      join sluice.item i on i.id = j.item_id
      where j.stage = l.stage and j.kind in (1, 2, 3, 4, 5, 6, 7, 8, 18) and i.pipeline_id = l.pipeline_id
        and i.created_at > r.ready_at and i.priority >= r.priority and (r.fair is null or ${fairKey("i.fairness")} = r.fair)))`;

/** Of those that are looked at; an owner's may stand behind many of others', and is found when those are not stuck any more. */
const isOwned = "($2::text is null or exists (select from sluice.item o where o.id = r.id and o.owner = $2))";

const SUSPECTS: Statement = {
  name: "stuck-suspects",
  text: `
with unclaimed as (
  select r.id
  from sluice.lane l
  join sluice.pipeline p on p.id = l.pipeline_id
  cross join (values (1), (2), (3), (4), (5)) level (priority)
  cross join lateral (
    select x.id, x.ready_at, x.priority, x.fair from sluice.run x
    where x.lane = l.id and x.state = 0 and x.priority = level.priority and x.ready_at <= ${anHourAgo}
    order by x.ready_at, x.id
    limit 20) r
  where not ${closedValveCovers} and (${claimedNone} or ${claimedYounger}) and ${isOwned}
  limit $1
),
held as (
  select r.id
  from sluice.lane l
  join sluice.run r on r.lane = l.id and r.state <> 0 and r.epoch > 0
  left join sluice.checkpoint c on c.run_id = r.id
  where r.since <= ${anHourAgo} and (c.written_at is null or c.written_at <= ${anHourAgo}) and ${isOwned}
  limit $1
),
watched as (
  select r.id
  from sluice.lane l
  cross join lateral (
    select x.id, x.active_at, x.reason from sluice.run x
    where x.lane = l.id and x.epoch = -l.id and x.state <> 0
    limit 20000) r
  where r.reason is null and r.active_at <= ${anHourAgo} and ${isOwned}
  limit $1
),
unreadable as (
  select r.id
  from sluice.lane l
  cross join (values (1), (2), (3), (4), (5)) level (priority)
  cross join lateral (
    select x.id, x.reason, x.since from sluice.run x
    where x.lane = l.id and x.state = 0 and x.priority = level.priority and x.ready_at > sluice.now()
    order by x.ready_at, x.id
    limit 200) r
  where r.reason = 'undecodable' and r.since <= ${anHourAgo} and ${isOwned}
  limit $1
)
select id, 'unclaimed' as kind from unclaimed
union all
select id, 'held' from held
union all
select id, 'watched' from watched
union all
select id, 'unreadable' from unreadable
limit $1`,
};

export async function stuckSuspects(db: Queryable, most: number, owner?: string): Promise<SuspectRow[]> {
  return await db.query<SuspectRow>(SUSPECTS, [most, owner ?? null]);
}
