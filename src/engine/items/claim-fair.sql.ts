// Taking due items by turns: of each key as many as of the others, within a lane and priority.
//
// Keys are found by stepping through the index (lane, priority, fair, …) from one to the next, beginning after the one that
// was served last and going round. Everything else is as in claim.sql.ts; places of pipelines that take no turns may be among
// those asked for, so that a better priority comes first in all lanes.

import type { Queryable, Statement } from "../db/database.ts";
import {
  begunIn,
  type ClaimedRow,
  type ClaimPlace,
  claimedBy,
  isOpen,
  mayProbe,
  openTo,
  takePicked,
} from "./claim.sql.ts";

/** So many keys have their turn in one claim; the next begins with those after them. */
const KEYS_MOST = 64;
/** Of those that have nothing due so many are passed over: their items wait for something, or for their time. */
const STEPS_MOST = 256;
/** Where keys are limited, any of them may be full, and nobody else is looked for by age. */
const LIMITED_KEYS_MOST = 256;
const LIMITED_STEPS_MOST = 1_000;

const ofPlace = (key: string) => `r.lane = ${key}.lane and r.priority = ${key}.priority and r.state = 0`;

const isDue = `r.ready_at <= sluice.now() - $7 * interval '1 second'`;

// Where keys have a limit of their own, what a dead worker held is no exception to it.
const dueOfKey = `${ofPlace("k")} and r.fair = k.key and ${isDue}
      and (r.suspicion = 0 or k.per_key is not null)`;

const unlimited = `select lane from place where per_key is null`;

const claimFairWhere = (mayClaim: string) => `
with recursive place as materialized (
  select w.ord, w.lane, w.priority, w.floor, w.after, l.per_key
  from unnest($1::int[], $2::smallint[], $3::float8[], $6::bigint[]) with ordinality w (lane, priority, floor, after, ord)
  ${openTo("$5", mayClaim)}
  order by w.ord
),
${begunIn(unlimited)},
-- The first of each key says whether anything of it is due: it has been ready for longest.
turn as (
  select ord, lane, priority, after, per_key, after as key, false as is_round, false as is_due, 0 as nth, 0 as found
  from place where after is not null
  union all
  select t.ord, t.lane, t.priority, t.after, t.per_key, next.key, next.is_round, next.is_due, t.nth + 1,
    t.found + next.is_due::int
  from turn t
  cross join lateral (
    select ahead.key, ahead.is_due, ahead.is_round from (
      select r.fair as key, ${isDue} as is_due, t.is_round from sluice.run r
      where ${ofPlace("t")} and r.fair > t.key and (not t.is_round or r.fair <= t.after)
      order by r.fair, r.ready_at, r.id
      limit 1) ahead
    union all
    select again.key, again.is_due, true from (
      select r.fair as key, ${isDue} as is_due from sluice.run r
      where ${ofPlace("t")} and r.fair <= t.after and not t.is_round
      order by r.fair, r.ready_at, r.id
      limit 1) again
    limit 1) next
  where t.nth < case when t.per_key is null then ${STEPS_MOST} else ${LIMITED_STEPS_MOST} end
    and t.found < case when t.per_key is null then least(${KEYS_MOST}, $4) else ${LIMITED_KEYS_MOST} end
),
held as materialized (
  -- Rows handed on keep the lane they were claimed from, so the stage decides who is still in this one.
  select r.lane, r.fair, count(*) as held
  from sluice.run r
  join sluice.lane l on l.id = r.lane and l.stage = r.stage
  where r.lane = any (array (select lane from place where per_key is not null)) and r.state <> 0
  group by r.lane, r.fair
),
due as materialized (
  select k.ord, k.lane, k.priority, k.per_key, k.key, k.nth, k.room,
    ceil($4::float8 / count(*) over (partition by k.ord))::int as share
  from (
    select t.*, coalesce(t.per_key - coalesce(h.held, 0), $4)::int as room
    from turn t
    left join held h on h.lane = t.lane and h.fair = t.key
    where t.is_due
  ) k
  where k.room > 0
),
picked as materialized (
  select tid from begun
  union all
  select chosen.tid
  from place
  cross join lateral (
    select of_turn.tid
    from (select * from due where due.ord = place.ord order by due.nth) k
    cross join lateral (
      select r.ctid as tid from sluice.run r where ${dueOfKey}
      order by r.ready_at, r.id
      limit least(k.share, k.room)
      for update skip locked
    ) of_turn
    union all
    select more.tid
    from (select * from due where due.ord = place.ord order by due.nth) k
    cross join lateral (
      select r.ctid as tid from sluice.run r where ${dueOfKey}
      order by r.ready_at, r.id
      offset k.share limit greatest(0, k.room - k.share)
      for update skip locked
    ) more
    union all
    select rest.tid
    from (
      select r.ctid as tid from sluice.run r
      where ${ofPlace("place")} and r.suspicion = 0 and r.ready_at <= sluice.now() and r.ready_at >= to_timestamp(place.floor)
        and place.per_key is null
        and (r.fair is null or r.fair <> all (array (select due.key from due where due.ord = place.ord)))
      order by r.ready_at, r.id
      limit $4
      for update skip locked
    ) rest
  ) chosen
  limit $4
),
${takePicked("$5")}`;

const CLAIM_FAIR: Statement = { name: "claim-fair", text: claimFairWhere(isOpen) };

const PROBE_FAIR: Statement = { name: "claim-fair-probe", text: claimFairWhere(mayProbe) };

/** Where keys have a limit, a lane may be among the places once only: what is taken in one does not count in the next. */
export async function claimFair(
  db: Queryable,
  places: readonly ClaimPlace[],
  limit: number,
  epoch: string,
  readyForSeconds = 0,
): Promise<ClaimedRow[]> {
  return await claimedBy(db, CLAIM_FAIR, asked(places, limit, epoch, readyForSeconds));
}

/** Lets one item through an open breaker, for whoever holds its probe. */
export async function claimFairProbe(
  db: Queryable,
  places: readonly ClaimPlace[],
  limit: number,
  epoch: string,
): Promise<ClaimedRow[]> {
  return await claimedBy(db, PROBE_FAIR, asked(places, limit, epoch, 0));
}

function asked(places: readonly ClaimPlace[], limit: number, epoch: string, readyForSeconds: number): unknown[] {
  return [
    places.map((place) => place.lane),
    places.map((place) => place.priority),
    places.map((place) => place.floor),
    limit,
    epoch,
    places.map((place) => place.after ?? null),
    readyForSeconds,
  ];
}
