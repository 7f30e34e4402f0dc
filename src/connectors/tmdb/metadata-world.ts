// The other side, in memory, with its own ground truth: its catalogue, and what was asked of it. Behind the fake it is called
// directly, behind a little server over HTTP.

import type { Episode, Film, FoundTitle, Season, Series } from "./metadata.ts";

/** A film in the catalogue; what is left out is not known. */
export type CataloguedFilm = Pick<Film, "id" | "title"> & Partial<Film>;

export type CataloguedSeries = Pick<Series, "id" | "title"> &
  Partial<Omit<Series, "seasons">> & { readonly seasons: readonly CataloguedSeason[] };

export type CataloguedSeason = Pick<Season, "season"> &
  Partial<Omit<Season, "episodes">> & { readonly episodes: readonly CataloguedEpisode[] };

export type CataloguedEpisode = Pick<Episode, "episode"> & Partial<Omit<Episode, "season">>;

export interface MetadataWorldOptions {
  readonly films?: readonly CataloguedFilm[];
  readonly series?: readonly CataloguedSeries[];
  /** By their paths, as in "/metropolis.jpg"; the same in every width. */
  readonly images?: ReadonlyMap<string, Uint8Array>;
}

export interface MetadataTruth {
  /** What was asked, in its order: "film 19", "season 5 of 7". */
  readonly asked: readonly string[];
}

const unknown = {
  originalTitle: null,
  overview: null,
  date: null,
  posterPath: null,
  backdropPath: null,
  originalLanguage: null,
};
const noIds = { imdbId: null, tvdbId: null };

export class MetadataWorld {
  readonly #films = new Map<number, Film>();
  readonly #series = new Map<number, Series>();
  readonly #seasons = new Map<string, Season>();
  readonly #images: Map<string, Uint8Array>;
  readonly #asked: string[] = [];

  constructor({ films = [], series = [], images = new Map() }: MetadataWorldOptions = {}) {
    this.#images = new Map(images);
    for (const film of films) this.addFilm(film);
    for (const each of series) this.addSeries(each);
  }

  addFilm(film: CataloguedFilm): void {
    this.#films.set(film.id, { ...unknown, ...noIds, runtimeMinutes: null, ...film });
  }

  /** Again with the same id: as it is known from now on. */
  addSeries({ seasons, ...series }: CataloguedSeries): void {
    const whole = seasons.map((season) => wholeSeason(season));
    for (const season of whole) this.#seasons.set(`${series.id}/${season.season}`, season);
    const listed = whole.map(({ episodes, ...season }) => ({ ...season, episodeCount: episodes.length }));
    this.#series.set(series.id, { ...unknown, ...noIds, state: null, ...series, seasons: listed });
  }

  film(id: number): Film | undefined {
    this.#asked.push(`film ${id}`);
    return this.#films.get(id);
  }

  series(id: number): Series | undefined {
    this.#asked.push(`series ${id}`);
    return this.#series.get(id);
  }

  season(seriesId: number, season: number): Season | undefined {
    this.#asked.push(`season ${season} of ${seriesId}`);
    return this.#seasons.get(`${seriesId}/${season}`);
  }

  search(kind: "film" | "series", text: string, year: number | null): readonly FoundTitle[] {
    this.#asked.push(`${kind} called ${text}${year === null ? "" : ` of ${year}`}`);
    const words = text.toLowerCase().split(/\s+/);
    return this.#all(kind).filter(
      ({ title, date }) =>
        words.every((word) => title.toLowerCase().includes(word)) &&
        (year === null || date?.slice(0, 4) === String(year)),
    );
  }

  byImdb(kind: "film" | "series", imdbId: string): readonly FoundTitle[] {
    this.#asked.push(`${kind} ${imdbId}`);
    return this.#all(kind).filter((each) => each.imdbId === imdbId);
  }

  addImage(path: string, bytes: Uint8Array): void {
    this.#images.set(path, bytes);
  }

  /** As it is asked for, with its width: "w342/metropolis.jpg". */
  image(path: string): Uint8Array | undefined {
    this.#asked.push(`image ${path}`);
    return this.#images.get(path.replace(/^[^/]+/, ""));
  }

  truth(): MetadataTruth {
    return { asked: this.#asked };
  }

  #all(kind: "film" | "series"): readonly (Film | Series)[] {
    return kind === "film" ? [...this.#films.values()] : [...this.#series.values()];
  }
}

function wholeSeason({ episodes, ...season }: CataloguedSeason): Season {
  const nothing = { name: null, overview: null, airDate: null, runtimeMinutes: null, stillPath: null };
  return {
    ...{ name: null, airDate: null, posterPath: null },
    ...season,
    episodes: episodes.map((each) => ({ season: season.season, ...nothing, ...each })),
  };
}

/** What a list tells of it. */
export function foundTitle({ id, title, originalTitle, overview, date, posterPath }: FoundTitle): FoundTitle {
  return { id, title, originalTitle, overview, date, posterPath };
}
