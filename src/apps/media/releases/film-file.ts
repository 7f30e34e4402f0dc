// The one file that is the film. Pure.
import { fileName } from "./file-kinds.ts";
import type { FileMap, FileOfTorrent, FilmToMap, MapProblem, Videos } from "./file-map-types.ts";
import { isCloseTitle, isSameTitle, shown } from "./names.ts";
import { readTitle } from "./title-reading.ts";

/** So much larger than all others that they cannot be films beside it. */
const FAR_LARGER = 3;
const IN_PARTS = /(?:^|[^\p{L}\p{N}])(?:cd|disc|disk|dvd)[ ._-]?[1-9](?:[^\p{L}\p{N}]|$)/iu;

export function mapFilm({ main, subtitles }: Videos, film: FilmToMap): FileMap {
  const chosen = chooseFile(main, film);
  if ("code" in chosen) {
    const unmapped = main.map(({ index, path }) => ({ index, path, reason: chosen.reason }));
    return { problem: null, parts: [{ key: film.key, file: null, subtitles: [], problem: chosen }], unmapped };
  }
  const part = { key: film.key, file: chosen.index, subtitles: subtitles.map(({ index }) => index), problem: null };
  const others = main.filter((file) => file !== chosen);
  const unmapped = others.map(({ index, path }) => ({ index, path, reason: "a video beside the film" }));
  return { problem: null, parts: [part], unmapped };
}

function chooseFile(main: readonly FileOfTorrent[], film: FilmToMap): FileOfTorrent | MapProblem {
  const bySize = [...main].sort((a, b) => b.bytes - a.bytes || a.index - b.index);
  const [largest, second] = bySize;
  if (largest === undefined) return { code: "no_video", reason: "there is no video in it" };
  const called = bySize.filter((file) => isCalled(file, film));
  const parts = bySize.filter(({ path }) => IN_PARTS.test(fileName(path)));
  if (parts.length > 1) {
    return {
      code: "in_parts",
      reason: `the film is in ${parts.length} files: ${shown(fileName(parts[0]?.path ?? ""))} …`,
    };
  }
  // Two of its name are two versions of it; the larger is the better.
  if (called[0] !== undefined) return called[0];
  const isAlone = second === undefined || largest.bytes >= FAR_LARGER * second.bytes;
  if (!isAlone) {
    const reason = `${bySize.length} videos of like size, none of which is called "${shown(film.titles[0] ?? "")}"`;
    return { code: "several_candidates", reason };
  }
  return isOther(largest, film)
    ? { code: "other_title", reason: `the video is called "${shown(fileName(largest.path))}"` }
    : largest;
}

function isCalled({ path }: FileOfTorrent, film: FilmToMap): boolean {
  const { readings, numbering } = readTitle(fileName(path), "film");
  return (
    numbering.kind === "none" &&
    readings.some(
      ({ title, year }) =>
        film.titles.some((ours) => isSameTitle(title, ours)) &&
        (year === null || film.year === null || Math.abs(year - film.year) <= 1),
    )
  );
}

/** It names something else, and does so clearly: with a year, or the number of an episode. A name that says nothing contradicts nothing. */
function isOther({ path }: FileOfTorrent, film: FilmToMap): boolean {
  const { readings, numbering } = readTitle(fileName(path), "film");
  if (numbering.kind !== "none") return true;
  const told = readings.filter(({ year }) => year !== null);
  const isNear = ({ title, year }: { title: string; year: number | null }) =>
    film.titles.some((ours) => isCloseTitle(title, ours)) &&
    (film.year === null || year === null || Math.abs(year - film.year) <= 1);
  return told.length > 0 && !told.some(isNear);
}
