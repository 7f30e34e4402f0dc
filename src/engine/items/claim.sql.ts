// Taking due items under a fence.
//
// The index (lane, priority, ready_at, id) is walked once per lane and priority, so rows that are due later, rows behind
// a closed valve and rows of lanes nobody asked for are never touched. The floor is a hint: while an old snapshot holds
// vacuum back, it lets the walk begin after the dead entries of what was claimed before. Rows may commit with an earlier
// ready_at than the floor, so callers drop it often; a row can be late by that much, never lost.
//
// `= any (array (…))` instead of a join: what was picked becomes a constant before the update is planned, so no statistics can
// turn it into a scan of the table. It is told by where the rows lie, which saves looking them up once more: locked as they are,
// they stay there. (And no "state = 0" beside it: the planner would read the whole partial index for it.)

import type { Database, Queryable, Statement } from "../db/database.ts";
import { type ClaimedRow, type ClaimedWire, toClaimed } from "./claimed.ts";
import { closedAndCovers, closedValveCovers } from "./valve-scope.sql.ts";

export type { ClaimedRow } from "./claimed.ts";

export interface ClaimPlace {
  readonly lane: number;
  readonly priority: number;
  /** Seconds since 1970 by the database clock; nothing that became ready before it is looked at. */
  readonly floor: number;
  /** Of what became ready in that moment, nothing before this one: all of a submission became ready in the same. */
  readonly from?: string;
  /** Where its keys take turns: the one that was served last. A key is a number of 64 bits. */
  readonly after?: string;
}

/** What most rows have: nothing was tried yet, and nobody waits. Of the others what they have comes along as one value. */
const isFresh = `(r.attempts | r.backs | r.waits | r.suspicion | r.crashes | r.flags) = 0 and r.series = 1
      and num_nonnulls(r.reason, r.ref, r.is_manual, r.fair) = 0`;

const columns = `r.id, r.request_id, r.version, r.lane, r.stage, r.priority, date_part('epoch', r.ready_at) as ready,
    case when not (${isFresh}) then jsonb_build_object('attempts', r.attempts, 'series', r.series, 'backs', r.backs,
      'waits', r.waits, 'suspicion', r.suspicion, 'crashes', r.crashes, 'flags', r.flags, 'reason', r.reason, 'ref', r.ref,
      'is_manual', r.is_manual, 'fair', r.fair::text) end as of_run`;

/** The end of every claim: what was picked and locked is taken under a new fence, and brings what a visit needs. */
export const takePicked = (epoch: string) => `claimed as (
  update sluice.run r
  set state = 1, epoch = ${epoch}, version = r.version + 1, since = sluice.now(), begun_at = coalesce(r.begun_at, sluice.now())
  where r.ctid = any (array (select tid from picked))
  returning ${columns}
)
select c.*, i.nonce, i.owner, i.codec, i.input,
  case when num_nonnulls(i.fairness, i.part, i.trace) > 0
    then jsonb_build_object('fairness', i.fairness, 'part', i.part, 'trace', i.trace) end as of_item
from claimed c
join sluice.item i on i.id = c.id`;

