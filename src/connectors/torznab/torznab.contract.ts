// What every client of an indexer has to do, the fake and the real one alike. Plain functions on node:assert, so that any test
// runner can run them on any implementation.

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { Fault } from "../../engine/index.ts";
import { InputError } from "../../kit/index.ts";
import type { IndexerTrouble } from "./fake-indexer.ts";
import type { Indexer, Wanted } from "./indexer.ts";
import type { IndexerWorld, Offer } from "./indexer-world.ts";

export interface TorznabContractWorld {
  readonly indexer: Indexer;
  /** The indexer behind the client, with nothing in it yet, and with all the usual caps. */
  readonly world: IndexerWorld;
  /** Whether it can be reached. */
  down(isDown: boolean): void | Promise<void>;
  /** What becomes of the next search. */
  troubleSearch(trouble: Exclude<IndexerTrouble, object>): void;
}

export interface TorznabContractCase {
  readonly name: string;
  readonly run: (world: TorznabContractWorld) => Promise<void>;
}

const file = (name: string) => Buffer.from(`d8:announce20:http://tracker/x/y/4:infod4:name${name.length}:${name}ee`);
const INFOHASH = "0123456789abcdef0123456789abcdef01234567";
const MAGNET = `magnet:?xt=urn:btih:${INFOHASH}&dn=Metropolis`;

const metropolis: Offer = {
  ...{ id: "metropolis-1", title: "Metropolis.1927.1080p.BluRay.x264-GROUP", torrent: { file: file("metropolis") } },
  ...{ infohash: INFOHASH, imdbId: "tt0017136", tmdbId: 19, bytes: 8_000_000_000, category: 2040 },
  ...{ seeders: 12, leechers: 3, grabs: 40, published: "2026-03-01T12:00:00.000Z" },
  ...{ minimumRatio: 1.5, minimumSeedMs: 172_800_000, isFreeleech: true },
};
const nosferatu: Offer = { id: "nosferatu-1", title: "Nosferatu.1922.720p-GROUP", torrent: { magnet: MAGNET } };
const episode = (season: number, number?: number): Offer => {
  const two = (n: number) => String(n).padStart(2, "0");
  const part = `S${two(season)}${number === undefined ? "" : `E${two(number)}`}`;
  const numbered = number === undefined ? {} : { episode: number };
  const id = `dark-${part.toLowerCase()}`;
  return { id, title: `The.Night.${part}.1080p-GROUP`, torrent: { file: file(part) }, tvdbId: 77, season, ...numbered };
};

const film: Wanted = { kind: "film", title: "Metropolis", year: 1927, imdbId: "tt0017136", tmdbId: 19 };
const night = { title: "The Night", tvdbId: 77 };

async function guids(indexer: Indexer, wanted: Wanted): Promise<readonly string[]> {
  return (await indexer.search(wanted)).releases.map(({ guid }) => guid);
}

function isFault(kind: string, code: string, breaker: string): (error: unknown) => boolean {
  return (error) => error instanceof Fault && error.kind === kind && error.code === code && error.breaker === breaker;
}

