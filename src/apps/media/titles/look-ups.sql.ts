// Films, series and seasons as the metadata service told them.

import type { Film, Season, Series } from "../../../connectors/index.ts";
import type { Queryable, Statement } from "../../../engine/index.ts";

export type TitleKind = "film" | "series";

const FIND_TITLE: Statement = {
  name: "media-find-title",
  text: "select known from media.title where kind = $1 and tmdb = $2 and fresh_until > sluice.now()",
};

export async function findTitle<Known extends Film | Series>(
  db: Queryable,
  kind: TitleKind,
  tmdb: number,
): Promise<Known | undefined> {
  const [row] = await db.query<{ known: Known }>(FIND_TITLE, [kind, tmdb]);
  return row?.known;
}

const KEEP_TITLE: Statement = {
  name: "media-keep-title",
  text: `
insert into media.title (kind, tmdb, title, year, poster, overview, known, fresh_until)
values ($1, $2, $3, $4, $5, $6, $7::text::jsonb, sluice.now() + $8::float8 * interval '1 millisecond')
on conflict (kind, tmdb) do update set title = excluded.title, year = excluded.year, poster = excluded.poster,
  overview = excluded.overview, known = excluded.known, fresh_until = excluded.fresh_until`,
};

export async function keepTitle(
  db: Queryable,
  kind: TitleKind,
  known: Film | Series,
  year: number | null,
  freshMs: number,
): Promise<void> {
  const { id, title, posterPath, overview } = known;
  await db.query(KEEP_TITLE, [kind, id, title, year, posterPath, overview, JSON.stringify(known), freshMs]);
}

const FIND_SEASON: Statement = {
  name: "media-find-season",
  text: "select known from media.season where tmdb = $1 and season = $2 and fresh_until > sluice.now()",
};

export async function findSeason(db: Queryable, tmdb: number, season: number): Promise<Season | undefined> {
  const [row] = await db.query<{ known: Season }>(FIND_SEASON, [tmdb, season]);
  return row?.known;
}

const KEEP_SEASON: Statement = {
  name: "media-keep-season",
  text: `
insert into media.season (tmdb, season, known, fresh_until)
values ($1, $2, $3::text::jsonb, sluice.now() + $4::float8 * interval '1 millisecond')
on conflict (tmdb, season) do update set known = excluded.known, fresh_until = excluded.fresh_until`,
};

export async function keepSeason(db: Queryable, tmdb: number, known: Season, freshMs: number): Promise<void> {
  await db.query(KEEP_SEASON, [tmdb, known.season, JSON.stringify(known), freshMs]);
}

const AGE: Statement = {
  name: "media-age-look-ups",
  text: `
with seasons as (update media.season set fresh_until = sluice.now() where fresh_until > sluice.now())
update media.title set fresh_until = sluice.now() where fresh_until > sluice.now()`,
};

/** Another service or language may tell other things; until it does, what is known is still shown. */
export async function ageLookUps(db: Queryable): Promise<void> {
  await db.query(AGE, []);
}