/** Sends a statement that ends with `takePicked`. */
export async function claimedBy(
  db: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<ClaimedRow[]> {
  return (await db.query<ClaimedWire>(statement, values)).map(toClaimed);
}

/** From which of the lanes `w` anything may be taken: `mayClaim` speaks of a lane `l` and its pipeline `p`. */
export const openTo = (epoch: string, mayClaim: string) => `join sluice.lane l on l.id = w.lane
  join sluice.pipeline p on p.id = l.pipeline_id
  where ${mayClaim}
    -- A worker that was marked dead may not claim: nobody would look for what it holds.
    and exists (select from sluice.worker where epoch = ${epoch} and state = 0)`;

/** What a dead worker held goes first, wherever it is: it was begun, and behind a backlog it would stand still for hours. */
export const begunIn = (lanes: string) => `begun as materialized (
  select ctid as tid from sluice.run
  where state = 0 and suspicion > 0 and ready_at <= sluice.now()
    -- "+ 0": else the planner walks whole lanes in the index of all that is ready, for the few that are suspect.
    and lane + 0 = any (array (${lanes}))
  order by priority, ready_at, id
  limit $4
  for update skip locked
)`;

/** Under which condition a lane may be claimed from; everything else about a claim is always the same. */
const claimWhere = (mayClaim: string) => `
with place as materialized (
  select w.lane, w.priority, to_timestamp(w.floor) as floor, w.first
  from unnest($1::int[], $2::smallint[], $3::float8[], $6::bigint[]) with ordinality w (lane, priority, floor, first, ord)
  ${openTo("$5", mayClaim)}
  order by w.ord
),
${begunIn("select lane from place")},
picked as materialized (
  select tid from begun
  union all
  select due.tid
  from place
  cross join lateral (
    select ctid as tid from sluice.run
    where lane = place.lane and priority = place.priority and state = 0 and suspicion = 0
      and ready_at <= sluice.now() and (ready_at, id) >= (place.floor, place.first)
    order by ready_at, id
    limit $4
    for update skip locked
  ) due
  limit $4
),
${takePicked("$5")}`;

/** No valve holds it. */
export const isOpen = `not ${closedValveCovers}`;

const CLAIM: Statement = { name: "claim", text: claimWhere(isOpen) };

// Other valves hold it all the same, and the lease has to be the caller's own and not over.
export const mayProbe = `not exists (select from sluice.valve v where ${closedAndCovers} and v.kind <> 'breaker')
    and exists (
      select from sluice.service s
      where s.name = l.service and s.probe_epoch = $5 and s.probe_until > sluice.now())`;

const CLAIM_PROBE: Statement = { name: "claim-probe", text: claimWhere(mayProbe) };

// Never waits: whoever has the lock is claiming from this lane right now, and a process that was stopped in the middle of
// it would keep all others from every lane until the server cuts it off.
const LOCK_LANE: Statement = {
  name: "lock-lane",
  text: `select cap from sluice.lane where id = $1 for no key update skip locked`,
};

// Rows handed on keep the lane they were claimed from, so the stage decides who is still in this one.
const LANE_ROOM: Statement = {
  name: "lane-room",
  text: `
select l.cap - count(r.id)::int as room
from sluice.lane l
left join sluice.run r on r.lane = l.id and r.state <> 0 and r.stage = l.stage
where l.id = $1
group by l.cap`,
};

/** Which of the due rows are taken from lanes that have room. */
export type Take = (
  db: Queryable,
  places: readonly ClaimPlace[],
  limit: number,
  epoch: string,
) => Promise<ClaimedRow[]>;

/** Claims from a lane with a cap. The lane's row is locked first, so that two workers cannot both take the last place. */
export async function claimCapped(
  db: Database,
  places: readonly ClaimPlace[],
  limit: number,
  epoch: string,
  take: Take = claim,
): Promise<ClaimedRow[]> {
  const lane = places[0]?.lane;
  return await db.transaction(async (tx) => {
    const locked = await tx.query(LOCK_LANE, [lane]);
    if (locked.length === 0) return [];
    const [row] = await tx.query<{ room: number | null }>(LANE_ROOM, [lane]);
    // Without a cap the lane is locked for the sake of its keys.
    const room = Math.min(limit, row?.room ?? Number.POSITIVE_INFINITY);
    return room > 0 ? await take(tx, places, room, epoch) : [];
  });
}

export async function claim(
  db: Queryable,
  places: readonly ClaimPlace[],
  limit: number,
  epoch: string,
): Promise<ClaimedRow[]> {
  return await claimedBy(db, CLAIM, asked(places, limit, epoch));
}

/** Lets one item through an open breaker, for whoever holds its probe. */
export async function claimProbe(
  db: Queryable,
  places: readonly ClaimPlace[],
  limit: number,
  epoch: string,
): Promise<ClaimedRow[]> {
  return await claimedBy(db, CLAIM_PROBE, asked(places, limit, epoch));
}

function asked(places: readonly ClaimPlace[], limit: number, epoch: string): unknown[] {
  return [
    places.map((place) => place.lane),
    places.map((place) => place.priority),
    places.map((place) => place.floor),
    limit,
    epoch,
    places.map((place) => place.from ?? "0"),
  ];
}
