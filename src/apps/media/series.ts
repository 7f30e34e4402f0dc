// Which episodes somebody means who asks for a series, some of its seasons, or some of its episodes. Pure.

import type { Season, Series } from "../../connectors/index.ts";
import { permanent } from "../../engine/index.ts";
import type { HeldEpisodes } from "./ports.ts";
import type { SeriesAsked, WantedEpisode } from "./wanted.ts";

/** The seasons that have to be looked up; specials only where they are asked for. */
export function seasonsAsked({ seasons, episodes }: SeriesAsked, series: Series): number[] {
  const known = series.seasons.map(({ season }) => season);
  const asked =
    seasons === undefined && episodes === undefined
      ? known.filter((season) => season > 0)
      : [...(seasons ?? []), ...(episodes ?? []).map(({ season }) => season)];
  return [...new Set(asked)].sort((a, b) => a - b);
}

export interface EpisodePlan {
  readonly episodes: readonly WantedEpisode[];
  /** What was asked for and is not known: "season 9", "season 1 episode 40". */
  readonly unknown: readonly string[];
}

export function planEpisodes(asked: SeriesAsked, series: Series, seasons: readonly Season[]): EpisodePlan {
  const isWhole = (season: number) =>
    asked.seasons === undefined ? asked.episodes === undefined : asked.seasons.includes(season);
  const listed = new Set((asked.episodes ?? []).map(({ season, episode }) => `${season}x${episode}`));
  const episodes = seasons.flatMap(({ season, episodes: all }) => {
    const meant = all.filter(({ episode }) => isWhole(season) || listed.has(`${season}x${episode}`));
    return meant.map((one) => toWanted(one, asked, series, meant.length));
  });
  const found = new Set(episodes.map(({ season, episode }) => `${season}x${episode}`));
  const missing = (asked.episodes ?? []).filter(({ season, episode }) => !found.has(`${season}x${episode}`));
  const empty = (asked.seasons ?? []).filter((season) => !episodes.some((one) => one.season === season));
  return {
    episodes,
    unknown: [
      ...empty.map((season) => `season ${season}`),
      ...missing.map(({ season, episode }) => `season ${season} episode ${episode}`),
    ],
  };
}

const placeOf = ({ season, episode }: Pick<WantedEpisode, "season" | "episode">): string => `${season}x${episode}`;

/** Without those that the request has already, and those that are there; how many these were. */
export function withoutHeld(
  { episodes }: Pick<EpisodePlan, "episodes">,
  { here, there }: HeldEpisodes,
): { readonly wanted: readonly WantedEpisode[]; readonly there: number } {
  const [own, done] = [new Set(here.map(placeOf)), new Set(there.map(placeOf))];
  const fresh = episodes.filter((one) => !own.has(placeOf(one)));
  const wanted = fresh.filter((one) => !done.has(placeOf(one)));
  return { wanted, there: fresh.length - wanted.length };
}

function toWanted(
  one: Season["episodes"][number],
  asked: SeriesAsked,
  series: Series,
  ofSeason: number,
): WantedEpisode {
  const { profile, targets, encodings, policy, tmdb } = asked;
  return {
    ...{ kind: "episode", tmdb, profile, targets, encodings, policy, ofSeason },
    season: one.season,
    episode: one.episode,
    series: series.title.slice(0, 500),
    name: one.name?.slice(0, 500) ?? null,
    airs: one.airDate,
  };
}

/** More than this nobody asks for by intent, and no request holds. */
export const EPISODES_MOST = 2_000;

export function checkPlan({ episodes, unknown }: EpisodePlan): void {
  const refuse = (code: string, why: string) => permanent(code, why, { breaker: "none" });
  if (episodes.length > EPISODES_MOST)
    throw refuse("TOO_MANY", `that is ${episodes.length} episodes; ask for at most ${EPISODES_MOST} at once`);
  if (episodes.length > 0) return;
  const missing = unknown.length === 0 ? "are no episodes yet" : `is no ${unknown.slice(0, 5).join(", no ")}`;
  throw refuse("TMDB_NOT_FOUND", `there ${missing}`);
}
