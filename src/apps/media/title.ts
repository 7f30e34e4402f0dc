// What is looked for, as the metadata service knows it: all that a release has to agree with.

import type { Metadata } from "../../connectors/index.ts";
import { type Sought, soughtOf } from "./mapping.ts";
import type { Wanted } from "./releases/index.ts";
import type { WantedItem } from "./wanted.ts";

export interface Title {
  readonly wanted: Wanted;
  readonly sought: Sought;
  /** "2019-03-01"; null where nobody knows. */
  readonly airs: string | null;
}

export async function lookUp(item: WantedItem, service: Metadata, signal: AbortSignal): Promise<Title> {
  return item.kind === "film" ? await film(item.tmdb, service, signal) : await episode(item, service, signal);
}

async function film(tmdb: number, service: Metadata, signal: AbortSignal): Promise<Title> {
  const known = await service.film(tmdb, { signal });
  const wanted: Wanted = {
    kind: "film",
    titles: titlesOf(known),
    ids: { tmdb, ...(known.imdbId === null ? {} : { imdb: known.imdbId }) },
    runtimeMinutes: known.runtimeMinutes,
    originalLanguage: known.originalLanguage,
    year: yearOf(known.date),
  };
  return { airs: known.date, wanted, sought: soughtOf(wanted, []) };
}

type EpisodeItem = Extract<WantedItem, { kind: "episode" }>;

async function episode(item: EpisodeItem, service: Metadata, signal: AbortSignal): Promise<Title> {
  const series = await service.series(item.tmdb, { signal });
  const season = await service.season(item.tmdb, item.season, { signal });
  const known = season.episodes.find((one) => one.episode === item.episode);
  const { imdbId, tvdbId } = series;
  const airs = known?.airDate ?? item.airs;
  const wanted: Wanted = {
    kind: "episode",
    titles: titlesOf(series),
    ids: {
      tmdb: item.tmdb,
      ...(imdbId === null ? {} : { imdb: imdbId }),
      ...(tvdbId === null ? {} : { tvdb: tvdbId }),
    },
    runtimeMinutes: known?.runtimeMinutes ?? null,
    originalLanguage: series.originalLanguage,
    year: yearOf(series.date),
    country: null,
    season: item.season,
    episode: item.episode,
    absolute: null,
    airDate: airs,
    wantedOfSeason: item.ofSeason,
    seasonEpisodes: season.episodes.length,
  };
  const episodes = season.episodes
    .slice(0, EPISODES_MOST)
    .map((one) => ({ episode: one.episode, airDate: one.airDate }));
  return { airs, wanted, sought: soughtOf(wanted, episodes) };
}

/** Longer seasons than any; what is stored of one has to stay small. */
const EPISODES_MOST = 500;

function titlesOf({ title, originalTitle }: { readonly title: string; readonly originalTitle: string | null }) {
  return originalTitle === null || originalTitle === title ? [title] : [title, originalTitle];
}

function yearOf(date: string | null): number | null {
  const year = Number.parseInt(date?.slice(0, 4) ?? "", 10);
  return Number.isInteger(year) ? year : null;
}
