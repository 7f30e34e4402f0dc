// What every client of a service of metadata has to do, the fake and the real one alike. Plain functions on node:assert, so that any
// test runner can run them on any implementation.

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { Fault } from "../../engine/index.ts";
import { InputError } from "../../kit/index.ts";
import type { MetadataTrouble } from "./fake-metadata.ts";
import type { Metadata } from "./metadata.ts";
import type { CataloguedSeries, MetadataWorld } from "./metadata-world.ts";

export interface TmdbContractWorld {
  readonly metadata: Metadata;
  /** The service behind the client, with nothing in it yet. */
  readonly world: MetadataWorld;
  /** Whether it can be reached. */
  down(isDown: boolean): void | Promise<void>;
  /** What becomes of the next call. */
  trouble(trouble: Exclude<MetadataTrouble, object>): void;
}

export interface TmdbContractCase {
  readonly name: string;
  readonly run: (world: TmdbContractWorld) => Promise<void>;
}

const metropolis = {
  ...{ id: 19, title: "Metropolis", originalTitle: "Metropolis", overview: "A city above, a city below." },
  ...{ date: "1927-02-06", posterPath: "/hUK9rewffKGqtXynH5SW3v9hzcu.jpg" },
};
const film = {
  ...metropolis,
  ...{ imdbId: "tt0017136", tvdbId: null, originalLanguage: "de", runtimeMinutes: 153, backdropPath: "/eR-9.jpg" },
};
const night: CataloguedSeries = {
  ...{ id: 7, title: "The Night", date: "2025-11-01", imdbId: "tt0211916", tvdbId: 77, state: "Returning Series" },
  seasons: [
    { season: 0, name: "Specials", episodes: [] },
    {
      ...{ season: 1, name: "Season 1", airDate: "2025-11-01", posterPath: "/s1.jpg" },
      episodes: [
        {
          episode: 1,
          name: "Dusk",
          overview: "It begins.",
          airDate: "2025-11-01",
          runtimeMinutes: 50,
          stillPath: "/e1.jpg",
        },
        { episode: 2, name: "Midnight", airDate: "2099-01-01" },
        { episode: 3 },
      ],
    },
  ],
};

function isFault(kind: string, code: string, breaker: string): (error: unknown) => boolean {
  return (error) => error instanceof Fault && error.kind === kind && error.code === code && error.breaker === breaker;
}
const notFound = isFault("permanent", "TMDB_NOT_FOUND", "success");

