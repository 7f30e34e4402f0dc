// Torrents as lists of paths, and what is wanted of them.
import { mapFiles } from "../../src/apps/media/releases/file-map.ts";
import type { EpisodesToMap, EpisodeToMap, FileMap, FilmToMap } from "../../src/apps/media/releases/file-map-types.ts";

export const GB = 1_000_000_000;
export const film: FilmToMap = { kind: "film", key: "film", titles: ["The Matrix"], year: 1999 };

export const episode = (number: number, more: Partial<EpisodeToMap> = {}): EpisodeToMap => ({
  key: `e${number}`,
  season: 1,
  episode: number,
  absolute: null,
  airDate: null,
  ...more,
});
export const show = (...episodes: EpisodeToMap[]): EpisodesToMap => ({
  kind: "episodes",
  titles: ["The Wire"],
  episodes,
});
export const firstThree = show(episode(1), episode(2), episode(3));

/** Paths with their gigabytes; the index is the place. */
export function map(wanted: FilmToMap | EpisodesToMap, files: Readonly<Record<string, number>>, release = ""): FileMap {
  const list = Object.entries(files).map(([path, size], index) => ({ index, path, bytes: Math.round(size * GB) }));
  return mapFiles({ wanted, files: list, release });
}
/** Per key the file's place, or the code of what is wrong. */
export const places = (mapped: FileMap) => mapped.parts.map(({ file, problem }) => file ?? problem?.code);
