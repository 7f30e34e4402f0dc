// Media requests as cards show them: a page of them, how the items of all of them stand, and the first items of each. So many statements
// for a page, however many requests and items there are.

import type { Queryable, Statement } from "../../../engine/index.ts";
import type { TitleKind } from "../titles/look-ups.sql.ts";

export interface CardRow {
  readonly id: string;
  readonly kind: TitleKind;
  readonly tmdb: number;
  readonly profile: string;
  readonly policy: string;
  /** As far as the metadata service has been asked. */
  readonly title: string | null;
  readonly year: number | null;
  readonly poster: string | null;
  readonly overview: string | null;
  readonly owners: readonly string[];
  readonly partly: number;
  readonly created_at: Date;
  /** By the database's clock. */
  readonly now: Date;
}

/** For one page so many are looked at. */
export const LOOKED_MOST = 2_000;

const newest = {
  all: `select a.request_id as id from media.request a where a.request_id < $1::bigint order by a.request_id desc limit ${LOOKED_MOST}`,
  // One's own list looks at nothing of others: where it stopped would tell of them.
  own: `
select o.request_id as id from sluice.request_owner o
where o.owner = $4 and o.request_id < $1::bigint and exists (select from media.request a where a.request_id = o.request_id)
order by o.request_id desc limit ${LOOKED_MOST}`,
  one: `select a.request_id as id from media.request a where a.request_id = $1::bigint`,
};

const isOver = "q.completed + q.failed + q.cancelled = q.total";
const mediaPipelines = "select p.id from sluice.pipeline p where p.name = 'media'";

const shown = `case $3::text
    when 'waiting' then not (${isOver})
    when 'problems' then q.failed + q.partly > 0
    when 'ready' then ${isOver} and q.failed + q.partly = 0 and exists (
      select from sluice.item i where i.request_id = q.id and i.state = 1 and i.pipeline_id in (${mediaPipelines}))
    else true end`;

const isOwners = `exists (select from sluice.request_owner o where o.request_id = q.id and o.owner = $4)`;

const textOf = (source: keyof typeof newest) => `
with looked as materialized (${newest[source]}),
matching as materialized (
  select q.id, q.partly, q.created_at
  from (select id from looked order by id desc) l
  cross join lateral (select x.* from sluice.request x where x.id = l.id limit 1) q
  where ${shown} and ($4::text is null or ${isOwners})
  order by l.id desc
  limit $2
)
select m.id, m.partly, m.created_at, sluice.now() as now, a.kind, a.tmdb, a.profile, a.policy, t.title, t.year, t.poster, t.overview,
  array (select o.owner from sluice.request_owner o where o.request_id = m.id order by o.joined_at, o.owner limit 100) as owners,
  range.looked, range.low
from (select count(*)::int as looked, min(id) as low from looked) range
left join matching m on true
left join media.request a on a.request_id = m.id
left join media.title t on t.kind = a.kind and t.tmdb = a.tmdb
order by m.id desc`;

const PAGES = {
  all: { name: "media-cards", text: textOf("all") },
  own: { name: "media-cards-own", text: textOf("own") },
  one: { name: "media-card", text: textOf("one") },
} satisfies Record<string, Statement>;

export interface CardsAsked {
  readonly show: string;
  /** Only this one's, where one is named. */
  readonly owner: string | null;
  readonly before: string;
  readonly limit: number;
}

export interface CardPage {
  readonly rows: readonly CardRow[];
  /** The last one that was looked at, where there may be more behind it. */
  readonly stoppedAt: string | null;
}

type Looked = { readonly looked: number; readonly low: string | null } & (CardRow | { readonly id: null });

export async function findCards(db: Queryable, { show, owner, before, limit }: CardsAsked): Promise<CardPage> {
  const statement = owner === null ? PAGES.all : PAGES.own;
  const found = await db.query<Looked>(statement, [before, limit, show, owner]);
  const rows = found.filter((row): row is Looked & CardRow => row.id !== null);
  const last = rows.at(-1);
  if (rows.length === limit && last !== undefined) return { rows, stoppedAt: last.id };
  const [first] = found;
  return { rows, stoppedAt: first !== undefined && first.looked >= LOOKED_MOST ? first.low : null };
}

/** To an owner that is named, another's is not there. */
export async function findCard(db: Queryable, request: string, owner: string | null): Promise<CardRow | undefined> {
  const found = await db.query<Looked>(PAGES.one, [request, 1, "all", owner]);
  return found.find((row): row is Looked & CardRow => row.id !== null);
}

export interface RequestOfTitle {
  readonly tmdb: number;
  readonly id: string;
}

const OF_TITLES: Statement = {
  name: "media-requests-of-titles",
  text: `
select u.tmdb, newest.id
from unnest($2::int[]) u (tmdb)
cross join lateral (
  select a.request_id as id from media.request a
  where a.kind = $1 and a.tmdb = u.tmdb and ($3::text is null or exists (
    select from sluice.request_owner o where o.request_id = a.request_id and o.owner = $3))
  order by a.request_id desc
  limit 1) newest`,
};

/** The newest for each of them, of those that an owner may see. */
export async function findOfTitles(
  db: Queryable,
  kind: TitleKind,
  tmdb: readonly number[],
  owner: string | null,
): Promise<RequestOfTitle[]> {
  return await db.query<RequestOfTitle>(OF_TITLES, [kind, tmdb, owner]);
}
