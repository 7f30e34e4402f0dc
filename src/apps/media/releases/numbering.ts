// Which episodes a name speaks of. Our own patterns: those of the library take exponential time ("01.01.01…", a second for 100 characters,
// hours for 130), read the clock, and take "S01E01.S01E02" for one episode. Each pattern here is bounded, and tried once at each place.

export type Numbering =
  /** A film, or nothing that could be understood. */
  | { readonly kind: "none" }
  | { readonly kind: "episodes"; readonly season: number; readonly episodes: readonly number[] }
  /** Whole seasons, or `part` of one. */
  | { readonly kind: "seasons"; readonly seasons: readonly number[]; readonly part: number | null }
  /** All there is of it. */
  | { readonly kind: "series" }
  /** Counted without seasons: anime, and the parts of a miniseries. */
  | { readonly kind: "absolute"; readonly numbers: readonly number[] }
  | { readonly kind: "date"; readonly date: string };

export interface FoundNumbering {
  readonly numbering: Numbering;
  /** Where in the name it stands. */
  readonly start: number;
  readonly end: number;
}

export type NameKind = "film" | "tv";

const MOST_SEASONS = 60;
const MOST_EPISODES = 400;
/** Not inside a word. */
const EDGE = String.raw`(?<![\p{L}\p{N}])`;
const GAP = "[ ._-]{0,3}";
const PART = String.raw`(?:[ ._-]{1,3}(?:part|pt|vol|volume|cour)[ ._]?(\d)(?!\d))?`;

type Reader = (match: RegExpExecArray, name: string) => FoundNumbering | null;
interface Pattern {
  readonly regex: RegExp;
  readonly read: Reader;
  /** Also in a name that is a film's: no film is called so. */
  readonly isFirm?: true;
}

const pattern = (source: string, read: Reader, firm?: "firm"): Pattern => ({
  regex: new RegExp(source, "iu"),
  read,
  ...(firm === "firm" ? { isFirm: true } : {}),
});

/** The more certain first. */
const PATTERNS: readonly Pattern[] = [
  // S01E05, S01.E05, S1 Ep 5, S2016E05; what follows is read by `more`.
  pattern(String.raw`${EDGE}s(\d{1,4})${GAP}ep?[ ._]?(\d{1,5})(?!\d)`, readEpisodes, "firm"),
  // Agents.of.SHIELDS01E01 and the like: no gap, but no doubt either.
  pattern(String.raw`(?<=[\p{L}])s(\d{2})e(\d{2,3})(?!\d)`, readEpisodes, "firm"),
  // 1x05, 2x03-04.
  pattern(String.raw`${EDGE}(\d{1,2})x(?!26[45])(\d{2,3})(?!\d)`, readEpisodes, "firm"),
  pattern(
    String.raw`${EDGE}season[ ._-]{0,2}(\d{1,2})[ ._,-]{1,3}(?:episode|ep)[ ._-]{0,2}(\d{1,3})(?!\d)`,
    readEpisodes,
  ),
  // Title S2 - 05 [1080p], as anime is named.
  pattern(String.raw`${EDGE}s(\d{1,2})[ ._]-[ ._](\d{1,4})(?![\dpi])(?:v\d)?(?=[ ._]*(?:[[(]|$))`, readEpisodes),
  pattern(String.raw`${EDGE}s(\d{1,2})[ ._]?(?:-|\+|to)[ ._]?s(\d{1,2})(?!\d)`, readSeasons, "firm"),
  pattern(String.raw`${EDGE}s(\d{1,2})-(\d{1,2})(?![\p{L}\d])`, readSeasons, "firm"),
  pattern(
    String.raw`${EDGE}(?:seasons?|saisons?|staffeln?|temporadas?|stagion[ei])[ ._]?(\d{1,2})[ ._]?(?:-|to|thru)[ ._]?(?:season[ ._]?)?(\d{1,2})(?![\p{L}\d])`,
    readSeasons,
  ),
  pattern(String.raw`${EDGE}(19[5-9]\d|20\d\d)([ ._-])(\d\d)\2(\d\d)(?!\d)`, readDate),
  pattern(String.raw`${EDGE}(\d\d)([ ._-])(\d\d)\2(20\d\d)(?!\d)`, readDateBackwards),
  pattern(String.raw`${EDGE}s(\d{1,2}|(?:19|20)\d\d)(?![\p{L}\d])${PART}`, readSeason, "firm"),
  // Title 2nd Season - 05
  pattern(String.raw`${EDGE}(\d)(?:st|nd|rd|th)[ ._]season[ ._]-[ ._](\d{1,3})(?![\dpi])`, readEpisodes),
  pattern(String.raw`${EDGE}(?:season|saison|staffel|temporada|stagione)[ ._-]{0,2}(\d{1,2})(?!\d)${PART}`, readSeason),
  pattern(String.raw`${EDGE}(\d)(?:st|nd|rd|th)[ ._]season(?!\p{L})${PART}`, readSeason),
  // Title - 28 [1080p], Title - 28v2, Title - 001-500, Title (01-28): a number before brackets or the end.
  pattern(
    String.raw`[ ._]-[ ._]#?(\d{1,4})(?:v\d)?(?:[ ._]?[-~][ ._]?(\d{1,4}))?(?=[ ._]*(?:[[(]|$|end\b))`,
    readAbsolute,
  ),
  pattern(String.raw`[[(](\d{1,4})[ ._]?[-~][ ._]?(\d{1,4})[\])]`, readAbsolute),
  pattern(String.raw`^\[[^\]]{1,40}\][ ._]?[^[(]{1,120}[ ._](\d{2,4})(?:v\d)?(?=[ ._]*[[(])`, readAbsoluteAtEnd),
  pattern(
    String.raw`${EDGE}(?:episode|ep|e)[ ._]?(\d{1,4})(?:[ ._]?-[ ._]?(?:ep?)?(\d{1,4}))?(?![\p{L}\d])`,
    readAbsolute,
  ),
  pattern(String.raw`${EDGE}(?:part|pt)[ ._]?(\d{1,2})(?![\p{L}\d])`, readAbsolute),
  pattern(String.raw`${EDGE}(\d{1,2})[ ._]?of[ ._]?\d{1,2}(?![\p{L}\d])`, readAbsolute),
  pattern(String.raw`${EDGE}(?:the[ ._])?complete[ ._](?:tv[ ._])?(?:series|collection)(?!\p{L})`, readSeries),
];

