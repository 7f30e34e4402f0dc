// What the name of a release says. The words for quality and editions are the library's; where its answer is known to be wrong, ours.
// Pure.
import {
  Source as LibrarySource,
  parseEdition,
  parseGroup,
  parseQuality,
  parseResolution,
  parseSource,
  QualityModifier,
} from "@ctrl/video-filename-parser";
import type { NameKind, Numbering } from "./numbering.ts";
import { cleaned, LONGEST_NAME, type Reading, readTitle } from "./title-reading.ts";
import { type Codec, codecIn, isDiscImage, languagesIn, type Revision, revisionIn } from "./vocabulary.ts";

export const RESOLUTIONS = ["2160p", "1080p", "720p", "576p", "540p", "480p"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** The better first. */
export const SOURCES = [
  "remux",
  "bluray",
  "webdl",
  "webrip",
  "tv",
  "dvd",
  "screener",
  "telecine",
  "telesync",
  "cam",
  "workprint",
  "disc",
] as const;
export type Source = (typeof SOURCES)[number];

/** What is not certain about a name, or was not in it. */
export type Doubt = "too_long" | "no_title" | "resolution_guessed" | "source_guessed";

export interface ReleaseName extends Reading {
  /** All the ways its title can be read, the likeliest first: "Blade.Runner.2049" may be of that year, or called so. */
  readonly readings: readonly Reading[];
  readonly numbering: Numbering;
  readonly resolution: Resolution | null;
  readonly source: Source | null;
  readonly codec: Codec | null;
  readonly group: string | null;
  readonly revision: Revision;
  /** Spoken ones by ISO 639-1; empty where the name tells none. */
  readonly languages: readonly string[];
  readonly isMulti: boolean;
  readonly editions: readonly string[];
  /** Behind the title: where words are looked for, so that none of a title is taken for one. */
  readonly tail: string;
  /** Not the thing itself: its extras, its trailer, its subtitles, its music. */
  readonly isExtra: boolean;
  readonly doubts: readonly Doubt[];
}

const EXTRA =
  /^[^\p{L}\p{N}]{0,4}(?:complete[ ._-])?(?:extras?|bonus|featurettes?|trailers?|subpack|soundtrack|ost|making[ ._]of)(?![\p{L}\p{N}])/iu;

export function parseReleaseName(raw: string, kind: NameKind): ReleaseName {
  if (raw.length > LONGEST_NAME) return unread("too_long");
  const { readings, numbering, tail, rest } = readTitle(raw, kind);
  const first = readings[0] ?? { title: "", year: null };
  if (first.title === "" && numbering.kind === "none") return unread("no_title");
  return {
    ...first,
    readings,
    numbering,
    ...madeHow(tail, cleaned(raw)),
    tail,
    isExtra: EXTRA.test(rest),
    doubts: doubtsOfQuality(tail),
  };
}

function unread(doubt: Doubt): ReleaseName {
  return {
    title: "",
    year: null,
    readings: [],
    numbering: { kind: "none" },
    ...madeHow("", ""),
    tail: "",
    isExtra: false,
    doubts: [doubt],
  };
}

const FROM_LIBRARY: readonly (readonly [LibrarySource, Source])[] = [
  // What is worst is what it is: nobody calls a film from a cinema by a better name than it has to have.
  [LibrarySource.WORKPRINT, "workprint"],
  [LibrarySource.CAM, "cam"],
  [LibrarySource.TELESYNC, "telesync"],
  [LibrarySource.TELECINE, "telecine"],
  [LibrarySource.SCREENER, "screener"],
  [LibrarySource.BLURAY, "bluray"],
  [LibrarySource.WEBRIP, "webrip"],
  [LibrarySource.WEBDL, "webdl"],
  [LibrarySource.TV, "tv"],
  [LibrarySource.PPV, "tv"],
  [LibrarySource.DVD, "dvd"],
];

function madeHow(tail: string, name: string) {
  const quality = parseQuality(tail);
  const { languages, isMulti } = languagesIn(tail);
  const resolution = RESOLUTIONS.find((known) => known.toUpperCase() === quality.resolution) ?? null;
  // The library takes the first word for a title, and would take what it says away.
  const editions = Object.entries(parseEdition(`Film.2000.${tail}`)).flatMap(([edition, has]) =>
    has ? [edition] : [],
  );
  return {
    resolution,
    source: sourceOf(tail),
    codec: codecIn(tail),
    group: groupOf(tail, name),
    revision: revisionIn(tail),
    languages,
    isMulti,
    editions: editions.sort(),
  };
}

function sourceOf(tail: string): Source | null {
  if (isDiscImage(tail)) return "disc";
  const quality = parseQuality(tail);
  if (quality.modifier === QualityModifier.REMUX) return "remux";
  const said = parseSource(tail);
  if (said.length === 0 && /\bweb\b/i.test(tail)) return "webdl";
  const sources = said.length === 0 ? quality.sources : said;
  return FROM_LIBRARY.find(([theirs]) => sources.includes(theirs))?.[1] ?? null;
}

/** Without a word about it the library takes what has a resolution for one of the web, and small if it has none. */
function doubtsOfQuality(tail: string): Doubt[] {
  const source = parseSource(tail).length === 0 && sourceOf(tail) !== null && !/\b(web|remux)\b/i.test(tail);
  const resolution = parseResolution(tail).resolution === undefined && parseQuality(tail).resolution !== undefined;
  return [...(source ? (["source_guessed"] as const) : []), ...(resolution ? (["resolution_guessed"] as const) : [])];
}

const NO_GROUP = /^(dl|rip|hd|ma|es|ray|r|\d+|sample)$/i;

/** The library takes the first dash: "S01E01-03" and "DTS-HD" are no groups. Ours is the last, in the tail; then a tag in front. */
function groupOf(tail: string, name: string): string | null {
  const last = /(?<!\bdts)-([\p{L}\d][\p{L}\d.!@]{0,30})(?: ?\[[^\]]{1,20}\]){0,3}$/iu.exec(tail)?.[1];
  if (last !== undefined && !NO_GROUP.test(last)) return last;
  const front = /^\[([^\]]{1,40})\]/.exec(name)?.[1];
  if (front !== undefined) return front;
  const known = tail === "" ? null : parseGroup(`Film.2000.${tail.replaceAll(/-(?=(dl|rip|hd|ma|ray)\b)/gi, "")}`);
  return known === null || known === "" || NO_GROUP.test(known) ? null : known;
}
