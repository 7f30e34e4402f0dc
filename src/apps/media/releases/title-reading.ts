// What a name is about: the title in all the ways it can be read, the year, the episodes; and where it begins to say how it was made.
// Pure, and bounded: nothing longer than LONGEST_NAME is looked at.
import { UNSEEN } from "./names.ts";
import { findNumbering, type NameKind, type Numbering } from "./numbering.ts";
import { tailStart } from "./vocabulary.ts";

export interface Reading {
  readonly title: string;
  readonly year: number | null;
}

/** Longer ones were not seen in the wild, and what the library does takes the square of the length. */
export const LONGEST_NAME = 400;

const EXTENSION =
  /\.(mkv|mp4|m4v|avi|mov|wmv|ts|m2ts|mpe?g|webm|flv|ogm|divx|rmvb|vob|iso|img|torrent|nzb|srt|ass|ssa|sub|idx|vtt|sup)$/i;
const WEBSITE =
  /^(?:\[ ?(?:www\.)?[\w-]{1,40}(?:\.[a-z]{2,12}){1,2} ?\]|www\.[\w-]{1,40}(?:\.[a-z]{2,12}){1,2})[ ._-]{0,4}(?=.)/i;

export interface TitleOnly extends Split {
  readonly numbering: Numbering;
}

/** The cheaper part: what it is, and not how it was made. */
export function readTitle(raw: string, kind: NameKind): TitleOnly {
  if (raw.length > LONGEST_NAME) return { readings: [], rest: "", tail: "", numbering: { kind: "none" } };
  const name = cleaned(raw).replace(WEBSITE, "");
  const found = findNumbering(name, kind);
  if (found === null) return { ...splitAtYear(name), numbering: { kind: "none" } };
  return { ...splitAtNumbering(name, found.start, found.end), numbering: found.numbering };
}

export function cleaned(raw: string): string {
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
  /** The likeliest first: "Blade.Runner.2049" may be of that year, or called so. */
  readonly readings: readonly Reading[];
  /** All behind the title; an episode's own name is in it. */
  readonly rest: string;
  readonly tail: string;
}

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
