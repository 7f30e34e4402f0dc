// Which file of a torrent is the one an item wants, as the rest of the pipeline asks it.

import { type Fault, permanent } from "../../engine/index.ts";
import { type FileMap, type FileOfTorrent, type MapProblem, mapFiles, type Wanted } from "./releases/index.ts";

/** As much of the title as is needed to know its files. */
export interface Sought {
  readonly titles: readonly string[];
  readonly year: number | null;
  /** Absent for a film. */
  readonly season?: number | undefined;
  readonly episode?: number | undefined;
  /** All that the season has: a pack is mapped once for all of them. */
  readonly episodes: readonly SeasonEpisode[];
}

export interface SeasonEpisode {
  readonly episode: number;
  readonly airDate: string | null;
}

export function soughtOf(wanted: Wanted, episodes: readonly SeasonEpisode[]): Sought {
  const { titles, year } = wanted;
  if (wanted.kind === "film") return { titles, year, episodes: [] };
  const episode = wanted.kind === "episode" ? wanted.episode : undefined;
  return { titles, year, season: wanted.season, episode, episodes };
}

const FILM = "film";
const keyOf = (season: number, episode: number): string => `${season}x${episode}`;

export function mapFor(sought: Sought, release: string, files: readonly FileOfTorrent[]): FileMap {
  const { titles, year, season } = sought;
  if (season === undefined) return mapFiles({ release, files, wanted: { kind: "film", key: FILM, titles, year } });
  const episodes = sought.episodes.map(({ episode, airDate }) => ({
    ...{ key: keyOf(season, episode), season, episode, absolute: null, airDate },
  }));
  return mapFiles({ release, files, wanted: { kind: "episodes", titles, episodes } });
}

/** The index of the wanted file, or what is wrong. */
export function ownFile({ season, episode }: Sought, map: FileMap): { readonly file: number } | MapProblem {
  if (map.problem !== null) return map.problem;
  const key = season === undefined || episode === undefined ? FILM : keyOf(season, episode);
  const part = map.parts.find((one) => one.key === key);
  if (part?.file != null) return { file: part.file };
  return part?.problem ?? { code: "not_in_release", reason: "it is not in this release" };
}

/** Every episode that was found among the files. */
export function mappedEpisodes({ season, episodes }: Sought, map: FileMap) {
  if (season === undefined) return [];
  return episodes.flatMap(({ episode }) => {
    const part = map.parts.find((one) => one.key === keyOf(season, episode));
    return part?.file == null ? [] : [{ season, episode, file: part.file }];
  });
}

/** Not the pipeline's fault, nor anybody's to try again: this release is not what it said. */
export const unfit = ({ code, reason }: MapProblem): Fault =>
  permanent(code.toUpperCase(), reason, { breaker: "none" });