export const tmdbContract: readonly TmdbContractCase[] = [
  {
    name: "a film is told with all that is known of it",
    async run({ metadata, world }) {
      world.addFilm(film);
      deepEqual(await metadata.film(19), film);
    },
  },
  {
    name: "what is not known of a film is null",
    async run({ metadata, world }) {
      world.addFilm({ id: 20, title: "Lost" });
      deepEqual(await metadata.film(20), {
        ...{ id: 20, title: "Lost", originalTitle: null, overview: null, date: null, posterPath: null },
        ...{ imdbId: null, tvdbId: null, originalLanguage: null, runtimeMinutes: null, backdropPath: null },
      });
    },
  },
  {
    name: "a series is told with its ids and seasons",
    async run({ metadata, world }) {
      world.addSeries(night);
      const { seasons, ...series } = await metadata.series(7);
      deepEqual(series, {
        ...{ id: 7, title: "The Night", originalTitle: null, overview: null, date: "2025-11-01", posterPath: null },
        ...{ imdbId: "tt0211916", tvdbId: 77, originalLanguage: null, backdropPath: null, state: "Returning Series" },
      });
      deepEqual(seasons, [
        { season: 0, name: "Specials", episodeCount: 0, airDate: null, posterPath: null },
        { season: 1, name: "Season 1", episodeCount: 3, airDate: "2025-11-01", posterPath: "/s1.jpg" },
      ]);
    },
  },
  {
    name: "a season is told with its episodes, their days plain, and null where nobody knows the day",
    async run({ metadata, world }) {
      world.addSeries(night);
      const { episodes, ...season } = await metadata.season(7, 1);
      deepEqual(season, { season: 1, name: "Season 1", airDate: "2025-11-01", posterPath: "/s1.jpg" });
      const nothing = { name: null, overview: null, airDate: null, runtimeMinutes: null, stillPath: null };
      deepEqual(episodes, [
        { season: 1, ...night.seasons[1]?.episodes[0] },
        { ...nothing, season: 1, episode: 2, name: "Midnight", airDate: "2099-01-01" },
        { ...nothing, season: 1, episode: 3 },
      ]);
      deepEqual((await metadata.season(7, 0)).episodes, []);
    },
  },
  {
    name: "titles are searched for by their words, and by year",
    async run({ metadata, world }) {
      world.addFilm(film);
      world.addFilm({ id: 21, title: "Metropolis", date: "2001-05-26" });
      world.addSeries(night);
      deepEqual(
        (await metadata.searchFilms("metropolis")).map(({ id }) => id),
        [19, 21],
      );
      deepEqual(await metadata.searchFilms("metropolis", 1927), [metropolis]);
      deepEqual(
        (await metadata.searchSeries("the night", 2025)).map(({ id }) => id),
        [7],
      );
      deepEqual(await metadata.searchSeries("the night", 1999), []);
      deepEqual(await metadata.searchFilms("50% & more?"), []);
      equal(world.truth().asked.at(-1), "film called 50% & more?");
    },
  },
  {
    name: "films and series are found by what IMDb calls them",
    async run({ metadata, world }) {
      world.addFilm(film);
      world.addSeries(night);
      deepEqual(await metadata.findByImdb("tt0017136"), { films: [metropolis], series: [] });
      deepEqual(
        (await metadata.findByImdb("tt0211916")).series.map(({ id }) => id),
        [7],
      );
      deepEqual(await metadata.findByImdb("tt9999999"), { films: [], series: [] });
    },
  },
  {
    name: "external ids are told alone",
    async run({ metadata, world }) {
      world.addFilm(film);
      world.addSeries(night);
      deepEqual(await metadata.externalIds("film", 19), { imdbId: "tt0017136", tvdbId: null });
      deepEqual(await metadata.externalIds("series", 7), { imdbId: "tt0211916", tvdbId: 77 });
    },
  },
  {
    name: "what is not there is a permanent fault, and does not blame the service",
    async run({ metadata, world }) {
      world.addSeries(night);
      await rejects(metadata.film(404), notFound);
      await rejects(metadata.series(404), notFound);
      await rejects(metadata.season(7, 9), notFound);
      await rejects(metadata.externalIds("series", 404), notFound);
    },
  },
  {
    name: "images come as what their bytes are, in the next width there is",
    async run({ metadata, world }) {
      const png = Buffer.from("89504e470d0a1a0a0000", "hex");
      world.addImage("/a-B_1.jpg", png);
      deepEqual(await metadata.image("poster", "/a-B_1.jpg", 93), { type: "image/png", bytes: png });
      await metadata.image("poster", "/a-B_1.jpg", 781);
      await metadata.image("still", "/a-B_1.jpg", 200);
      deepEqual(world.truth().asked, ["image w154/a-B_1.jpg", "image original/a-B_1.jpg", "image w300/a-B_1.jpg"]);
    },
  },
  {
    name: "an image that is not there, and one that is none",
    async run({ metadata, world }) {
      world.addImage("/page.jpg", Buffer.from("<svg onload=alert(1)>"));
      await rejects(metadata.image("poster", "/none.jpg", 92), isFault("permanent", "IMAGE_NOT_FOUND", "success"));
      await rejects(metadata.image("poster", "/page.jpg", 92), isFault("transient", "BAD_ANSWER", "failure"));
    },
  },
  {
    name: "what cannot be asked for is refused, and by its name",
    async run({ metadata, world }) {
      const wrong = (field: string) => (error: unknown) => error instanceof InputError && error.field === field;
      await rejects(metadata.film(0), wrong("id"));
      await rejects(metadata.series(1.5), wrong("id"));
      await rejects(metadata.season(7, -1), wrong("season"));
      await rejects(metadata.searchFilms("  "), wrong("text"));
      await rejects(metadata.findByImdb("nm0000001"), wrong("imdbId"));
      await rejects(metadata.image("poster", "/../x.jpg", 1), wrong("path"));
      deepEqual(world.truth().asked, []);
    },
  },
  {
    name: "a service that is down is unavailable, and answers afterwards",
    async run({ metadata, world, down }) {
      world.addFilm(film);
      await down(true);
      await rejects(metadata.film(19), isFault("unavailable", "NOT_REACHED", "failure"));
      await down(false);
      equal((await metadata.film(19)).title, "Metropolis");
    },
  },
  ...(
    [
      ["rate-limited", "unavailable", "RATE_LIMITED", "none", 7_000],
      ["wrong-key", "unavailable", "AUTH", "open", undefined],
      ["web-page", "transient", "BAD_ANSWER", "failure", undefined],
      ["crash", "transient", "HTTP_500", "failure", undefined],
      ["offline", "unavailable", "HTTP_503", "failure", undefined],
    ] as const
  ).map(([next, kind, code, breaker, waitMs]) => ({
    name: `${next} is ${kind} ${code}, and over with the next call`,
    async run({ metadata, world, trouble }: TmdbContractWorld) {
      world.addFilm(film);
      trouble(next);
      await rejects(metadata.film(19), (error) => {
        ok(isFault(kind, code, breaker)(error), String(error));
        equal((error as Fault).retryAfterMs, waitMs); // by the line before
        return true;
      });
      equal((await metadata.film(19)).title, "Metropolis");
    },
  })),
  {
    name: "an aborted call rejects with the reason it was given",
    async run({ metadata }) {
      const reason = new Fault("transient", "STOPPING", "the worker is stopping");
      await rejects(metadata.film(19, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
    },
  },
];
