// Is this release what is wanted? By its name, and by ids where the indexer tells them. Pure.
import { isCloseTitle, isSameTitle, shown } from "./names.ts";
import type { Numbering } from "./numbering.ts";
import type { ReleaseName } from "./release-name.ts";
import type { Reading } from "./title-reading.ts";
import {
  type Extent,
  type FoundRelease,
  type Rejection,
  reject,
  type TitleIds,
  type Wanted,
  type WantedEpisode,
  type WantedSeason,
} from "./wanted.ts";

export type Identified =
  | { readonly extent: Extent; readonly rejection?: undefined }
  | { readonly rejection: Rejection; readonly extent?: undefined };

/** Metadata services and releases often disagree by one: a festival's year, or the one of another country. */
const YEARS_APART = 1;
/** Where an id says it is the same. */
const YEARS_APART_BY_ID = 2;

export function identify(found: FoundRelease, name: ReleaseName, wanted: Wanted): Identified {
  const ids = compareIds(found, wanted.ids);
  if (ids.contradiction !== null) return { rejection: reject("wrong_ids", ids.contradiction) };
  if (wanted.kind === "film" && name.numbering.kind !== "none") {
    return not("wrong_title", "the name is that of a series, and a film is wanted");
  }
  const wrong = wrongTitle(name, wanted, ids.agree);
  if (wrong !== null) return { rejection: wrong };
  switch (wanted.kind) {
    case "film":
      return is({ holds: "film", episodes: 1 });
    case "episode":
      return holdsEpisode(name.numbering, wanted);
    case "season":
      return holdsSeason(name.numbering, wanted);
  }
}

function compareIds(found: FoundRelease, wanted: TitleIds): { agree: boolean; contradiction: string | null } {
  const pairs = [
    ["IMDb", digits(found.imdb), digits(wanted.imdb)],
    ["TMDB", digits(found.tmdb), digits(wanted.tmdb)],
    ["TVDB", digits(found.tvdb), digits(wanted.tvdb)],
  ] as const;
  const known = pairs.filter(([, theirs, ours]) => theirs !== null && ours !== null);
  const other = known.find(([, theirs, ours]) => theirs !== ours);
  const contradiction =
    other === undefined ? null : `the indexer says its ${other[0]} number is ${other[1]}, wanted is ${other[2]}`;
  return { agree: known.length > 0 && other === undefined, contradiction };
}

/** Indexers write 0 for what they do not know. */
function digits(id: string | number | undefined): number | null {
  const number = Number(/^(?:tt)?(\d{1,12})$/.exec(String(id ?? "").trim())?.[1] ?? 0);
  return number === 0 ? null : number;
}

function wrongTitle(name: ReleaseName, wanted: Wanted, idsAgree: boolean): Rejection | null {
  const readings = name.readings.flatMap((reading) => withoutCountry(reading, wanted));
  const called = readings.filter(({ title }) => wanted.titles.some((ours) => isSameTitle(title, ours)));
  const near = idsAgree
    ? readings.filter(({ title }) => wanted.titles.some((ours) => isCloseTitle(title, ours)))
    : called;
  const apart = idsAgree ? YEARS_APART_BY_ID : YEARS_APART;
  if (near.some(({ year }) => isYear(year, wanted, apart, idsAgree))) return null;
  if (near.length === 0) {
    const ours = wanted.titles[0] ?? "";
    return reject("wrong_title", `the name says "${shown(name.title)}", wanted is "${shown(ours)}"`);
  }
  const told = near.find(({ year }) => year !== null)?.year ?? null;
  if (told === null)
    return reject("wrong_year", `the name tells no year, and films of ${wanted.year} share titles with others`);
  return reject("wrong_year", `the name says ${told}, wanted is ${wanted.year}`);
}

/** A film without its year may be any of that name; a series rarely tells it. */
function isYear(told: number | null, wanted: Wanted, apart: number, idsAgree: boolean): boolean {
  if (wanted.year === null) return true;
  if (told === null) return wanted.kind !== "film" || idsAgree;
  return Math.abs(told - wanted.year) <= apart;
}

const COUNTRY = /^(.+?)[ (]{1,2}(US|USA|UK|GB|AU|NZ|CA|IE|IN|FR|DE|ES|SE|DK|NO)\)?$/;

