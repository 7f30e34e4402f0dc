/** Metadata of films and series: TMDB. */
export { type FakeMetadata, type FakeMetadataOptions, fakeMetadata, type MetadataTrouble } from "./fake-metadata.ts";
export type {
  Episode,
  ExternalIds,
  Film,
  FoundByImdb,
  FoundTitle,
  Image,
  ImageKind,
  Metadata,
  PlainDate,
  Season,
  Series,
  SeriesSeason,
} from "./metadata.ts";
export {
  type CataloguedEpisode,
  type CataloguedFilm,
  type CataloguedSeason,
  type CataloguedSeries,
  type MetadataTruth,
  MetadataWorld,
  type MetadataWorldOptions,
} from "./metadata-world.ts";
export { type TmdbContractCase, type TmdbContractWorld, tmdbContract } from "./tmdb.contract.ts";
export { type TmdbOptions, tmdb } from "./tmdb.ts";
