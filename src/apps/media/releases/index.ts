/** Names of releases, which of them fit what is wanted, and which of their files is what: pure. */

export { mapFiles } from "./file-map.ts";
export type {
  EpisodesToMap,
  EpisodeToMap,
  FileMap,
  FileMapInput,
  FileOfTorrent,
  FilmToMap,
  MapProblem,
  MapProblemCode,
  MappedPart,
  UnmappedFile,
} from "./file-map-types.ts";
export { comparable, isCloseTitle, isSameTitle, safeFileName, shown } from "./names.ts";
export type { NameKind, Numbering } from "./numbering.ts";
export {
  type QualityProfile,
  type QualityProfileInput,
  qualityProfileSchema,
  standardProfile,
} from "./quality-profile.ts";
export {
  type BlockedRelease,
  type RankedRelease,
  type RankInput,
  type Ranking,
  type RejectedRelease,
  rank,
} from "./rank.ts";
export {
  type Doubt,
  parseReleaseName,
  RESOLUTIONS,
  type ReleaseName,
  type Resolution,
  SOURCES,
  type Source,
} from "./release-name.ts";
export { LONGEST_NAME, type Reading } from "./title-reading.ts";
export { CODECS, type Codec, LANGUAGE_CODES, type Revision } from "./vocabulary.ts";
export {
  type Extent,
  type FoundRelease,
  REJECTIONS,
  type Rejection,
  type RejectionCode,
  type TitleIds,
  type Wanted,
  type WantedEpisode,
  type WantedFilm,
  type WantedSeason,
} from "./wanted.ts";