/** Null where nothing is found: the caller knows whether a film's name is all right without. */
export function findNumbering(name: string, kind: NameKind): FoundNumbering | null {
  for (const { regex, read, isFirm } of PATTERNS) {
    if (kind === "film" && isFirm !== true) continue;
    const match = regex.exec(name);
    const found = match === null ? null : read(match, name);
    if (found !== null) return found;
  }
  return null;
}

const at = (match: RegExpExecArray, numbering: Numbering, end?: number): FoundNumbering => ({
  numbering,
  start: match.index,
  end: end ?? match.index + match[0].length,
});

/** "E02", "-E03", ".S01E02", "x06": one more; with a dash in front, all up to it. */
const MORE = /([ ._]?-[ ._]?|[ ._+&,]?)(?:s(\d{1,4})[ ._]?)?(?:ep?|x)(?!26[45])(\d{1,4})(?![\p{L}\d])/iuy;
/** "-03": a range; with spaces around the dash it would be the episode's name. */
const UP_TO = /(-)()(\d{1,3})(?![\p{L}\d])/uy;

function readEpisodes(match: RegExpExecArray, name: string): FoundNumbering | null {
  const season = Number(match[1]);
  const episodes = [Number(match[2])];
  let end = match.index + match[0].length;
  for (let round = 0; round < MOST_EPISODES; round += 1) {
    const next = stickyAt(MORE, name, end) ?? stickyAt(UP_TO, name, end);
    if (next === null) break;
    const last = episodes.at(-1) ?? 0;
    const number = Number(next[3]);
    // From one season into the next: what is between is not told.
    if (next[2] !== undefined && next[2] !== "" && Number(next[2]) !== season) return null;
    if (number <= last || number - last > MOST_EPISODES) break;
    episodes.push(...((next[1] ?? "").includes("-") ? upTo(last + 1, number) : [number]));
    end += next[0].length;
  }
  return at(match, { kind: "episodes", season, episodes }, end);
}

function stickyAt(regex: RegExp, name: string, index: number): RegExpExecArray | null {
  regex.lastIndex = index;
  return regex.exec(name);
}

const upTo = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place);

function readSeasons(match: RegExpExecArray): FoundNumbering | null {
  const [first, last] = [Number(match[1]), Number(match[2])];
  if (last <= first || last - first > MOST_SEASONS) return null;
  return at(match, { kind: "seasons", seasons: upTo(first, last), part: null });
}

function readSeason(match: RegExpExecArray): FoundNumbering {
  const part = match[2] === undefined ? null : Number(match[2]);
  return at(match, { kind: "seasons", seasons: [Number(match[1])], part });
}

function readSeries(match: RegExpExecArray): FoundNumbering {
  return at(match, { kind: "series" });
}

function readDate(match: RegExpExecArray): FoundNumbering | null {
  const date = asDate(match[1] ?? "", match[3] ?? "", match[4] ?? "");
  return date === null ? null : at(match, { kind: "date", date });
}

function readDateBackwards(match: RegExpExecArray): FoundNumbering | null {
  const date = asDate(match[4] ?? "", match[3] ?? "", match[1] ?? "");
  return date === null ? null : at(match, { kind: "date", date });
}

/** Only a day that is in the calendar. */
function asDate(year: string, month: string, day: string): string | null {
  const text = `${year}-${month}-${day}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}

function readAbsolute(match: RegExpExecArray): FoundNumbering | null {
  const first = Number(match[1]);
  const last = match[2] === undefined ? first : Number(match[2]);
  if (isYear(match[1]) || last < first || last - first > 2_000) return null;
  return at(match, { kind: "absolute", numbers: upTo(first, last) });
}

/** The pattern takes the title too; the number is what ends it. */
function readAbsoluteAtEnd(match: RegExpExecArray): FoundNumbering | null {
  const digits = match[1] ?? "";
  if (isYear(digits)) return null;
  const start = match.index + match[0].lastIndexOf(digits);
  return { numbering: { kind: "absolute", numbers: [Number(digits)] }, start, end: match.index + match[0].length };
}

const isYear = (digits: string | undefined): boolean => /^(19|20)\d\d$/.test(digits ?? "");
