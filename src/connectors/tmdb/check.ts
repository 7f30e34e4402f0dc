// What may be asked for.

import { InputError } from "../../kit/index.ts";

export function checkedId(id: number): number {
  if (!Number.isSafeInteger(id) || id < 1) throw new InputError("id", "id must be a whole number above 0");
  return id;
}

export function checkedSeason(season: number): number {
  if (!Number.isSafeInteger(season) || season < 0)
    throw new InputError("season", "season must be a whole number, 0 for specials");
  return season;
}

export function checkedImdb(imdbId: string): string {
  if (!/^tt\d{7,10}$/.test(imdbId)) throw new InputError("imdbId", 'imdbId must be like "tt0017136"');
  return imdbId;
}

export function checkedText(text: string): string {
  if (text.trim() === "") throw new InputError("text", "text must not be empty");
  return text.trim();
}
