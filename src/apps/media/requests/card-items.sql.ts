// How the items of media requests stand: all of them in groups, and the first of each request one by one.

import type { Queryable, Statement } from "../../../engine/index.ts";

/** Items of a request that stand alike. */
export interface StandingRow {
  readonly request_id: string;
  readonly pipeline: "media" | "media-series";
  readonly version: number;
  readonly stages: readonly string[];
  readonly end_state: number;
  readonly run_state: number | null;
  /** Where they stand, or failed. */
  readonly stage: number | null;
  readonly reason: string | null;
  readonly is_due: boolean;
  readonly has_begun: boolean;
  readonly was_begun: boolean;
  /** They wait for their parts, encodes or deliveries, of which one is in work. */
  readonly parts_move: boolean;
  readonly items: number;
  /** Of their stage, all added up. */
  readonly progress: number;
  /** When the first of their waits ends, where one does. */
  readonly next_at: Date | null;
  /** The day of the first of them, as it was known when it was asked for. */
  readonly airs: string | null;
  readonly newest: string;
}

const failedIn = (item: string) => `
left join lateral (
  select j.stage from sluice.journal j where ${item}.state = 2 and j.item_id = ${item}.id and j.ended = 2
  order by j.version desc limit 1) failed on true`;

// Who is due in the line of a service that is down waits for it, as their explanation says.
const lineOf = (run: string) => `
left join sluice.lane l on l.id = ${run}.lane
left join sluice.service away on away.name = l.service and away.is_open`;
const isDue = "coalesce(r.ready_at <= sluice.now() and away.id is null, false)";
const reason =
  "case when away.id is not null and r.state = 0 and r.ready_at <= sluice.now() then 'service_down' else r.reason end";
const partsMove = (item: string) => `
  case when r.reason = 'parts' then exists (
    select from sluice.request c
    join sluice.item x on x.request_id = c.id and x.state = 0
    join sluice.run y on y.id = x.id
    where c.parent_id = ${item}.id and c.parts_of is not null and (y.state <> 0 or y.ready_at <= sluice.now())) else false end`;

const STANDINGS: Statement = {
  name: "media-standings",
  text: `
select i.request_id, p.name as pipeline, p.version, p.stages, i.state as end_state, r.state as run_state,
  coalesce(r.stage, failed.stage) as stage, ${reason} as reason, ${isDue} as is_due,
  r.begun_at is not null as has_begun, coalesce(r.begun_at is not null or r.stage > 0 or r.series > 1, false) as was_begun,${partsMove("i")} as parts_move,
  count(*)::int as items, coalesce(sum(r.progress), 0)::float8 as progress,
  min(r.ready_at) filter (where r.ready_at < 'infinity') as next_at, min(i.airs) as airs, max(i.id) as newest
from unnest($1::bigint[]) u (id)
cross join lateral (
  select x.id, x.request_id, x.pipeline_id, x.state, x.input ->> 'airs' as airs from sluice.item x where x.request_id = u.id) i
join sluice.pipeline p on p.id = i.pipeline_id and p.name in ('media', 'media-series')
left join lateral (select x.* from sluice.run x where x.id = i.id limit 1) r on true
${lineOf("r")}
${failedIn("i")}
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12`,
};

export async function findStandings(db: Queryable, requests: readonly string[]): Promise<StandingRow[]> {
  return requests.length === 0 ? [] : await db.query<StandingRow>(STANDINGS, [requests]);
}

export interface CardItemRow {
  readonly id: string;
  readonly request_id: string;
  readonly version: number;
  readonly stages: readonly string[];
  readonly end_state: number;
  readonly season: number | null;
  readonly episode: number | null;
  readonly name: string | null;
  readonly airs: string | null;
  /** As whoever handed it in called it. */
  readonly title: string | null;
  readonly run_state: number | null;
  readonly stage: number | null;
  readonly reason: string | null;
  readonly is_due: boolean;
  readonly has_begun: boolean;
  readonly progress: number | null;
  /** As above. */
  readonly parts_move: boolean;
}

const ITEMS: Statement = {
  name: "media-card-items",
  text: `
select i.id, i.request_id, p.version, p.stages, i.state as end_state, i.season, i.episode, i.input ->> 'name' as name,
  i.input ->> 'airs' as airs, i.title, r.state as run_state, coalesce(r.stage, failed.stage) as stage, ${reason} as reason,
  ${isDue} as is_due, r.begun_at is not null as has_begun, r.progress,${partsMove("i")} as parts_move
from unnest($1::bigint[]) u (id)
cross join lateral (
  select x.*, (x.input ->> 'season')::int as season, (x.input ->> 'episode')::int as episode
  from sluice.item x
  where x.request_id = u.id and x.pipeline_id in (select p.id from sluice.pipeline p where p.name = 'media')
  order by season, episode, x.id
  limit $2) i
join sluice.pipeline p on p.id = i.pipeline_id
left join lateral (select x.* from sluice.run x where x.id = i.id limit 1) r on true
${lineOf("r")}
${failedIn("i")}
order by i.request_id, i.season, i.episode, i.id`,
};

/** Films and episodes in their order, so many of each request. */
export async function findItems(db: Queryable, requests: readonly string[], most: number): Promise<CardItemRow[]> {
  return requests.length === 0 ? [] : await db.query<CardItemRow>(ITEMS, [requests, most]);
}

const LAST: Statement = {
  name: "media-last-items",
  text: `
select i.id, i.request_id
from unnest($1::bigint[]) u (id)
cross join lateral (
  select x.id, x.request_id, r.stage, r.ready_at
  from sluice.item x
  join sluice.run r on r.id = x.id
  where x.request_id = u.id and x.state = 0
  order by r.stage, r.ready_at desc, x.id desc
  limit $2) i`,
};

/** Of each request those with the longest way to go. */
export async function findLast(
  db: Queryable,
  requests: readonly string[],
  most: number,
): Promise<{ readonly id: string; readonly request_id: string }[]> {
  return requests.length === 0 ? [] : await db.query(LAST, [requests, most]);
}

const OUTPUTS: Statement = {
  name: "media-series-told",
  text: `
select j.output
from sluice.item i
join sluice.pipeline p on p.id = i.pipeline_id and p.name = 'media-series'
cross join lateral (
  select x.output from sluice.journal x where x.item_id = i.id and x.ended = 1 order by x.version desc limit 1) j
where i.request_id = $1 and i.state = 1
order by i.id`,
};

/** What those told that looked for a series' episodes. */
export async function findTold(db: Queryable, request: string): Promise<{ readonly output: unknown }[]> {
  return await db.query(OUTPUTS, [request]);
}
