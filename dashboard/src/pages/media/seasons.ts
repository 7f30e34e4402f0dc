// A request's episodes by season, and how a day is told beside them. Pure.

import type { MediaRequest } from "../../../../src/server/contract/wire.ts";

type Episode = MediaRequest["items"][number];

export interface Season {
  readonly season: number;
  readonly episodes: readonly Episode[];
}

/** In the order of their numbers, specials last. */
export function seasonsOf(items: readonly Episode[]): readonly Season[] {
  const numbers = [...new Set(items.map(({ season }) => season ?? 0))].sort(
    (one, other) => placeOf(one) - placeOf(other),
  );
  return numbers.map((season) => ({
    season,
    episodes: items
      .filter((item) => (item.season ?? 0) === season)
      .toSorted((one, other) => (one.episode ?? 0) - (other.episode ?? 0)),
  }));
}

const placeOf = (season: number) => (season === 0 ? Number.POSITIVE_INFINITY : season);
