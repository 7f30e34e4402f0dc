// What is wanted → what an indexer is asked, in the order of asking: by an id where it knows one, and by text. Pure.

import { InputError } from "../../kit/index.ts";
import type { IndexerCaps, Release, SearchAbility, Wanted } from "./indexer.ts";

export interface Query {
  readonly function: "search" | "movie" | "tvsearch";
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

export interface WantedCategories {
  readonly film: readonly number[];
  readonly tv: readonly number[];
}

export const CATEGORIES: WantedCategories = { film: [2000], tv: [5000] };

export function checkWanted(wanted: Wanted): void {
  if (wanted.title.trim() === "") throw new InputError("title", "title must not be empty");
  const { imdbId } = wanted;
  if (imdbId !== null && imdbId !== undefined && !/^tt\d{7,10}$/.test(imdbId))
    throw new InputError("imdbId", 'imdbId must be like "tt0017136"');
}

/** None: it cannot be asked for that. */
export function queriesFor(wanted: Wanted, caps: IndexerCaps, categories = CATEGORIES): readonly Query[] {
  const isFilm = wanted.kind === "film";
  const cat = (isFilm ? categories.film : categories.tv).join(",");
  const common = cat === "" ? [] : [["cat", cat] as const];
  const queries = isFilm ? filmQueries(wanted, caps) : tvQueries(wanted, caps);
  return queries.map((query) => ({ ...query, parameters: [...query.parameters, ...common] }));
}

function filmQueries(wanted: Wanted & { kind: "film" }, { film, search }: IndexerCaps): readonly Query[] {
  const words = (ability: SearchAbility) =>
    queryText(wanted.title, ability) + (wanted.year === null ? "" : ` ${wanted.year}`);
  const ids = idOf(wanted, film, ["imdbid", "tmdbid"]);
  return [
    ...(ids === undefined ? [] : [{ function: "movie" as const, parameters: [ids] }]),
    ...textQuery("movie", film, search, words),
  ];
}

function tvQueries(wanted: Exclude<Wanted, { kind: "film" }>, { tv, search }: IndexerCaps): readonly Query[] {
  const part: readonly (readonly [string, string])[] = [
    ["season", String(wanted.season)],
    ...(wanted.kind === "episode" ? [["ep", String(wanted.episode)] as const] : []),
  ];
  const isKnown = part.every(([name]) => tv?.parameters.includes(name));
  // Without these an id stands for the whole series.
  const id = isKnown ? idOf(wanted, tv, ["tvdbid", "imdbid", "tmdbid"]) : undefined;
  const byId: readonly Query[] = id === undefined ? [] : [{ function: "tvsearch", parameters: [id, ...part] }];
  if (isKnown && tv?.parameters.includes("q"))
    return [...byId, { function: "tvsearch", parameters: [["q", queryText(wanted.title, tv)], ...part] }];
  const words = (ability: SearchAbility) => `${queryText(wanted.title, ability)} ${partName(wanted)}`;
  return [...byId, ...textQuery("tvsearch", tv, search, words)];
}

/** As in "S01E02" and "S01". */
function partName(wanted: Exclude<Wanted, { kind: "film" }>): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `S${two(wanted.season)}${wanted.kind === "episode" ? `E${two(wanted.episode)}` : ""}`;
}

function textQuery(
  special: "movie" | "tvsearch",
  ability: SearchAbility | null,
  search: SearchAbility | null,
  words: (ability: SearchAbility) => string,
): readonly Query[] {
  if (ability?.parameters.includes("q")) return [{ function: special, parameters: [["q", words(ability)]] }];
  if (search?.parameters.includes("q")) return [{ function: "search", parameters: [["q", words(search)]] }];
  return [];
}

/** One only: several at once are understood by few. */
function idOf(
  wanted: Wanted,
  ability: SearchAbility | null,
  preferred: readonly ("imdbid" | "tmdbid" | "tvdbid")[],
): readonly [string, string] | undefined {
  // The protocol wants an id of IMDb without its letters.
  const known = { imdbid: wanted.imdbId?.replace(/^tt/, ""), tmdbid: wanted.tmdbId, tvdbid: wanted.tvdbId };
  for (const name of preferred) {
    const value = known[name] ?? undefined;
    if (value !== undefined && ability?.parameters.includes(name)) return [name, String(value)];
  }
  return undefined;
}

/** As it is for an indexer that compares texts as they are; in words without marks for all others. */
export function queryText(title: string, { isRaw }: Pick<SearchAbility, "isRaw">): string {
  if (isRaw) return title.trim();
  return title
    .normalize("NFKD")
    .replaceAll(/[\p{Mn}'’‘`´]/gu, "")
    .replaceAll("&", " and ")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** With %20: some indexers take + for a plus, and answer with a page. */
export function toQueryString({ function: name, parameters }: Query, more: Query["parameters"] = []): string {
  const all = [["t", name] as const, ...parameters, ...more];
  return all.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
}

/** By its ids where it states them, by its name where not. Indexers that do not know an id answer with whatever they have. */
export function looksWanted(release: Release, wanted: Wanted): boolean {
  const ids = [
    [release.imdbId, wanted.imdbId],
    [release.tmdbId, wanted.tmdbId],
    [release.tvdbId, wanted.tvdbId],
  ].filter((pair) => pair.every((id) => id !== null && id !== undefined));
  if (ids.length > 0) return ids.some(([said, asked]) => said === asked);
  const plain = (text: string) => queryText(text, { isRaw: false }).toLowerCase();
  return plain(release.title).startsWith(plain(wanted.title));
}
