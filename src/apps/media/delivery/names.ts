// What a film or an episode is called at a server, as Jellyfin, Emby and Plex expect it. Pure.
//
// Titles come from outside. Whatever is in them, a name is one name: no folder of its own, nothing hidden, nothing that a disk of
// Windows refuses, and never longer than disks take.

export type MediaServerWords = "jellyfin" | "emby" | "plex" | null;

export interface NamedFilm {
  readonly kind: "film";
  readonly title: string;
  readonly year: number | null;
  readonly tmdb: number;
}

export interface NamedEpisode {
  readonly kind: "episode";
  readonly title: string;
  readonly year: number | null;
  readonly tmdb: number;
  readonly season: number;
  /** All that are in the file, in their order. */
  readonly episodes: readonly number[];
  readonly name: string | null;
}

/** Below the server's folder for films or series. */
export function libraryPath(named: NamedFilm | NamedEpisode, file: string, words: MediaServerWords): string {
  const ending = endingOf(file);
  const year = named.year === null ? "" : ` (${named.year})`;
  if (named.kind === "film") {
    const name = fitted(titleOf(named), `${year} ${idOf(named.tmdb, words)}`, ending);
    return `${name}/${name}${ending}`;
  }
  const series = fitted(titleOf(named), year);
  const season = `Season ${twoDigits(named.season)}`;
  const number = `${year} - S${twoDigits(named.season)}${named.episodes.map((one) => `E${twoDigits(one)}`).join("-")}`;
  const called = named.name === null ? "" : safe(named.name);
  const tail = called === "" ? "" : ` - ${called}`;
  // The number is what it is found by: a title may be cut, and the name of an episode sooner.
  const short = fitted(titleOf(named), number, ending, TITLE_BYTES);
  return `${series}/${season}/${cut(`${short}${tail}`, NAME_BYTES - ending.length)}${ending}`;
}

/** As each of them writes an id into a name. */
function idOf(tmdb: number, words: MediaServerWords): string {
  if (words === "jellyfin") return `[tmdbid-${tmdb}]`;
  return words === "emby" ? `[tmdbid=${tmdb}]` : `{tmdb-${tmdb}}`;
}

function titleOf({ kind, title, tmdb }: NamedFilm | NamedEpisode): string {
  const clean = safe(title);
  return clean === "" ? `${kind === "film" ? "Film" : "Series"} ${tmdb}` : clean;
}

const twoDigits = (number: number): string => String(number).padStart(2, "0");

/** Disks take 255 bytes; some that encrypt their names, and what travels under a longer name, need some of them. */
const NAME_BYTES = 200;
const TITLE_BYTES = 140;

/** The title, cut where it has to be, and behind it what must not be. */
function fitted(title: string, behind: string, ending = "", most = NAME_BYTES): string {
  const whole = `${cut(title, most - Buffer.byteLength(behind) - ending.length)}${behind}`;
  return RESERVED.test(whole) ? `_${whole}` : whole;
}

const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

function safe(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFC")
    .replace(/\s*:\s*/g, " - ")
    .replace(/[/\\|]/g, " ")
    .replace(/["“”]/g, "'")
    .replace(/[?*<>]/g, "")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\ufffd]/gu, "")
    .replace(/\s+/g, " ")
    .replace(/^[\s.-]+|[\s.-]+$/g, "");
}

/** Without cutting through a sign, and without an end that a name may not have. */
function cut(name: string, bytes: number): string {
  if (Buffer.byteLength(name) <= bytes) return name;
  const signs = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  while (Buffer.byteLength(signs.join("")) > bytes) signs.pop();
  return signs.join("").replace(/[\s.-]+$/g, "");
}

function endingOf(file: string): string {
  const ending = /\.([A-Za-z0-9]{1,5})$/.exec(file)?.[1]?.toLowerCase();
  return `.${ending ?? "mkv"}`;
}
