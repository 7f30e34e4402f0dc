// What a service of metadata does for a stage: says what a film or a series is, and when it is or was on.

import type { CallOptions } from "../kit/index.ts";

export interface Metadata {
  film(id: number, call?: CallOptions): Promise<Film>;
  series(id: number, call?: CallOptions): Promise<Series>;
  season(seriesId: number, season: number, call?: CallOptions): Promise<Season>;
  /** The best fits, best first; a year narrows them down. */
  searchFilms(text: string, year?: number | null, call?: CallOptions): Promise<readonly FoundTitle[]>;
  searchSeries(text: string, year?: number | null, call?: CallOptions): Promise<readonly FoundTitle[]>;
  /** What another catalogue calls so. */
  findByImdb(imdbId: string, call?: CallOptions): Promise<FoundByImdb>;
  externalIds(kind: "film" | "series", id: number, call?: CallOptions): Promise<ExternalIds>;
  /** An image at least so many pixels wide, where there is one so wide. What is none is a fault, whatever it is called. */
  image(kind: ImageKind, path: string, width: number, call?: CallOptions): Promise<Image>;
}

/** As in "2026-03-01": a day where it is shown, and no moment. */
export type PlainDate = string;

export type ImageKind = "poster" | "backdrop" | "still";

export interface Image {
  /** As its bytes say. */
  readonly type: "image/jpeg" | "image/png" | "image/webp";
  readonly bytes: Uint8Array;
}

/** As in "tt0017136". */
export interface ExternalIds {
  readonly imdbId: string | null;
  readonly tvdbId: number | null;
}

export interface FoundTitle {
  readonly id: number;
  readonly title: string;
  readonly originalTitle: string | null;
  readonly overview: string | null;
  /** A film's release, a series' first episode. */
  readonly date: PlainDate | null;
  readonly posterPath: string | null;
}

export interface FoundByImdb {
  readonly films: readonly FoundTitle[];
  readonly series: readonly FoundTitle[];
}

/** What is not known is null. */
export interface Film extends FoundTitle, ExternalIds {
  readonly originalLanguage: string | null;
  readonly runtimeMinutes: number | null;
  readonly backdropPath: string | null;
}

export interface Series extends FoundTitle, ExternalIds {
  readonly originalLanguage: string | null;
  readonly backdropPath: string | null;
  /** In the words of the service: "Ended", "Returning Series". */
  readonly state: string | null;
  readonly seasons: readonly SeriesSeason[];
}

export interface SeriesSeason {
  /** 0: specials. */
  readonly season: number;
  readonly name: string | null;
  readonly episodeCount: number | null;
  readonly airDate: PlainDate | null;
  readonly posterPath: string | null;
}

export interface Season {
  readonly season: number;
  readonly name: string | null;
  readonly airDate: PlainDate | null;
  readonly posterPath: string | null;
  readonly episodes: readonly Episode[];
}

export interface Episode {
  readonly season: number;
  readonly episode: number;
  readonly name: string | null;
  readonly overview: string | null;
  /** Null: nobody knows yet. */
  readonly airDate: PlainDate | null;
  readonly runtimeMinutes: number | null;
  readonly stillPath: string | null;
}
