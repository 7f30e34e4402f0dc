// How long what the metadata service told stays good: a day, and an hour where something is still to come. Pure.

import type { Film, Season, Series } from "../../../connectors/index.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Unknown, or later than today. */
const isToCome = (date: string | null, now: Date): boolean => date === null || date > now.toISOString().slice(0, 10);

export function filmFreshMs({ date }: Pick<Film, "date">, now: Date): number {
  return isToCome(date, now) ? HOUR_MS : DAY_MS;
}

export function seriesFreshMs({ date, seasons }: Pick<Series, "date" | "seasons">, now: Date): number {
  return isToCome(date, now) || seasons.length === 0 ? HOUR_MS : DAY_MS;
}

export function seasonFreshMs({ episodes }: Pick<Season, "episodes">, now: Date): number {
  return episodes.length === 0 || episodes.some(({ airDate }) => isToCome(airDate, now)) ? HOUR_MS : DAY_MS;
}

export function yearOf(date: string | null): number | null {
  const year = Number.parseInt(date?.slice(0, 4) ?? "", 10);
  return Number.isInteger(year) ? year : null;
}
