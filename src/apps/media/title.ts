// What is looked for, as the metadata service knows it: all that a release has to agree with.

import type { Metadata } from "../../connectors/index.ts";
import type { Service, Visit } from "../../engine/index.ts";
import { type Sought, soughtOf } from "./mapping.ts";
import type { Wanted } from "./releases/index.ts";
import { yearOf } from "./titles/fresh.ts";
import type { LookUps } from "./titles/look-ups.ts";
import type { WantedItem } from "./wanted.ts";

export interface Title {
  readonly wanted: Wanted;
  readonly sought: Sought;
  /** "2019-03-01"; null where nobody knows. */
  readonly airs: string | null;
}

interface Sources {
  readonly lookUps: LookUps;
  readonly metadata: Service<Metadata>;
}

/** From what is kept where that is fresh, else from the service. */
export async function lookUp(visit: Visit<WantedItem, unknown>, sources: Sources): Promise<Title> {
  const { input } = visit;
  return input.kind === "film" ? await film(input.tmdb, visit, sources) : await episode(input, visit, sources);
}

type Calling = Pick<Visit, "call" | "signal">;

async function film(tmdb: number, { call, signal }: Calling, { lookUps, metadata }: Sources): Promise<Title> {
  const known = await lookUps.film(tmdb, () => call(metadata, (service) => service.film(tmdb, { signal })));
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

export async function seriesOf(tmdb: number, { call, signal }: Calling, { lookUps, metadata }: Sources) {
  return await lookUps.series(tmdb, () => call(metadata, (service) => service.series(tmdb, { signal })));
}

export async function seasonOf(
  tmdb: number,
  season: number,
  { call, signal }: Calling,
  { lookUps, metadata }: Sources,
) {
  const ask = () => call(metadata, (service) => service.season(tmdb, season, { signal }));
  return await lookUps.season(tmdb, season, ask);
}

type EpisodeItem = Extract<WantedItem, { kind: "episode" }>;

async function episode(item: EpisodeItem, calling: Calling, sources: Sources): Promise<Title> {
  const series = await seriesOf(item.tmdb, calling, sources);
  const season = await seasonOf(item.tmdb, item.season, calling, sources);
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
