// Which file is which episode: by the numbers in names, never by order or size. Pure.
import { fileName, foldersOf, stemOf } from "./file-kinds.ts";
import type {
  EpisodesToMap,
  EpisodeToMap,
  FileMap,
  FileOfTorrent,
  MapProblem,
  MappedPart,
  UnmappedFile,
  Videos,
} from "./file-map-types.ts";
import { comparable, isSameTitle, shown } from "./names.ts";
import type { Numbering } from "./numbering.ts";
import { readTitle } from "./title-reading.ts";
import { revisionIn } from "./vocabulary.ts";

interface ReadFile {
  readonly file: FileOfTorrent;
  /** Of what is wanted; empty also where it is an episode that nobody wants. */
  readonly episodes: readonly EpisodeToMap[];
  readonly isReadable: boolean;
  /** As its folders say; null where they do not. */
  readonly season: number | null;
  readonly isOurs: boolean;
  readonly version: number;
}

interface Context {
  readonly wanted: EpisodesToMap;
  readonly release: string;
  /** "season/episode" of all that is wanted. */
  readonly numbers: ReadonlySet<string>;
}

interface ReadSubtitle {
  readonly file: FileOfTorrent;
  readonly episodes: readonly EpisodeToMap[];
}

export function mapEpisodes({ main, subtitles }: Videos, wanted: EpisodesToMap, release: string): FileMap {
  const numbers = new Set(wanted.episodes.map(({ season, episode }) => `${season}/${episode}`));
  const context: Context = { wanted, release, numbers };
  const read = main.map((file) => readFile(file, context, main.length === 1));
  const readSubtitles = subtitles.map((file) => readSubtitle(file, context));
  const parts = wanted.episodes.map((episode) => mapEpisode(episode, read, readSubtitles));
  return { problem: null, parts, unmapped: read.flatMap(unmappedFile) };
}

function mapEpisode(episode: EpisodeToMap, read: readonly ReadFile[], subtitles: readonly ReadSubtitle[]): MappedPart {
  const { key } = episode;
  // Two of one episode are two versions of it: the repaired one, then the larger.
  const [best] = read
    .filter(({ episodes, isOurs }) => isOurs && episodes.includes(episode))
    .sort((a, b) => b.version - a.version || b.file.bytes - a.file.bytes || a.file.index - b.file.index);
  if (best === undefined) return { key, file: null, subtitles: [], problem: missing(episode, read) };
  const beside = subtitles.filter((subtitle) => read.length === 1 || isBeside(subtitle, best));
  return { key, file: best.file.index, subtitles: beside.map(({ file }) => file.index), problem: null };
}

function readFile(file: FileOfTorrent, context: Context, isAlone: boolean): ReadFile {
  const { wanted, release } = context;
  const own = readTitle(fileName(file.path), "tv");
  const season = seasonOf(file.path, release);
  const numbering = ownNumbering(file.path, own.numbering);
  // One video whose name says nothing is what its release says it is.
  const told = numbering === null && isAlone ? pointing(readTitle(release, "tv").numbering) : numbering;
  const title = numbering === null || own.numbering.kind === "none" ? "" : (own.readings[0]?.title ?? "");
  return {
    file,
    episodes: told === null ? [] : wanted.episodes.filter((episode) => isOf(told, episode, season, context)),
    isReadable: told !== null,
    season,
    isOurs: title === "" || own.readings.some((reading) => isOurTitle(reading.title, wanted.titles)),
    version: revisionIn(own.tail === "" ? fileName(file.path) : own.tail).version,
  };
}

