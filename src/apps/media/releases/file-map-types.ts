// What is asked about the files of a torrent, and what is answered.

export interface FileOfTorrent {
  readonly index: number;
  /** Separated by "/"; anything may be in it. */
  readonly path: string;
  readonly bytes: number;
}

export interface FilmToMap {
  readonly kind: "film";
  readonly key: string;
  readonly titles: readonly string[];
  readonly year: number | null;
}

export interface EpisodeToMap {
  readonly key: string;
  readonly season: number;
  readonly episode: number;
  readonly absolute: number | null;
  /** YYYY-MM-DD. */
  readonly airDate: string | null;
}

export interface EpisodesToMap {
  readonly kind: "episodes";
  readonly titles: readonly string[];
  readonly episodes: readonly EpisodeToMap[];
}

export interface FileMapInput {
  /** The name it was found by. */
  readonly release: string;
  readonly files: readonly FileOfTorrent[];
  readonly wanted: FilmToMap | EpisodesToMap;
}

export type MapProblemCode =
  /** Of all of it. */
  | "no_files"
  | "too_many_files"
  | "unsafe_path"
  | "executable"
  | "encrypted"
  | "rar"
  | "disc_image"
  | "playlist"
  | "no_video"
  /** Of one film or episode. */
  | "not_in_release"
  | "unreadable_name"
  | "other_title"
  | "in_parts"
  | "several_candidates";

export interface MapProblem {
  readonly code: MapProblemCode;
  readonly reason: string;
}

export interface MappedPart {
  readonly key: string;
  /** By the torrent's own index; null says there is a problem. */
  readonly file: number | null;
  readonly subtitles: readonly number[];
  readonly problem: MapProblem | null;
}

export interface UnmappedFile {
  readonly index: number;
  readonly path: string;
  readonly reason: string;
}

export interface FileMap {
  /** Of the whole release: nothing of it can be used. */
  readonly problem: MapProblem | null;
  /** Of everything that is wanted, in that order. */
  readonly parts: readonly MappedPart[];
  /** Videos of which nobody knows what they are, or that belong to something else. */
  readonly unmapped: readonly UnmappedFile[];
}

export interface Videos {
  /** Without samples and extras. */
  readonly main: readonly FileOfTorrent[];
  readonly subtitles: readonly FileOfTorrent[];
}
