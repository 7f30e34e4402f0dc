// Films and episodes that are wanted, and releases that were found for them.
import { expect } from "vitest";
import { type QualityProfileInput, qualityProfileSchema } from "../../src/apps/media/releases/quality-profile.ts";
import { type BlockedRelease, rank } from "../../src/apps/media/releases/rank.ts";
import type {
  FoundRelease,
  Wanted,
  WantedEpisode,
  WantedFilm,
  WantedSeason,
} from "../../src/apps/media/releases/wanted.ts";

export const GB = 1_000_000_000;
export const film: WantedFilm = {
  kind: "film",
  titles: ["The Matrix", "Matrix"],
  year: 1999,
  ids: { imdb: "tt0133093", tmdb: 603 },
  runtimeMinutes: 136,
  originalLanguage: "en",
};
export const episode: WantedEpisode = {
  kind: "episode",
  titles: ["The Office"],
  year: 2005,
  country: "US",
  season: 3,
  episode: 5,
  absolute: null,
  airDate: "2006-10-19",
  ids: { tvdb: 73244 },
  runtimeMinutes: 22,
  originalLanguage: "en",
  wantedOfSeason: 1,
  seasonEpisodes: 25,
};
const { episode: _, absolute: __, airDate: ___, wantedOfSeason: ____, seasonEpisodes: _____, ...series } = episode;
export const season: WantedSeason = { ...series, kind: "season", episodes: [1, 2, 3, 4] };

let count = 0;
export function found(title: string, more: Partial<FoundRelease> = {}): FoundRelease {
  count += 1;
  const bytes = /S\d\dE|\d{4}\.\d\d\.\d\d| - \d\d/.test(title) ? GB : 6 * GB;
  return {
    title,
    guid: `guid-${count}`,
    indexer: "one",
    indexerPriority: 25,
    bytes,
    seeders: 20,
    categories: [2000],
    ...more,
  };
}

export function ranking(
  wanted: Wanted,
  releases: FoundRelease[],
  profile: QualityProfileInput = {},
  blocked: BlockedRelease[] = [],
) {
  return rank({ wanted, found: releases, profile: qualityProfileSchema.parse(profile), blocked });
}

/** The titles in the order in which they would be tried. */
export const order = (...args: Parameters<typeof ranking>) => ranking(...args).ranked.map((each) => each.found.title);
/** The codes for which one release is refused; none where it is taken. */
export function why(
  wanted: Wanted,
  release: FoundRelease,
  profile?: QualityProfileInput,
  blocked?: BlockedRelease[],
): string[] {
  const { ranked, rejected } = ranking(wanted, [release], profile, blocked);
  expect(ranked.length + rejected.length).toBe(1);
  return rejected.flatMap((each) => each.rejections.map(({ code }) => code));
}
export const reasons = (...args: Parameters<typeof ranking>) =>
  ranking(...args).rejected.flatMap((each) => each.rejections.map(({ reason }) => reason));

export const GOOD = "The.Matrix.1999.1080p.BluRay.x264-G";