/** "The Office US" is The Office, where it is the American one that is wanted. */
function withoutCountry(reading: Reading, wanted: Wanted): Reading[] {
  if (wanted.kind === "film" || wanted.country === null) return [reading];
  const match = COUNTRY.exec(reading.title);
  if (match === null || countryOf(match[2] ?? "") !== countryOf(wanted.country)) return [reading];
  return [reading, { title: match[1] ?? "", year: reading.year }];
}

const countryOf = (code: string): string => ({ UK: "GB", USA: "US" })[code.toUpperCase()] ?? code.toUpperCase();

const is = (extent: Extent): Identified => ({ extent });
const not = (code: Rejection["code"], reason: string): Identified => ({ rejection: reject(code, reason) });
const listed = (numbers: readonly number[]): string =>
  numbers.length <= 4 ? numbers.join(", ") : `${numbers[0]} to ${numbers.at(-1)}`;
const several = (count: number): Extent => ({ holds: count === 1 ? "episode" : "episodes", episodes: count });

function holdsEpisode(numbering: Numbering, wanted: WantedEpisode): Identified {
  const { season, episode, absolute, airDate, seasonEpisodes } = wanted;
  switch (numbering.kind) {
    case "episodes":
      if (numbering.season !== season)
        return not("wrong_season", `it is of season ${numbering.season}, wanted is ${season}`);
      if (numbering.episodes.includes(episode)) return is(several(numbering.episodes.length));
      return not("wrong_episode", `it holds episode ${listed(numbering.episodes)}, wanted is ${episode}`);
    case "seasons":
      if (!numbering.seasons.includes(season)) {
        return not("wrong_season", `it holds season ${listed(numbering.seasons)}, wanted is ${season}`);
      }
      if (numbering.part !== null) {
        return not(
          "wrong_episode",
          `it is part ${numbering.part} of the season, and nothing tells which episodes those are`,
        );
      }
      if (numbering.seasons.length > 1) return is({ holds: "seasons", episodes: null });
      return is({ holds: "season", episodes: seasonEpisodes });
    case "series":
      return is({ holds: "seasons", episodes: null });
    case "absolute": {
      const number = absolute ?? (season === 1 ? episode : null);
      if (number === null)
        return not("wrong_episode", "it counts without seasons, and nobody told that number of this episode");
      if (numbering.numbers.includes(number)) return is(several(numbering.numbers.length));
      return not("wrong_episode", `it holds number ${listed(numbering.numbers)}, wanted is ${number}`);
    }
    case "date":
      if (numbering.date === airDate) return is(several(1));
      return not("wrong_episode", `it is of ${numbering.date}, wanted is ${airDate ?? "one without a date"}`);
    case "none":
      return not("wrong_episode", "the name does not tell which episode it is");
  }
}

function holdsSeason(numbering: Numbering, wanted: WantedSeason): Identified {
  const { season, episodes } = wanted;
  const count = episodes.length === 0 ? null : episodes.length;
  const holdsAll = (held: readonly number[]) => episodes.length > 0 && episodes.every((each) => held.includes(each));
  switch (numbering.kind) {
    case "seasons":
      if (!numbering.seasons.includes(season)) {
        return not("wrong_season", `it holds season ${listed(numbering.seasons)}, wanted is ${season}`);
      }
      if (numbering.part !== null) return not("wrong_episode", `it is only part ${numbering.part} of the season`);
      if (numbering.seasons.length > 1) return is({ holds: "seasons", episodes: null });
      return is({ holds: "season", episodes: count });
    case "series":
      return is({ holds: "seasons", episodes: null });
    case "episodes":
      if (numbering.season !== season)
        return not("wrong_season", `it is of season ${numbering.season}, wanted is ${season}`);
      if (holdsAll(numbering.episodes)) return is(several(numbering.episodes.length));
      return not("wrong_episode", `it holds episode ${listed(numbering.episodes)}, wanted is the whole season`);
    case "absolute":
      if (season === 1 && holdsAll(numbering.numbers)) return is(several(numbering.numbers.length));
      return not("wrong_episode", `it holds number ${listed(numbering.numbers)}, wanted is the whole season ${season}`);
    case "date":
    case "none":
      return not("wrong_episode", "the name does not say that it is a whole season");
  }
}
