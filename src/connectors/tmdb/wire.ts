// TMDB's answers as they travel, and how they are read: what is needed has to be right, all else may be missing or odd and is then
// not known. A bad entry of what was found costs that entry alone; a season or an episode without its number makes the whole answer
// bad, for nobody would ever ask for what silently is not there. Pure.

import { z } from "zod";
import { printable } from "../../kit/index.ts";
import type { Episode, ExternalIds, Film, FoundByImdb, FoundTitle, Season, Series, SeriesSeason } from "./metadata.ts";

const TEXT_LENGTH = 5_000;
const NAME_LENGTH = 500;

const clean = (text: string, most: number) => printable(text.toWellFormed()).trim().slice(0, most).toWellFormed();
const id = z.int().positive();
const name = z
  .string()
  .transform((text) => clean(text, NAME_LENGTH))
  .pipe(z.string().min(1));
/** Not known, where it is missing, empty or no text. */
const text = (most: number) =>
  z
    .string()
    .transform((said) => clean(said, most) || null)
    .nullable()
    .catch(null);
const count = z.int().positive().nullable().catch(null);
/** Checked by the calendar: 2026-02-30 is no day. */
const date = z.iso.date().nullable().catch(null);
/** It becomes part of an address. */
const path = z
  .string()
  .regex(/^\/[A-Za-z0-9_-]{1,100}\.(jpg|jpeg|png|svg|webp)$/)
  .nullable()
  .catch(null);
const imdbId = z
  .string()
  .regex(/^tt\d{7,10}$/)
  .nullable()
  .catch(null);

/** Those that can be read. */
const listOf = <T>(entry: z.ZodType<T>) =>
  z.array(z.unknown()).transform((all) =>
    all.flatMap((each) => {
      const read = entry.safeParse(each);
      return read.success ? [read.data] : [];
    }),
  );

const ids = z
  .object({ imdb_id: imdbId, tvdb_id: count })
  .transform(({ imdb_id, tvdb_id }): ExternalIds => ({ imdbId: imdb_id, tvdbId: tvdb_id }));
const noIds: ExternalIds = { imdbId: null, tvdbId: null };

const common = { id, overview: text(TEXT_LENGTH), poster_path: path };
const filmFields = { ...common, title: name, original_title: text(NAME_LENGTH), release_date: date };
const seriesFields = { ...common, name, original_name: text(NAME_LENGTH), first_air_date: date };

const asFilm = (said: z.output<z.ZodObject<typeof filmFields>>): FoundTitle => ({
  ...{ id: said.id, title: said.title, originalTitle: said.original_title, overview: said.overview },
  ...{ date: said.release_date, posterPath: said.poster_path },
});
const asSeries = (said: z.output<z.ZodObject<typeof seriesFields>>): FoundTitle => ({
  ...{ id: said.id, title: said.name, originalTitle: said.original_name, overview: said.overview },
  ...{ date: said.first_air_date, posterPath: said.poster_path },
});

const more = { original_language: text(20), backdrop_path: path, external_ids: ids.catch(noIds) };

export const filmAnswer = z.object({ ...filmFields, ...more, imdb_id: imdbId, runtime: count }).transform(
  (said): Film => ({
    ...asFilm(said),
    ...{ imdbId: said.imdb_id ?? said.external_ids.imdbId, tvdbId: said.external_ids.tvdbId },
    ...{ originalLanguage: said.original_language, runtimeMinutes: said.runtime, backdropPath: said.backdrop_path },
  }),
);

const seriesSeason = z
  .object({
    season_number: z.int().min(0),
    name: text(NAME_LENGTH),
    episode_count: z.int().min(0).nullable().catch(null),
    air_date: date,
    poster_path: path,
  })
  .transform(
    (said): SeriesSeason => ({
      ...{ season: said.season_number, name: said.name, episodeCount: said.episode_count },
      ...{ airDate: said.air_date, posterPath: said.poster_path },
    }),
  );

export const seriesAnswer = z
  .object({ ...seriesFields, ...more, status: text(100), seasons: z.array(seriesSeason) })
  .transform(
    (said): Series => ({
      ...asSeries(said),
      ...said.external_ids,
      ...{ originalLanguage: said.original_language, backdropPath: said.backdrop_path, state: said.status },
      seasons: said.seasons,
    }),
  );

const episode = z.object({
  ...{ episode_number: z.int().min(0), name: text(NAME_LENGTH), overview: text(TEXT_LENGTH), air_date: date },
  ...{ runtime: count, still_path: path },
});

export const seasonAnswer = z
  .object({
    season_number: z.int().min(0),
    name: text(NAME_LENGTH),
    air_date: date,
    poster_path: path,
    episodes: z.array(episode),
  })
  .transform(
    (said): Season => ({
      ...{ season: said.season_number, name: said.name, airDate: said.air_date, posterPath: said.poster_path },
      episodes: said.episodes.map(
        (each): Episode => ({
          ...{ season: said.season_number, episode: each.episode_number, name: each.name, overview: each.overview },
          ...{ airDate: each.air_date, runtimeMinutes: each.runtime, stillPath: each.still_path },
        }),
      ),
    }),
  );

const filmList = listOf(z.object(filmFields).transform(asFilm));
const seriesList = listOf(z.object(seriesFields).transform(asSeries));

export const filmsAnswer = z.object({ results: filmList }).transform(({ results }) => results);
export const seriesListAnswer = z.object({ results: seriesList }).transform(({ results }) => results);
export const foundAnswer = z
  .object({ movie_results: filmList, tv_results: seriesList })
  .transform(({ movie_results, tv_results }): FoundByImdb => ({ films: movie_results, series: tv_results }));
export const idsAnswer = ids;

/** What it says instead of what was asked for, on any status. */
export const refusalAnswer = z.object({
  success: z.literal(false).optional(),
  status_code: z.int(),
  status_message: text(200),
});
