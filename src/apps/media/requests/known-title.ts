// What is known of a title where somebody asks for it or looks for it, outside of any visit: from what is kept, else from the service
// itself, which has little time then.

import type { Film, Metadata, Season, Series } from "../../../connectors/index.ts";
import { Fault, SluiceError } from "../../../engine/index.ts";
import type { MediaStore } from "../ports.ts";
import { yearOf } from "../titles/fresh.ts";

export interface KnownPorts {
  readonly store: MediaStore;
  readonly services: { readonly metadata: Metadata };
}

const IN_TIME_MS = 10_000;

export const inTime = () => ({ signal: AbortSignal.timeout(IN_TIME_MS) });

export async function knownFilm({ store, services }: KnownPorts, tmdb: number): Promise<Film> {
  return await store.lookUps.film(tmdb, () => services.metadata.film(tmdb, inTime()));
}

export async function knownSeries({ store, services }: KnownPorts, tmdb: number): Promise<Series> {
  return await store.lookUps.series(tmdb, () => services.metadata.series(tmdb, inTime()));
}

export async function knownSeason(
  { store, services }: KnownPorts,
  tmdb: number,
  season: number,
  call = inTime(),
): Promise<Season> {
  return await store.lookUps.season(tmdb, season, () => services.metadata.season(tmdb, season, call));
}

export interface Named {
  readonly title: string | null;
  readonly year: number | null;
  readonly name: string;
}

/** Without a title where the service is away: nobody is turned away for that. Throws where there is no such thing. */
export async function namedTitle(ports: KnownPorts, kind: "film" | "series", tmdb: number): Promise<Named> {
  const known = await unlessAway<Film | Series>(() =>
    kind === "film" ? knownFilm(ports, tmdb) : knownSeries(ports, tmdb),
  );
  if (known === undefined) return { title: null, year: null, name: `${kind} ${tmdb}` };
  const year = yearOf(known.date);
  return { title: known.title, year, name: `${known.title}${year === null ? "" : ` (${year})`}` };
}

/** Undefined where the service did not answer. */
export async function unlessAway<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code === "TMDB_NOT_FOUND") throw notKnown();
    return undefined;
  }
}

export const notKnown = () =>
  new SluiceError("NOT_FOUND", "the metadata service knows no such film or series", { field: "tmdb" });
