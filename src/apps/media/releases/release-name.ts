// What the name of a release says. The words for quality and editions are the library's; where its answer is known to be wrong, ours.
// Pure, and bounded: nothing longer than LONGEST_NAME is looked at.
import {
  Source as LibrarySource,
  parseEdition,
  parseGroup,
  parseQuality,
  parseResolution,
  parseSource,
  QualityModifier,
} from "@ctrl/video-filename-parser";
import { UNSEEN } from "./names.ts";
import { findNumbering, type NameKind, type Numbering } from "./numbering.ts";
import { type Codec, codecIn, isDiscImage, languagesIn, type Revision, revisionIn, tailStart } from "./vocabulary.ts";

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

export interface Reading {
  readonly title: string;
  readonly year: number | null;
}

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

/** Longer ones were not seen in the wild, and what the library does takes the square of the length. */
export const LONGEST_NAME = 400;

const EXTENSION =
  /\.(mkv|mp4|m4v|avi|mov|wmv|ts|m2ts|mpe?g|webm|flv|ogm|divx|rmvb|vob|iso|img|torrent|nzb|srt|ass|ssa|sub|idx|vtt|sup)$/i;
const WEBSITE =
  /^(?:\[ ?(?:www\.)?[\w-]{1,40}(?:\.[a-z]{2,12}){1,2} ?\]|www\.[\w-]{1,40}(?:\.[a-z]{2,12}){1,2})[ ._-]{0,4}(?=.)/i;

export function parseReleaseName(raw: string, kind: NameKind): ReleaseName {
  if (raw.length > LONGEST_NAME) return unread("too_long");
  const clean = cleaned(raw);
  const name = clean.replace(WEBSITE, "");
  const found = findNumbering(name, kind);
  const numbering: Numbering = found?.numbering ?? { kind: "none" };
  const split = found === null ? splitAtYear(name) : splitAtNumbering(name, found.start, found.end);
  const title = split.readings[0] ?? { title: "", year: null };
  if (title.title === "" && found === null) return unread("no_title");
  return {
    ...title,
    readings: split.readings,
    numbering,
    ...madeHow(split.tail, clean),
    tail: split.tail,
    isExtra: EXTRA.test(split.rest),
    doubts: doubtsOfQuality(split.tail),
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

function cleaned(raw: string): string {
  return raw
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(UNSEEN, " ")
    .replaceAll("_", " ")
    .replaceAll(/([ .-])\1+/g, "$1")
    .trim()
    .replace(EXTENSION, "");
}

interface Split {
  readonly readings: readonly Reading[];
  /** All behind the title; an episode's own name is in it. */
  readonly rest: string;
  readonly tail: string;
}

const EXTRA =
  /^[^\p{L}\p{N}]{0,4}(?:complete[ ._-])?(?:extras?|bonus|featurettes?|trailers?|subpack|soundtrack|ost|making[ ._]of)(?![\p{L}\p{N}])/iu;
const behind = (text: string): string => text.replace(/^[\s.)\]-]+/, "");

const YEAR = /(?<![\p{L}\p{N}])(18[89]\d|19\d\d|20\d\d)(?![\p{L}\p{N}])/gu;

/** A film: its year is the last before what is technical, for a title may have one too; never the first word, which is a title. */
function splitAtYear(name: string): Split {
  // A first word is a title, also "Cam" and "4K".
  const first = /^[^\p{L}\p{N}]*[\p{L}\p{N}]+/u.exec(name)?.[0].length ?? 0;
  const technical = tailStart(name, first);
  const years = [...name.matchAll(YEAR)].filter((match) => match.index > 0 && hasLetters(name.slice(0, match.index)));
  const before = years.filter((match) => technical === null || match.index < technical);
  const isBracketed = (match: RegExpExecArray) => /[([]/.test(name[match.index - 1] ?? "");
  const chosen = before.findLast(isBracketed) ?? before.at(-1);
  if (chosen === undefined) {
    const late = years[0];
    const readings = titlesOf(name.slice(0, technical ?? name.length), late === undefined ? null : Number(late[1]));
    const tail = technical === null ? "" : name.slice(technical);
    return { readings, rest: tail, tail };
  }
  const certain = titlesOf(name.slice(0, chosen.index), Number(chosen[1]));
  const rest = behind(name.slice(chosen.index + 4));
  if (before.length > 1 || isBracketed(chosen)) return { readings: certain, rest, tail: rest };
  return { readings: [...certain, ...titlesOf(name.slice(0, chosen.index + 4), null)], rest, tail: rest };
}

const hasLetters = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** A series: what stands before the number is its title, perhaps with the year that tells it from another of the name. */
function splitAtNumbering(name: string, start: number, end: number): Split {
  const front = name.slice(0, start);
  const technical = tailStart(name, end);
  const rest = behind(name.slice(end));
  const tail = technical === null ? "" : name.slice(technical);
  const year = /^(.*[\p{L}\p{N}!?)].*?)[ ._([-]{1,3}((?:19|20)\d\d)[)\] ._-]*$/u.exec(front);
  const whole = titlesOf(front, null);
  if (year === null) return { readings: whole, rest, tail };
  return { readings: [...titlesOf(year[1] ?? "", Number(year[2])), ...whole], rest, tail };
}

/** One title, or what "aka" and "/" separate. Tags in brackets in front are those of groups and sites. */
function titlesOf(text: string, year: number | null): Reading[] {
  const bare = text.replace(/^(?:\[[^\]]{0,60}\][ ._-]{0,3})+(?=.)/, "");
  const parts = bare.split(/[ .](?:aka|\/|\|)[ .]/i);
  const titles = parts.map((part) => tidyTitle(part)).filter((title) => title !== "");
  return [...new Set(titles)].map((title) => ({ title, year }));
}

function tidyTitle(text: string): string {
  return text
    .replaceAll(/\[[^\]]{0,60}\]/g, " ")
    .replaceAll(/[._]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .replace(/[\s([{-]+$/, "")
    .replace(/^[\s)\]}-]+/, "");
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
