// Which requests are for which film or series, and what is there of each.

import type { Queryable, Statement } from "../../../engine/index.ts";
import type { TitleKind } from "../titles/look-ups.sql.ts";
import type { NamedTarget } from "./who-wants-what.ts";

export interface NotedRequest {
  readonly kind: TitleKind;
  readonly tmdb: number;
  /** The quality profile's name. */
  readonly profile: string;
  readonly policy: string;
  readonly targets: readonly NamedTarget[];
}

// A request has one profile and one policy, those of whoever asked first; targets come together.
const NOTE: Statement = {
  name: "media-note-request",
  text: `
with noted as (
  insert into media.request (request_id, kind, tmdb, profile, policy) values ($1, $2, $3, $4, $5)
  on conflict (request_id) do nothing
)
insert into media.request_target (request_id, name, encoding, profile, added_at)
select $1, u.name, u.encoding, u.profile, sluice.now()
from unnest($6::text[], $7::text[], $8::jsonb[]) u (name, encoding, profile)
on conflict (request_id, name) do nothing`,
};

export async function noteRequest(db: Queryable, request: string, noted: NotedRequest): Promise<void> {
  const { kind, tmdb, profile, policy, targets } = noted;
  const [names, encodings] = [targets.map(({ name }) => name), targets.map(({ encoding }) => encoding)];
  const whole = targets.map((one) => (one.profile === null ? null : JSON.stringify(one.profile)));
  await db.query(NOTE, [request, kind, tmdb, profile, policy, names, encodings, whole]);
}

const TARGETS: Statement = {
  name: "media-request-targets",
  text: "select name, encoding, profile from media.request_target where request_id = $1 order by added_at, name",
};

/** All that anybody named who asked for it, the first of them first. */
export async function findTargets(db: Queryable, request: string): Promise<readonly NamedTarget[]> {
  return await db.query<NamedTarget>(TARGETS, [request]);
}

const OPEN: Statement = {
  name: "media-open-request",
  text: `
select q.id, array (select o.owner from sluice.request_owner o where o.request_id = q.id) as owners
from media.request a
join sluice.request q on q.id = a.request_id
where a.kind = $1 and a.tmdb = $2 and q.completed + q.failed + q.cancelled < q.total
  and not exists (select from sluice.removal m where m.request_id = q.id)
order by q.id desc
limit 1`,
};

export interface OpenRequest {
  readonly id: string;
  readonly owners: readonly string[];
}

/** The newest of which something is left to do. */
export async function findOpen(db: Queryable, kind: TitleKind, tmdb: number): Promise<OpenRequest | undefined> {
  const [row] = await db.query<OpenRequest>(OPEN, [kind, tmdb]);
  return row;
}

export interface Place {
  readonly season: number;
  readonly episode: number;
}

export interface HeldItem {
  readonly id: string;
  readonly request_id: string;
  /** Null for a film. */
  readonly season: number | null;
  readonly episode: number | null;
  readonly state: number;
}

const HELD: Statement = {
  name: "media-held-items",
  text: `
select i.id, i.request_id, (i.input ->> 'season')::int as season, (i.input ->> 'episode')::int as episode, i.state
from media.request a
join sluice.item i on i.request_id = a.request_id
where a.kind = $1 and a.tmdb = $2 and i.pipeline_id in (select p.id from sluice.pipeline p where p.name = 'media')
  and (i.state = 1 or i.request_id = $3::bigint)
order by i.id`,
};

/** What is there of it, in whatever request; and all that one of them has, however that stands. */
export async function findHeld(
  db: Queryable,
  kind: TitleKind,
  tmdb: number,
  request: string | null,
): Promise<HeldItem[]> {
  return await db.query<HeldItem>(HELD, [kind, tmdb, request]);
}

const EARLIER: Statement = {
  name: "media-earlier-asks",
  text: `
select i.id, i.input
from sluice.item i
where i.request_id = $1 and i.id < $2::bigint and i.state = 0
  and i.pipeline_id in (select p.id from sluice.pipeline p where p.name = 'media-series')
order by i.id`,
};

/** Those of the same request that have not told their episodes yet. */
export async function findAsks(
  db: Queryable,
  request: string,
  before: string,
): Promise<{ readonly id: string; readonly input: unknown }[]> {
  return await db.query(EARLIER, [request, before]);
}
