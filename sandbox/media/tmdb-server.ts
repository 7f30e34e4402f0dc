// A little service of metadata: what stands in its catalogue, in the words of TMDB, for the routes that are used.

import type { IncomingMessage } from "node:http";
import {
  type ExternalIds,
  type Film,
  type FoundTitle,
  MetadataWorld,
  type MetadataWorldOptions,
  type Season,
  type Series,
} from "../../src/connectors/index.ts";
import { LittleServer, type Said } from "./little-server.ts";

export interface TmdbServerOptions extends MetadataWorldOptions {
  /** Taken as a key and as a token. Without one anybody may ask. */
  readonly key?: string;
}

const TYPES: Readonly<Record<string, string>> = { jpg: "image/jpeg", png: "image/png", svg: "image/svg+xml" };

export class TmdbServer extends LittleServer {
  readonly world: MetadataWorld;
  readonly #key: string | undefined;

  constructor({ key, ...options }: TmdbServerOptions = {}, world = new MetadataWorld(options)) {
    super();
    this.world = world;
    for (const [path, bytes] of options.images ?? []) world.addImage(path, bytes);
    this.#key = key;
  }

  /** To be configured as TMDB's address. */
  get url(): string {
    return `${this.origin}/3/`;
  }

  /** To be configured as the address of its images. */
  get imagesUrl(): string {
    return `${this.origin}/t/p/`;
  }

  protected override answer({ pathname, searchParams: asked }: URL, request: IncomingMessage): Said {
    const image = /^\/t\/p\/([a-z0-9]+\/[\w.-]+)$/.exec(pathname)?.[1];
    if (image !== undefined) return this.#image(image);
    const shown = asked.get("api_key") ?? request.headers.authorization?.replace(/^Bearer /, "");
    if (this.#key !== undefined && shown !== this.#key)
      return tmdbError(401, 7, "Invalid API key: You must be granted a valid key.");
    const found = this.#found(pathname.split("/").slice(2), asked);
    if (found === undefined) return tmdbError(404, 34, "The resource you requested could not be found.");
    return json(200, found);
  }

  /** Anybody may see them. */
  #image(path: string): Said {
    const body = this.world.image(path);
    if (body === undefined) return { status: 404 };
    return { status: 200, headers: { "content-type": TYPES[path.split(".").at(-1) ?? ""] ?? "image/webp" }, body };
  }

  #found(path: readonly string[], asked: URLSearchParams): unknown {
    const [first, id = "", ...rest] = path;
    if (first === "search") return this.#search(id, asked);
    if (first === "find") {
      const [films, series] = [this.world.byImdb("film", id), this.world.byImdb("series", id)];
      return { movie_results: films.map(listedFilm), tv_results: series.map(listedSeries), person_results: [] };
    }
    if (first === "tv" && rest[0] === "season") {
      const season = this.world.season(Number(id), Number(rest[1]));
      return season === undefined ? undefined : seasonJson(season);
    }
    const isFilm = first === "movie";
    if (!isFilm && first !== "tv") return undefined;
    if (rest[0] === "external_ids") {
      const known = isFilm ? this.world.film(Number(id)) : this.world.series(Number(id));
      return known === undefined ? undefined : { id: Number(id), ...idsJson(known) };
    }
    const film = isFilm ? this.world.film(Number(id)) : undefined;
    const series = isFilm ? undefined : this.world.series(Number(id));
    if (film !== undefined) return filmJson(film);
    return series === undefined ? undefined : seriesJson(series);
  }

  #search(kind: string, asked: URLSearchParams): unknown {
    const isFilm = kind === "movie";
    const year = Number(asked.get(isFilm ? "year" : "first_air_date_year")) || null;
    const found = this.world.search(isFilm ? "film" : "series", asked.get("query") ?? "", year);
    const results = found.map((each) => (isFilm ? listedFilm(each) : listedSeries(each)));
    return { page: 1, results, total_pages: 1, total_results: results.length };
  }
}

/** An error in the words of TMDB. */
export function tmdbError(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Said {
  const said = json(status, { success: false, status_code: code, status_message: message });
  return { ...said, headers: { ...said.headers, ...headers } };
}

function json(status: number, value: unknown): Said {
  return { status, headers: { "content-type": "application/json;charset=utf-8" }, body: JSON.stringify(value) };
}

/** TMDB writes an unknown day of a film as an empty text, and most else that it does not know as null. */
function listedFilm({ id, title, originalTitle, overview, date, posterPath }: FoundTitle) {
  return {
    ...{ id, title, original_title: originalTitle, overview: overview ?? "", poster_path: posterPath },
    ...{ release_date: date ?? "", adult: false, popularity: 1.5, genre_ids: [18] },
  };
}

function listedSeries({ id, title, originalTitle, overview, date, posterPath }: FoundTitle) {
  return {
    ...{ id, name: title, original_name: originalTitle, overview: overview ?? "", poster_path: posterPath },
    ...{ first_air_date: date ?? "", origin_country: [], popularity: 1.5, genre_ids: [] },
  };
}

function idsJson({ imdbId, tvdbId }: ExternalIds) {
  return { imdb_id: imdbId, tvdb_id: tvdbId, wikidata_id: null };
}

function filmJson(film: Film) {
  return {
    ...listedFilm(film),
    ...{ imdb_id: film.imdbId, runtime: film.runtimeMinutes ?? 0, status: "Released" },
    ...{ original_language: film.originalLanguage, backdrop_path: film.backdropPath, external_ids: idsJson(film) },
  };
}

function seriesJson(series: Series) {
  return {
    ...listedSeries(series),
    ...{ status: series.state, number_of_seasons: series.seasons.length },
    ...{
      original_language: series.originalLanguage,
      backdrop_path: series.backdropPath,
      external_ids: idsJson(series),
    },
    seasons: series.seasons.map(({ season, name, episodeCount, airDate, posterPath }) => ({
      ...{ id: season + 1, season_number: season, name, episode_count: episodeCount, overview: "" },
      ...{ air_date: airDate, poster_path: posterPath },
    })),
  };
}

function seasonJson({ season, name, airDate, posterPath, episodes }: Season) {
  return {
    ...{ _id: "5256c89f19c2956ff6046d47", id: 1, season_number: season, name, overview: "" },
    ...{ air_date: airDate, poster_path: posterPath },
    episodes: episodes.map((each) => ({
      ...{ id: each.episode, season_number: season, episode_number: each.episode, name: each.name },
      ...{
        overview: each.overview ?? "",
        air_date: each.airDate,
        runtime: each.runtimeMinutes,
        still_path: each.stillPath,
      },
    })),
  };
}