/** "05.mkv" and "05 - Name.mkv" are numbers too, inside a torrent. */
function ownNumbering(path: string, numbering: Numbering): Numbering | null {
  const bare = /^(\d{1,3})(?:v\d)?(?:$|[ ._]*[-._][ ._]*\D|[ ._]+\D|[ ._]*[[(])/.exec(stemOf(path));
  if (numbering.kind === "none" && bare !== null) return { kind: "absolute", numbers: [Number(bare[1])] };
  return pointing(numbering);
}

/** One file with more is no episode, whatever it says. */
const MOST_IN_A_FILE = 12;

/** Only what points at episodes: a file called "Show S01" is none of them. */
function pointing(numbering: Numbering): Numbering | null {
  switch (numbering.kind) {
    case "episodes":
      return numbering.episodes.length <= MOST_IN_A_FILE ? numbering : null;
    case "absolute":
      return numbering.numbers.length <= MOST_IN_A_FILE ? numbering : null;
    case "date":
      return numbering;
    default:
      return null;
  }
}

/** The innermost folder that names one season; at last the release. */
function seasonOf(path: string, release: string): number | null {
  for (const name of [...foldersOf(path).reverse(), release]) {
    if (/^specials?$/i.test(name.trim())) return 0;
    const { numbering } = readTitle(name, "tv");
    if (numbering.kind === "episodes") return numbering.season;
    if (numbering.kind === "seasons") return numbering.seasons.length === 1 ? (numbering.seasons[0] ?? null) : null;
  }
  return null;
}

function isOf(numbering: Numbering, episode: EpisodeToMap, season: number | null, { numbers }: Context): boolean {
  if (numbering.kind === "episodes") {
    return numbering.season === episode.season && numbering.episodes.includes(episode.episode);
  }
  if (numbering.kind === "date") return numbering.date === episode.airDate;
  if (numbering.kind !== "absolute") return false;
  return numbering.numbers.some((number) => {
    if (season === null) return number === (episode.absolute ?? (episode.season === 1 ? episode.episode : null));
    if (season !== episode.season) return false;
    // In the folder of a season a number is the season's, and counted over all seasons only if the season has none of that number.
    return numbers.has(`${season}/${number}`) ? episode.episode === number : episode.absolute === number;
  });
}

const COUNTRY_OR_YEAR = /[ (]{1,2}(?:[A-Z]{2}|(?:19|20)\d\d)\)?$/;

/** As it is called, with a country or a year behind it, behind its group's name, or short: "tbbt" and "wire". */
function isOurTitle(title: string, titles: readonly string[]): boolean {
  const bare = title.replace(COUNTRY_OR_YEAR, "");
  const behindGroup = title.slice(title.indexOf("-") + 1);
  return titles.some(
    (ours) =>
      [title, bare, behindGroup].some((one) => isSameTitle(one, ours)) ||
      isSameTitle(title, ours.replace(COUNTRY_OR_YEAR, "")) ||
      isShortFor(comparable(title), ours),
  );
}

const LONGEST_SHORT = 5;

/** Its initials, or some of its letters in their order, beginning with the first. */
function isShortFor(short: string, title: string): boolean {
  if (short === "" || short.length > LONGEST_SHORT) return false;
  if (short === initials(title)) return true;
  const whole = comparable(title);
  let at = 0;
  for (const letter of whole) if (letter === short[at]) at += 1;
  return at === short.length && whole[0] === short[0];
}

const initials = (title: string): string =>
  title
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word[0] ?? "")
    .join("")
    .toLowerCase();

function missing(episode: EpisodeToMap, read: readonly ReadFile[]): MapProblem {
  const named = (list: readonly ReadFile[]) =>
    `${list
      .slice(0, 3)
      .map(({ file }) => `"${shown(fileName(file.path), 60)}"`)
      .join(", ")}${list.length > 3 ? ` and ${list.length - 3} more` : ""}`;
  const others = read.filter(({ episodes, isOurs }) => !isOurs && episodes.includes(episode));
  if (others.length > 0)
    return { code: "other_title", reason: `it has the number in the name of another title: ${named(others)}` };
  const unreadable = read.filter(
    ({ isReadable, season }) => !isReadable && (season ?? episode.season) === episode.season,
  );
  if (unreadable.length > 0) {
    return {
      code: "unreadable_name",
      reason: `it may be ${named(unreadable)}, whose name does not tell which episode it is`,
    };
  }
  return { code: "not_in_release", reason: "no file of the release has its number" };
}

function unmappedFile({ file: { index, path }, isReadable, isOurs }: ReadFile): UnmappedFile[] {
  if (!isReadable) return [{ index, path, reason: "its name does not tell which episode it is" }];
  if (!isOurs) return [{ index, path, reason: "it is called by another title" }];
  return [];
}

function readSubtitle(file: FileOfTorrent, context: Context): ReadSubtitle {
  const numbering = pointing(readTitle(fileName(file.path), "tv").numbering);
  // "2_English.srt" is no second episode.
  if (numbering === null || numbering.kind === "absolute") return { file, episodes: [] };
  const season = seasonOf(file.path, context.release);
  return { file, episodes: context.wanted.episodes.filter((episode) => isOf(numbering, episode, season, context)) };
}

/** In its name, in a folder of its name, or with its number. */
function isBeside({ file, episodes }: ReadSubtitle, video: ReadFile): boolean {
  const stem = stemOf(video.file.path).toLowerCase();
  return (
    fileName(file.path).toLowerCase().startsWith(`${stem}.`) ||
    foldersOf(file.path).some((folder) => folder.toLowerCase() === stem) ||
    episodes.some((episode) => video.episodes.includes(episode))
  );
}
