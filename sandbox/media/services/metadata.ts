// The metadata service: what stands in the catalogue, in the words of TMDB.

import type { CataloguedFilm, CataloguedSeries } from "../../../src/connectors/index.ts";
import { FAULTS } from "../../service/faults.ts";
import type { Catalogue } from "../catalogue.ts";
import { posterOf } from "../posters.ts";
import { Stock } from "../stock.ts";
import { TmdbServer } from "../tmdb-server.ts";
import type { MediaService } from "./definition.ts";

export const TMDB_KEY = "5a4db0c5a4db0c5a4db0c5a4db0c5a4d";

const WAITS =
  "What was just asked for waits for the metadata service without an attempt; what is being downloaded goes on. Mended, everything goes on by itself.";

export const metadata: MediaService = {
  name: "metadata",
  service: "metadata",
  about: "Knows films, series and the days they are shown, and has their posters; speaks as TMDB does.",
  ends: { name: "stop", by: "stop", does: FAULTS.stop.does, expect: WAITS },
  faults: {
    nonsense: { does: "Answers every question with a web page.", expect: WAITS },
    hang: { does: FAULTS.hang.does, expect: `Calls run into their limit. ${WAITS}` },
  },
  async run({ port, stock }) {
    const { catalogue } = new Stock(stock);
    const server = new TmdbServer({ key: TMDB_KEY, images: postersOf(catalogue), ...worldOf(catalogue) });
    await server.up(port);
    return {
      faults(faults) {
        server.standing = faults.has("hang") ? "silent" : faults.has("nonsense") ? "web-page" : undefined;
      },
    };
  },
};

const posterPath = (tmdb: number): string => `/${tmdb}.png`;

/** Each is painted when somebody looks at it for the first time. */
function postersOf({ films, series }: Catalogue): { get(path: string): Uint8Array | undefined } {
  const titles = new Map([...films, ...series].map(({ tmdb, title }) => [posterPath(tmdb), title]));
  const painted = new Map<string, Buffer>();
  return {
    get(path) {
      const title = titles.get(path);
      if (title === undefined) return undefined;
      const poster = painted.get(path) ?? posterOf(title);
      painted.set(path, poster);
      return poster;
    },
  };
}

function worldOf({ films, series }: Catalogue): {
  readonly films: readonly CataloguedFilm[];
  readonly series: readonly CataloguedSeries[];
} {
  return {
    films: films.map(({ tmdb, imdb, title, year, minutes }) => ({
      ...{ id: tmdb, imdbId: imdb, title, originalTitle: title, date: `${year}-05-01`, runtimeMinutes: minutes },
      ...{ originalLanguage: "en", posterPath: posterPath(tmdb), overview: `${title}: made of test pictures.` },
    })),
    series: series.map(({ tmdb, imdb, tvdb, title, year, minutes, seasons }) => ({
      ...{ id: tmdb, imdbId: imdb, tvdbId: tvdb, title, originalTitle: title, date: `${year}-03-01` },
      ...{ originalLanguage: "en", posterPath: posterPath(tmdb), overview: `${title}: two seasons of test pictures.` },
      seasons: seasons.map(({ season, episodes }) => ({
        ...{ season, name: `Season ${season}`, airDate: episodes[0]?.airs ?? null, posterPath: posterPath(tmdb) },
        episodes: episodes.map(({ episode, name, airs }) => ({
          ...{ episode, name, airDate: airs, runtimeMinutes: minutes },
        })),
      })),
    })),
  };
}