export const torznabContract: readonly TorznabContractCase[] = [
  {
    name: "caps tell what can be asked",
    async run({ indexer, world }) {
      deepEqual(await indexer.caps(), world.caps);
    },
  },
  {
    name: "a film is found by its id, with all that is said of it",
    async run({ indexer, world }) {
      world.add(metropolis);
      world.add(nosferatu);
      const { releases, unreadable, isCut } = await indexer.search(film);
      deepEqual([releases.length, unreadable, isCut], [1, 0, false]);
      const [release] = releases;
      ok(release !== undefined && release.downloadUrl !== null);
      const { downloadUrl: _, infoUrl: __, ...said } = release;
      deepEqual(said, {
        ...{ title: metropolis.title, guid: "metropolis-1", indexer: world.caps.title, protocol: "torrent" },
        ...{ bytes: 8_000_000_000, infohash: INFOHASH, magnet: null, seeders: 12, leechers: 3, grabs: 40 },
        ...{ categories: [2040], imdbId: "tt0017136", tmdbId: 19, tvdbId: null, published: "2026-03-01T12:00:00.000Z" },
        ...{ minimumRatio: 1.5, minimumSeedMs: 172_800_000, isFreeleech: true },
      });
      const [asked] = world.truth().searches;
      equal(asked?.function, "movie");
      equal(asked?.parameters.imdbid, "0017136");
      equal(asked?.parameters.q, undefined);
    },
  },
  {
    name: "a film that is not found by its id is asked for by name and year",
    async run({ indexer, world }) {
      world.add(nosferatu);
      deepEqual(await guids(indexer, { kind: "film", title: "Nosferatu", year: 1922, imdbId: "tt0013442" }), [
        "nosferatu-1",
      ]);
      deepEqual(
        world.truth().searches.map(({ parameters }) => parameters.q),
        [undefined, "Nosferatu 1922"],
      );
    },
  },
  {
    name: "an indexer that answers an id with anything at all is asked by name as well",
    async run({ indexer, world }) {
      world.add(nosferatu);
      world.ignoresSearches = true;
      deepEqual(await guids(indexer, film), ["nosferatu-1"]);
      equal(world.truth().searches.length, 2);
    },
  },
  {
    name: "an episode is found by season and number, a season without one",
    async run({ indexer, world }) {
      for (const offer of [episode(1, 1), episode(1, 2), episode(2, 2), episode(1)]) world.add(offer);
      deepEqual(await guids(indexer, { kind: "episode", ...night, season: 1, episode: 2 }), ["dark-s01e02"]);
      const season = await guids(indexer, { kind: "season", ...night, season: 1 });
      deepEqual([...season].sort(), ["dark-s01", "dark-s01e01", "dark-s01e02"]);
      deepEqual(
        world.truth().searches.map(({ parameters: { tvdbid, season, ep } }) => [tvdbid, season, ep]),
        [
          ["77", "1", "2"],
          ["77", "1", undefined],
        ],
      );
    },
  },
  {
    name: "what cannot be asked for is refused, and by its name",
    async run({ indexer, world }) {
      const wrong = (field: string) => (error: unknown) => error instanceof InputError && error.field === field;
      await rejects(indexer.search({ ...film, title: " " }), wrong("title"));
      await rejects(indexer.search({ ...film, imdbId: "0017136&q=x" }), wrong("imdbId"));
      deepEqual(world.truth().searches, []);
    },
  },
  {
    name: "nothing found is an answer",
    async run({ indexer }) {
      deepEqual(await indexer.search(film), { releases: [], unreadable: 0, isCut: false });
    },
  },
  {
    name: "a torrent is fetched as its file, or as the magnet its link leads to",
    async run({ indexer, world }) {
      world.add(metropolis);
      world.add(nosferatu);
      const [first] = (await indexer.search(film)).releases;
      const [second] = (await indexer.search({ kind: "film", title: "Nosferatu", year: 1922 })).releases;
      ok(first !== undefined && second !== undefined);
      const fetched = await indexer.fetchTorrent(first);
      deepEqual(Buffer.from(fetched.file ?? []), file("metropolis"));
      deepEqual(await indexer.fetchTorrent(second), { magnet: MAGNET });
      deepEqual(
        [...world.truth().fetched],
        [
          ["metropolis-1", 1],
          ["nosferatu-1", 1],
        ],
      );
    },
  },
  {
    name: "a release that is there no more is a permanent fault, and does not blame the indexer",
    async run({ indexer, world }) {
      world.add(metropolis);
      const [release] = (await indexer.search(film)).releases;
      ok(release !== undefined);
      world.remove("metropolis-1");
      await rejects(indexer.fetchTorrent(release), isFault("permanent", "RELEASE_GONE", "success"));
    },
  },
  {
    name: "an indexer that is down is unavailable, in all three, and answers afterwards",
    async run({ indexer, world, down }) {
      world.add(metropolis);
      const [release] = (await indexer.search(film)).releases;
      ok(release !== undefined);
      await down(true);
      const isDown = isFault("unavailable", "NOT_REACHED", "failure");
      await rejects(indexer.caps(), isDown);
      await rejects(indexer.search(film), isDown);
      await rejects(indexer.fetchTorrent(release), isDown);
      await down(false);
      deepEqual(await guids(indexer, film), ["metropolis-1"]);
    },
  },
  ...(
    [
      ["rate-limited", "unavailable", "RATE_LIMITED", "none", 7_000],
      ["limit-reached", "unavailable", "RATE_LIMITED", "none", 3_600_000],
      ["wrong-key", "unavailable", "AUTH", "open", undefined],
      ["web-page", "transient", "BAD_ANSWER", "failure", undefined],
      ["crash", "transient", "HTTP_500", "failure", undefined],
    ] as const
  ).map(([trouble, kind, code, breaker, waitMs]) => ({
    name: `${trouble} is ${kind} ${code}, and over with the next search`,
    async run({ indexer, world, troubleSearch }: TorznabContractWorld) {
      world.add(metropolis);
      await indexer.caps();
      troubleSearch(trouble);
      await rejects(indexer.search(film), (error) => {
        ok(isFault(kind, code, breaker)(error), String(error));
        equal((error as Fault).retryAfterMs, waitMs); // by the line before
        if (trouble === "web-page") ok((error as Fault).message.includes("a web page, not XML"));
        return true;
      });
      deepEqual(await guids(indexer, film), ["metropolis-1"]);
    },
  })),
  {
    name: "an aborted call rejects with the reason it was given",
    async run({ indexer }) {
      const reason = new Fault("transient", "STOPPING", "the worker is stopping");
      await rejects(indexer.search(film, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
    },
  },
];
