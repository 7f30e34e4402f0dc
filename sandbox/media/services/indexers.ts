// The two indexers: what is in stock, in the words of Torznab. One knows ids, the other has to be asked in words.

import type { Offer, SearchAbility } from "../../../src/connectors/index.ts";
import { FAULTS } from "../../service/faults.ts";
import type { IndexerName } from "../releases.ts";
import { Stock, type StockRelease } from "../stock.ts";
import { TorznabServer } from "../torznab-server.ts";
import type { MediaService } from "./definition.ts";

export const indexerKey = (name: IndexerName): string => `key-of-${name}`;
export const INDEXER_PATH = "/1/";

const WAITS =
  "What the other one has is taken from there. What only this one has waits for it without an attempt, and goes on when it is back.";

const words = (...parameters: string[]): SearchAbility => ({ parameters, isRaw: false });

function indexer(
  name: IndexerName,
  about: string,
  abilities: { film: SearchAbility; tv: SearchAbility },
): MediaService {
  return {
    ...{ name, about, service: `indexer:${name}` },
    ends: { name: "stop", by: "stop", does: FAULTS.stop.does, expect: WAITS },
    faults: {
      limit: {
        does: "Answers 429 and says when to come again.",
        expect: `Nobody asks it before that time, and its breaker stays closed. ${WAITS}`,
      },
      nonsense: {
        does: "Answers with a web page where XML was asked for, as a login or a guard against robots does.",
        expect: `Told as BAD_ANSWER: who was just asking may spend an attempt, then its breaker opens. ${WAITS}`,
      },
      wrong: {
        does: "Also lists releases that look better than all others: half a film, or another film under this name.",
        expect:
          "Another film is refused when its torrent is read. Half a film is downloaded, refused by the gate, and the next release is taken. Both stand with their reason among the refused.",
      },
    },
    async run({ port, stock, pace }) {
      const { releases } = new Stock(stock);
      const server = new TorznabServer({ title: name, apiKey: indexerKey(name), path: INDEXER_PATH, caps: abilities });
      const own = releases.filter(({ indexers }) => indexers.includes(name));
      for (const release of own) if (!release.isHidden) server.world.add(offerOf(release));
      await server.up(port);
      const limited = { status: 429, headers: { "retry-after": String(pace.retryAfterSeconds) } };
      return {
        faults(faults) {
          const page = faults.has("nonsense") ? "web-page" : undefined;
          server.standing = faults.has("limit") ? limited : page;
          for (const release of own.filter(({ isHidden }) => isHidden))
            if (faults.has("wrong")) server.world.add(offerOf(release));
            else server.world.remove(offerOf(release).id);
        },
      };
    },
  };
}

/** Told as large as a real one would be. */
function offerOf({ infohash, name, ids, gigabytes, torrent, place }: StockRelease): Offer {
  const { tmdb, imdb, tvdb, season, episode } = ids;
  return {
    ...{ id: infohash.slice(0, 20), title: name, torrent: { file: Buffer.from(torrent, "base64") }, infohash },
    ...{ imdbId: imdb, tmdbId: tmdb, bytes: gigabytes * 1_000_000_000, seeders: 20 - place },
    ...(tvdb === undefined ? {} : { tvdbId: tvdb }),
    ...(season === undefined ? {} : { season }),
    ...(episode === undefined ? {} : { episode }),
  };
}

export const indexers: readonly MediaService[] = [
  indexer("beacon", "Lists releases, and finds them by their ids.", {
    film: words("q", "imdbid", "tmdbid"),
    tv: words("q", "season", "ep", "tvdbid", "imdbid"),
  }),
  indexer("harbour", "Lists releases, and finds them by words alone.", {
    film: words("q"),
    tv: words("q", "season", "ep"),
  }),
];
