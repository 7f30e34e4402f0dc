// What is looked for, what indexers found, and why something does not fit.

export interface TitleIds {
  /** With or without "tt". */
  readonly imdb?: string;
  readonly tmdb?: number;
  readonly tvdb?: number;
}

interface WantedTitle {
  /** The one it is known by first, then all others. */
  readonly titles: readonly string[];
  readonly ids: TitleIds;
  /** Of the film, or of one episode. */
  readonly runtimeMinutes: number | null;
  /** Two letters of ISO 639-1. */
  readonly originalLanguage: string | null;
}

export interface WantedFilm extends WantedTitle {
  readonly kind: "film";
  readonly year: number | null;
}

interface WantedOfSeries extends WantedTitle {
  /** Of its first episode. */
  readonly year: number | null;
  /** Two letters of ISO 3166: tells "The Office US" from the one of the UK. */
  readonly country: string | null;
  readonly season: number;
}

export interface WantedEpisode extends WantedOfSeries {
  readonly kind: "episode";
  readonly episode: number;
  /** Counted over all seasons, as anime is. */
  readonly absolute: number | null;
  /** YYYY-MM-DD. */
  readonly airDate: string | null;
  /** How many of its season are wanted now, this one included: from two on a whole season is liked better. */
  readonly wantedOfSeason: number;
  /** How many the season has. */
  readonly seasonEpisodes: number | null;
}

export interface WantedSeason extends WantedOfSeries {
  readonly kind: "season";
  readonly episodes: readonly number[];
}

export type Wanted = WantedFilm | WantedEpisode | WantedSeason;

/** What an indexer told of one release. Anything may be in its texts. */
export interface FoundRelease {
  readonly title: string;
  readonly guid: string;
  readonly indexer: string;
  /** Lower is liked better. */
  readonly indexerPriority: number;
  readonly bytes: number;
  readonly infohash?: string;
  readonly seeders?: number;
  readonly published?: string;
  readonly imdb?: string;
  readonly tmdb?: number;
  readonly tvdb?: number;
  readonly categories: readonly number[];
}

export const REJECTIONS = [
  "unreadable_name",
  "wrong_ids",
  "wrong_title",
  "wrong_year",
  "wrong_season",
  "wrong_episode",
  "extra",
  "sample",
  "blocked",
  "disc_image",
  "rar",
  "encrypted",
  "resolution_not_allowed",
  "source_not_allowed",
  "codec_not_allowed",
  "banned_group",
  "required_word_missing",
  "forbidden_word",
  "language",
  "nonsense_size",
  "too_small",
  "too_large",
  "no_seeders",
  "duplicate",
] as const;
export type RejectionCode = (typeof REJECTIONS)[number];

export interface Rejection {
  readonly code: RejectionCode;
  /** For people, a sentence without its full stop. */
  readonly reason: string;
}

export const reject = (code: RejectionCode, reason: string): Rejection => ({ code, reason });

/** How much of a series a release holds; `episodes` is null where the name does not tell. */
export interface Extent {
  readonly holds: "film" | "episode" | "episodes" | "season" | "seasons";
  readonly episodes: number | null;
}
