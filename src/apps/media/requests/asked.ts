// What somebody asks for, and what is said to them. Pure.

import type { SeriesAsked, WantedItem } from "../wanted.ts";
import type { HeldItem } from "./requests.sql.ts";
import type { AskedTarget } from "./targets.ts";

interface Common {
  readonly tmdb: number;
  /** A quality profile's name; the standard one where none is named. */
  readonly profile?: string | undefined;
  readonly targets: readonly AskedTarget[];
  readonly policy: WantedItem["policy"];
  readonly priority?: number | undefined;
}

export interface AskedFilm extends Common {
  readonly kind: "film";
}

export interface AskedSeries extends Common {
  readonly kind: "series";
  /** Neither seasons nor episodes: all but the specials. */
  readonly seasons?: readonly number[] | undefined;
  readonly episodes?: readonly { readonly season: number; readonly episode: number }[] | undefined;
}

export type Asked = AskedFilm | AskedSeries;

export type AskOutcome = "new" | "joined" | "there";

/** The same key for the same title; a film and a series of one number are two. */
export const keyOf = ({ kind, tmdb }: Pick<Asked, "kind" | "tmdb">): string => `${kind}:${tmdb}`;

/** Whether what is asked for has this episode among it. */
export function isMeant(
  { seasons, episodes }: Pick<AskedSeries, "seasons" | "episodes">,
  { season, episode }: Pick<HeldItem, "season" | "episode">,
): boolean {
  if (season === null) return false;
  if (seasons === undefined && episodes === undefined) return season > 0;
  return (
    seasons?.includes(season) === true ||
    episodes?.some((one) => one.season === season && one.episode === episode) === true
  );
}

/** Whether the same was asked for in other words. */
export function isSameAsk(a: Pick<SeriesAsked, "seasons" | "episodes">, b: Pick<SeriesAsked, "seasons" | "episodes">) {
  const told = ({ seasons, episodes }: typeof a) =>
    JSON.stringify([
      seasons === undefined ? null : [...new Set(seasons)].sort((x, y) => x - y),
      episodes === undefined ? null : [...new Set(episodes.map((one) => `${one.season}x${one.episode}`))].sort(),
    ]);
  return told(a) === told(b);
}

export interface AskFacts {
  readonly outcome: AskOutcome;
  /** "Metropolis (1927)". */
  readonly name: string;
  /** Whoever asks has asked for it before. */
  readonly isOwners: boolean;
  /** What was asked for is added to what is under way. */
  readonly isMore: boolean;
}

export function askSentence({ outcome, name, isOwners, isMore }: AskFacts): string {
  if (outcome === "there") return `${name} is there already. Replay it to have it anew.`;
  if (outcome === "new") return `${name} is asked for.`;
  if (isMore) return `What you asked for of ${name} is added to what is under way.`;
  return isOwners
    ? `You have asked for ${name} already, and it is under way.`
    : `Others have asked for ${name}; it is under way, and yours too now.`;
}

export function wouldSentence({ outcome, name, isOwners, isMore }: AskFacts): string {
  if (outcome === "there") return `Nothing: ${name} is there already.`;
  if (outcome === "new") return `Would ask for ${name}.`;
  if (isMore) return `Would add it to what is under way of ${name}.`;
  return isOwners ? `Nothing: you have asked for ${name} already.` : `Would join those who have asked for ${name}.`;
}
