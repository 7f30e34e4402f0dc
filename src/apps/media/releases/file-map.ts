// Which file of a torrent is which: one download may serve many episodes, and none of them gets another's file. Pure.
import { mapEpisodes } from "./episode-files.ts";
import { type FileKind, fileKind, isExtra, isNamedSample } from "./file-kinds.ts";
import type { FileMap, FileMapInput, FileOfTorrent, MapProblem, MapProblemCode, Videos } from "./file-map-types.ts";
import { mapFilm } from "./film-file.ts";
import { shown } from "./names.ts";
import { readTitle } from "./title-reading.ts";

/** No series has as many; only somebody who means harm. */
const MOST_FILES = 20_000;

export function mapFiles(input: FileMapInput): FileMap {
  const { files, wanted, release } = input;
  const kinded = files.slice(0, MOST_FILES).map((file) => ({ ...file, kind: fileKind(file.path) }));
  const videos = videosOf(kinded);
  const problem = wholeProblem(kinded, files.length, videos);
  const keys = wanted.kind === "film" ? [wanted.key] : wanted.episodes.map(({ key }) => key);
  if (problem !== null) {
    return { problem, parts: keys.map((key) => ({ key, file: null, subtitles: [], problem })), unmapped: [] };
  }
  // The release was found to be what is wanted: how it calls itself is one more name for it.
  const known = readTitle(release, wanted.kind === "film" ? "film" : "tv").readings.map(({ title }) => title);
  const titles = [...wanted.titles, ...known].filter((title) => title !== "");
  return wanted.kind === "film"
    ? mapFilm(videos, { ...wanted, titles })
    : mapEpisodes(videos, { ...wanted, titles }, release);
}

type KindedFile = FileOfTorrent & { readonly kind: FileKind };

function videosOf(files: readonly KindedFile[]): Videos {
  const all = files.filter(({ bytes, kind, path }) => bytes > 0 && kind === "video" && !isExtra(path));
  const largest = Math.max(0, ...all.map(({ bytes }) => bytes));
  return {
    main: all.filter(({ path, bytes }) => !isNamedSample(path) || bytes * 2 >= largest),
    subtitles: files.filter(({ kind, path }) => kind === "subtitle" && !isNamedSample(path)),
  };
}

/** What makes all of it useless, in the order of how bad it is. */
function wholeProblem(files: readonly KindedFile[], count: number, { main }: Videos): MapProblem | null {
  if (count === 0) return { code: "no_files", reason: "the torrent has no files" };
  if (count > MOST_FILES) return { code: "too_many_files", reason: `the torrent has ${count} files` };
  const first = (...kinds: FileKind[]) => files.find(({ kind }) => kinds.includes(kind));
  const bytesOf = (...kinds: FileKind[]) =>
    files.reduce((sum, { bytes, kind }) => (kinds.includes(kind) ? sum + bytes : sum), 0);
  const told = (code: MapProblemCode, file: FileOfTorrent | undefined, what: string): MapProblem | null =>
    file === undefined ? null : { code, reason: `${what}: ${shown(file.path)}` };
  const dangerous =
    told("unsafe_path", first("unsafe"), "a path that leads elsewhere, or that no disk takes") ??
    told("executable", first("executable"), "it holds a program, which nothing that is to be watched needs");
  if (dangerous !== null) return dangerous;
  const playable = main.reduce((sum, { bytes }) => sum + bytes, 0);
  if (bytesOf("archive", "password") > playable) {
    return (
      told("encrypted", first("password"), "it is packed and needs a password") ??
      told("rar", first("archive"), "it is packed, and packed releases are not unpacked here")
    );
  }
  if (bytesOf("disc") > playable)
    return told("disc_image", first("disc"), "it is a disc and no file that can be played");
  if (main.length > 0) return null;
  return (
    told("playlist", first("playlist"), "a list of addresses stands where the video should be") ?? {
      code: "no_video",
      reason: `there is no video among its ${count} files, samples and extras aside`,
    }
  );
}
