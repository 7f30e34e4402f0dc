// The words that stand behind a title: languages, codecs, revisions, discs. Pure.

/** Two letters of ISO 639-1, as the metadata service tells the original language. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  ar: ["arabic"],
  bg: ["bulgarian"],
  bn: ["bengali"],
  ca: ["catalan"],
  cs: ["czech", "CZ", "CZE"],
  da: ["danish", "DANISH", "DAN"],
  de: ["german", "deutsch", "GER", "DEU", "videomann"],
  el: ["greek"],
  en: ["english", "ENG", "EN"],
  es: ["spanish", "castellano", "latino", "espanol", "español", "ESP", "SPA"],
  et: ["estonian"],
  fa: ["persian", "farsi"],
  fi: ["finnish"],
  fr: ["french", "truefrench", "VFF", "VFQ", "VF2", "VFI", "FR", "FRE"],
  he: ["hebrew", "hebdub"],
  hi: ["hindi", "HIN"],
  hu: ["hungarian", "hundub", "HUN"],
  is: ["icelandic"],
  it: ["italian", "ITA"],
  ja: ["japanese", "JPN", "JAP"],
  ko: ["korean", "KOR"],
  lt: ["lithuanian"],
  lv: ["latvian"],
  nl: ["dutch", "flemish", "NL"],
  no: ["norwegian"],
  pl: ["polish", "pldub", "PL"],
  pt: ["portuguese", "brazilian", "dublado", "POR"],
  ro: ["romanian", "rodubbed"],
  ru: ["russian", "RUS"],
  sk: ["slovak"],
  sr: ["serbian"],
  sv: ["swedish", "SWE"],
  ta: ["tamil", "TAM"],
  te: ["telugu", "TEL"],
  th: ["thai"],
  tr: ["turkish"],
  uk: ["ukrainian", "UKR"],
  vi: ["vietnamese"],
  zh: ["chinese", "mandarin", "cantonese", "CHI"],
};

export const LANGUAGE_CODES: readonly string[] = Object.keys(LANGUAGES);

/** Names in any case; abbreviations only in capitals, or "no", "tel" and "chi" of an episode's name would be languages. */
const LANGUAGE_OF = new Map(
  Object.entries(LANGUAGES).flatMap(([code, words]) => words.map((word) => [word, code] as const)),
);

const languageOf = (word: string): string | undefined =>
  LANGUAGE_OF.get(word.toLowerCase()) ?? LANGUAGE_OF.get(sceneCase(word));
/** "iTA" and "iTALiAN" are capitals: the scene writes its i small. */
const sceneCase = (word: string): string => (/^[A-Zi0-9]+$/.test(word) ? word.toUpperCase() : word);

const MULTI = /^(multi\d?|dual|dl)$/i;
const SUBTITLES = /^(subs?|subbed|subtitles?)$/i;

export interface SpokenLanguages {
  readonly languages: readonly string[];
  /** It says there are several without saying all. */
  readonly isMulti: boolean;
}

export function languagesIn(tail: string): SpokenLanguages {
  const words = wordsOf(tail.replaceAll(/web[ ._-]?dl/gi, " "));
  const told = words.flatMap((word, at) => {
    const code = languageOf(word);
    return code === undefined || SUBTITLES.test(words[at + 1] ?? "") ? [] : [code];
  });
  return { languages: [...new Set(told)].sort(), isMulti: words.some((word) => MULTI.test(word)) };
}

export const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");

export const CODECS = ["av1", "h265", "h264", "vp9", "vc1", "xvid", "mpeg2"] as const;
export type Codec = (typeof CODECS)[number];

const CODEC_WORDS: readonly (readonly [Codec, RegExp])[] = [
  ["av1", /\bav1\b/i],
  ["h265", /\b([xh][ .]?265|hevc)(?!\d)/i],
  ["h264", /\b([xh][ .]?264|avc)(?!\d)/i],
  ["vp9", /\bvp9\b/i],
  ["vc1", /\bvc-?1\b/i],
  ["xvid", /\b(xvid(hd)?|divx)\b/i],
  ["mpeg2", /\bmpeg-?2\b/i],
];

