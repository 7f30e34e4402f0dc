// Which releases there are of what stands in the catalogue, at which indexer, and what is wrong with some of them. Pure.

import type { Catalogue, CatalogueFilm, CatalogueSeason, CatalogueSeries } from "./catalogue.ts";

export const INDEXERS = ["beacon", "harbour"] as const;
export type IndexerName = (typeof INDEXERS)[number];

/** What is wrong with the best release of a title. */
export type Trouble =
  /** Nothing. */
  | "none"
  /** Whoever has it hands out none of it. */
  | "dead"
  /** It ends in the middle. */
  | "cut"
  /** In it is another film. */
  | "other"
  /** No indexer has the title at all. */
  | "unknown";

export interface PlannedRelease {
  readonly name: string;
  readonly indexers: readonly IndexerName[];
  readonly files: readonly PlannedFile[];
  readonly ids: ReleaseIds;
  /** Among those of its title: 0 is liked best by the usual profile. */
  readonly place: number;
  readonly trouble: Exclude<Trouble, "unknown">;
  /** Only while an indexer lists what is wrong. */
  readonly isHidden: boolean;
  readonly gigabytes: number;
}

export interface PlannedFile {
  readonly path: string;
  /** What is really in it, as `filmKey` and `episodeKey` call it. */
  readonly holds: string;
  readonly isCut: boolean;
}

export interface ReleaseIds {
  readonly tmdb: number;
  readonly imdb: string;
  readonly tvdb?: number;
  readonly season?: number;
  readonly episode?: number;
}

export interface PlanOptions {
  /** Of a film, by its place in the catalogue. Default: none. */
  readonly trouble?: (film: number) => Trouble;
  /** Also releases that no usual profile takes, and those that are listed only as a fault. Default: true. */
  readonly hasOthers?: boolean;
}

export const filmKey = (tmdb: number): string => `film ${tmdb}`;
export const episodeKey = (tmdb: number, season: number, episode: number): string =>
  `episode ${tmdb} ${season}x${episode}`;

/** As the usual profile likes them, the best first. */
const QUALITIES = ["1080p.BluRay.x265-GOOD", "1080p.WEB-DL.x264-FINE", "720p.WEB-DL.x264-SMALL"] as const;
/** A proper one is liked better than all others, whether it is one or not. */
const FALSE_QUALITY = "1080p.BluRay.PROPER.x265-FALSE";
/** Listed, and taken by no usual profile. */
const REFUSED_QUALITY = "2160p.BluRay.x265-HUGE";
const FILM_GIGABYTES = 3.6;
const EPISODE_GIGABYTES = 1.8;

export function planReleases({ films, series }: Catalogue, options: PlanOptions = {}): PlannedRelease[] {
  const { trouble = () => "none", hasOthers = true } = options;
  return [
    ...films.flatMap((film, index) => {
      const all = filmReleases(film, index, trouble(index), films[(index + 1) % films.length]);
      return hasOthers ? all : all.filter(({ isHidden, place }) => !isHidden && place < QUALITIES.length);
    }),
    ...series.flatMap((one, index) => one.seasons.flatMap((season) => seasonReleases(one, season, index))),
  ];
}

function filmReleases(
  film: CatalogueFilm,
  index: number,
  trouble: Trouble,
  neighbour: CatalogueFilm = film,
): PlannedRelease[] {
  if (trouble === "unknown") return [];
  const { tmdb, imdb } = film;
  const named = dotted(`${film.title} ${film.year}`);
  const release = (quality: string, more: Partial<PlannedRelease>): PlannedRelease => ({
    name: `${named}.${quality}`,
    ...{ indexers: indexersOf(index), ids: { tmdb, imdb }, gigabytes: FILM_GIGABYTES, place: 0, trouble: "none" },
    ...{ isHidden: false, files: [{ path: `${named}.${quality}.mkv`, holds: filmKey(tmdb), isCut: false }] },
    ...more,
  });
  const good = QUALITIES.map((quality, place) =>
    place === 0 ? withTrouble(release(quality, { trouble }), neighbour) : release(quality, { place }),
  );
  const untrue = release(FALSE_QUALITY, { isHidden: true, trouble: index % 2 === 0 ? "cut" : "other" });
  return [...good, withTrouble(untrue, neighbour), release(REFUSED_QUALITY, { place: QUALITIES.length })];
}

function withTrouble(release: PlannedRelease, other: CatalogueFilm): PlannedRelease {
  const { trouble, files } = release;
  if (trouble === "cut") return { ...release, files: files.map((file) => ({ ...file, isCut: true })) };
  if (trouble !== "other") return release;
  const path = `${dotted(`${other.title} ${other.year}`)}.mkv`;
  return { ...release, files: [{ path, holds: filmKey(other.tmdb), isCut: false }] };
}

/** The first season as a pack and in single episodes, the second of every other series in single episodes alone. */
function seasonReleases(
  series: CatalogueSeries,
  { season, episodes }: CatalogueSeason,
  index: number,
): PlannedRelease[] {
  const { tmdb, imdb, tvdb } = series;
  const named = dotted(series.title);
  const common = {
    indexers: indexersOf(index + season),
    trouble: "none" as const,
    isHidden: false,
    ids: { tmdb, imdb, tvdb, season },
  };
  const fileOf = (episode: number, quality: string) => ({
    path: `${named}.S${two(season)}E${two(episode)}.${quality}.mkv`,
    holds: episodeKey(tmdb, season, episode),
    isCut: false,
  });
  const [best, fine] = QUALITIES;
  const pack: PlannedRelease = {
    ...{
      ...common,
      name: `${named}.S${two(season)}.${best}`,
      place: 0,
      gigabytes: EPISODE_GIGABYTES * episodes.length,
    },
    files: episodes.map(({ episode }) => fileOf(episode, best)),
  };
  const singles = episodes.map(({ episode }) => ({
    ...{ ...common, name: `${named}.S${two(season)}E${two(episode)}.${fine}`, place: 1, gigabytes: EPISODE_GIGABYTES },
    ...{ ids: { ...common.ids, episode }, files: [fileOf(episode, fine)] },
  }));
  return season === 2 && index % 2 === 1 ? singles : [pack, ...singles];
}

/** One of them has it, the other, or both. */
function indexersOf(index: number): readonly IndexerName[] {
  const [first, second] = INDEXERS;
  return ([[first], [second], [first, second]] as const)[index % 3] ?? INDEXERS;
}

const two = (number: number): string => String(number).padStart(2, "0");
/** As releases are called. */
const dotted = (text: string): string => text.replaceAll("'", "").replaceAll(/[^A-Za-z0-9]+/g, ".");
