// What the metadata service knows, asked for once and shared by all who want to know it. A fault is nobody's but the asker's.

import type { Film, Season, Series } from "../../../connectors/index.ts";
import type { Queryable } from "../../../engine/index.ts";
import { Once } from "../store/once.ts";
import { filmFreshMs, seasonFreshMs, seriesFreshMs, yearOf } from "./fresh.ts";
import { findSeason, findTitle, keepSeason, keepTitle } from "./look-ups.sql.ts";

/** `ask` is called where nothing fresh is kept. */
export interface LookUps {
  film(tmdb: number, ask: () => Promise<Film>): Promise<Film>;
  series(tmdb: number, ask: () => Promise<Series>): Promise<Series>;
  season(tmdb: number, season: number, ask: () => Promise<Season>): Promise<Season>;
}

export function lookUps(db: () => Promise<Queryable>, now: () => Promise<Date>): LookUps {
  const once = new Once();
  return {
    film: (tmdb, ask) =>
      once.get(`film ${tmdb}`, {
        read: async () => findTitle<Film>(await db(), "film", tmdb),
        ask,
        keep: async (film) => keepTitle(await db(), "film", film, yearOf(film.date), filmFreshMs(film, await now())),
      }),
    series: (tmdb, ask) =>
      once.get(`series ${tmdb}`, {
        read: async () => findTitle<Series>(await db(), "series", tmdb),
        ask,
        keep: async (series) =>
          keepTitle(await db(), "series", series, yearOf(series.date), seriesFreshMs(series, await now())),
      }),
    season: (tmdb, season, ask) =>
      once.get(`season ${tmdb} ${season}`, {
        read: async () => findSeason(await db(), tmdb, season),
        ask,
        keep: async (known) => keepSeason(await db(), tmdb, known, seasonFreshMs(known, await now())),
      }),
  };
}
