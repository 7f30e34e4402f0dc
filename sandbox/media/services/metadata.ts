// The metadata service: what stands in the catalogue, in the words of TMDB.

import { MetadataWorld, type MetadataWorldOptions } from "../../../src/connectors/index.ts";
import { FAULTS } from "../../service/faults.ts";
import type { Catalogue } from "../catalogue.ts";
import { posterOf } from "../posters.ts";
import { Stock } from "../stock.ts";
import { TmdbServer } from "../tmdb-server.ts";
import type { MediaService } from "./definition.ts";

export const TMDB_KEY = "5a4db0c5a4db0c5a4db0c5a4db0c5a4d";

const WAITS =
  "What was just asked for waits for the metadata service; what is being downloaded goes on. Mended, everything goes on by itself.";

export const metadata: MediaService = {
  name: "metadata",
  service: "metadata",
  about: "Knows films, series and the days they are shown, and has their posters; speaks as TMDB does.",
  ends: { name: "stop", by: "stop", does: FAULTS.stop.does, expect: WAITS },
  faults: {
    nonsense: {
      does: "Answers every question with a web page.",
      expect: `Told as BAD_ANSWER: who was just asking may spend an attempt, then its breaker opens. ${WAITS}`,
    },
  },
  async run({ port, stock }) {
    const server = new TmdbServer({ key: TMDB_KEY }, new Gallery(new Stock(stock).catalogue));
    await server.up(port);
    return {
      faults(faults) {
        server.standing = faults.has("nonsense") ? "web-page" : undefined;
      },
    };
  },
};

const posterPath = (tmdb: number): string => `/${tmdb}.png`;

/** Each poster is painted when somebody looks at it for the first time. */
class Gallery extends MetadataWorld {
  readonly #titles: ReadonlyMap<string, string>;

  constructor(catalogue: Catalogue) {
    super(worldOf(catalogue));
    const all = [...catalogue.films, ...catalogue.series];
    this.#titles = new Map(all.map(({ tmdb, title }) => [posterPath(tmdb), title]));
  }

  override image(path: string): Uint8Array | undefined {
    const plain = path.replace(/^[^/]+/, "");
    const title = this.#titles.get(plain);
    if (title !== undefined && super.image(path) === undefined) this.addImage(plain, posterOf(title));
    return super.image(path);
  }
}

function worldOf({ films, series }: Catalogue): MetadataWorldOptions {
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
