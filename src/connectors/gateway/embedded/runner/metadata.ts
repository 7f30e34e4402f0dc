// What a PDF says of itself, from either reader → the same words. Pure.

import type { Metadata } from "../format.ts";

const LONGEST = 10_000;

/** `D:20240131120000+01'00'`, or what poppler makes of it. Undefined for what is no date. */
export function isoDate(text: string): string | undefined {
  const pdf = /^D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?'?)?/.exec(text.trim());
  const iso = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:(Z)|([+-])(\d\d):?(\d\d)?)?$/.exec(text.trim());
  const [
    ,
    year,
    month = "01",
    day = "01",
    hour = "00",
    minute = "00",
    second = "00",
    zulu,
    sign,
    hours,
    minutes = "00",
  ] = iso ?? pdf ?? [];
  if (year === undefined) return undefined;
  const zone =
    zulu ?? (sign === undefined ? "" : hours === "00" && minutes === "00" ? "Z" : `${sign}${hours}:${minutes}`);
  const made = `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
  return Number.isNaN(Date.parse(made)) ? undefined : made;
}

/** PDF.js leaves text in UTF-16 as it is where it holds half a pair. */
function decoded(text: string): string {
  if (!text.startsWith("\u00FE\u00FF")) return text;
  const bytes = Buffer.from(text, "latin1").subarray(2);
  return bytes
    .subarray(0, bytes.length - (bytes.length % 2))
    .swap16()
    .toString("utf16le");
}

/** By the names that the standard gives them. */
export function metadataOf(said: (name: string) => unknown): Metadata {
  const text = (name: string) => {
    const value = said(name);
    return typeof value === "string" && value.trim() !== "" ? decoded(value).trim().slice(0, LONGEST) : undefined;
  };
  const date = (name: string) => isoDate(text(name) ?? "");
  const all = {
    ...{ title: text("Title"), author: text("Author"), subject: text("Subject"), keywords: text("Keywords") },
    ...{
      creator: text("Creator"),
      producer: text("Producer"),
      created: date("CreationDate"),
      modified: date("ModDate"),
    },
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A part of a font is called "ABCDEF+Name". */
export function fontFamily(name: string): string {
  const family = name.replace(/^[A-Z]{6}\+/, "").trim();
  return family === "" ? "unknown" : family.slice(0, 200);
}