/** The library knows neither "H.264" with its dot nor AV1. */
export function codecIn(tail: string): Codec | null {
  return CODEC_WORDS.find(([, words]) => words.test(tail))?.[0] ?? null;
}

export interface Revision {
  /** 1 as first released; each proper, repack or "v" counts one more. */
  readonly version: number;
  /** How often it says REAL: a proper of a proper. */
  readonly real: number;
  /** Its own group's repair; a proper is another group's. */
  readonly isRepack: boolean;
}

/** The library takes REPACK2 for no repack at all. */
export function revisionIn(tail: string): Revision {
  const again = /\b(proper|repack|rerip)(\d?)\b/i.exec(tail);
  const version = /(?:\b|\d)v([2-9])\b/i.exec(tail.replaceAll(/hdr10v\d/gi, ""));
  const repairs = again === null ? 1 : 1 + Number(again[2] === "" ? 1 : again[2]);
  return {
    version: Math.max(repairs, version === null ? 1 : Number(version[1])),
    real: [...tail.matchAll(/\bREAL\b/g)].length,
    isRepack: /\b(repack|rerip)\d?\b/i.test(tail),
  };
}

const DISC =
  /\b(complete[ ._-](?:[a-z]{2,8}[ ._-]){0,3}(?:blu-?ray|dvd)|bdmv|bdiso|bd(?:25|50|66|100)|br[ ._-]?disk|dvd[59]|dvd-?r|iso|video[ _]ts|full[ ._-](?:blu-?ray|disc|bd))\b/i;

/** The library takes every complete season on Blu-ray for a disc: it is none where somebody encoded it. */
export function isDiscImage(tail: string): boolean {
  return DISC.test(tail) && !/\b(x26[45]|[hx][ .]?26[45][ .-]|xvid|10bit)\b/i.test(tail);
}

const TECHNICAL =
  /(?<![\p{L}\p{N}])(?:(?:4320|2160|1440|1080|720|576|540|480)[pi]|4k|uhd|\d{3,4}x\d{3,4}|m?blu-?ray|bd-?rip|br-?rip|bd-?remux|remux|bdmv|web[ .-]?dl(?:rip)?|web[ .-]?rip|web|hdtv|pdtv|sdtv|dsr|tv-?rip|dvd-?rip|dvd-?r|dvd[59]?|dvd-?scr|hd-?rip|hd-?cam|camrip|cam|hd-?ts|telesync|hd-?tc|telecine|screener|workprint|[xh][ .]?26[45]|hevc|avc|av1|xvid|divx)(?![\p{L}\p{N}])/iu;

/** Words that belong to what follows a title, if something technical follows them. */
const BEFORE_TECHNICAL =
  /^(multi\d?|dual|dl|dubbed|subbed|subs?|proper\d?|repack\d?|rerip\d?|real|internal|extended|uncut|unrated|uncensored|remastered|restored|directors?|theatrical|imax|cut|edition|limited|complete|hdr(10)?|dv|sdr|amzn|nf|dsnp|hmax|max|atvp|hulu|pcok|pmtp|ip|it|cr|readnfo|hybrid|3d|batch|v[2-9])$/i;

/** Where a name stops to be a title and says how it was made; null where it never does. */
export function tailStart(name: string, from: number): number | null {
  const match = TECHNICAL.exec(name.slice(from));
  if (match === null) return null;
  let start = from + match.index;
  for (;;) {
    const before = /([\p{L}\p{N}]{1,14})[^\p{L}\p{N}]{1,4}$/u.exec(name.slice(Math.max(from, start - 20), start));
    const word = before?.[1] ?? "";
    // "it" and "max" of a title are not those of a broadcaster, which writes itself in capitals.
    const isCapitals = sceneCase(word) === word.toUpperCase();
    const isTail = languageOf(word) !== undefined || (BEFORE_TECHNICAL.test(word) && (isCapitals || word.length > 3));
    if (before === null || !isTail) return start;
    start -= before[0].length;
  }
}
