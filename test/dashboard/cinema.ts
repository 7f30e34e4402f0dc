// A small world of films for tests of the dashboard: a server with the media application, and little services on the loopback. Downloads
// stand where they are until a test lets time pass.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeTorrent } from "../../sandbox/media/make-torrent.ts";
import { QbittorrentServer } from "../../sandbox/media/qbittorrent-server.ts";
import { TmdbServer } from "../../sandbox/media/tmdb-server.ts";
import { TorznabServer } from "../../sandbox/media/torznab-server.ts";
import { mediaApp, prepareMediaTables } from "../../src/apps/media/index.ts";
import { openSluice, type Tables } from "../../src/engine/index.ts";
import { newKeyText, readKeys } from "../../src/server/secrets/seal.ts";
import { Secrets } from "../../src/server/secrets/secrets.ts";
import { startServer } from "../support/server.ts";
import { type Pages, servePages } from "./shop.ts";

export const TMDB_KEY = "0123456789abcdef0123456789abcdef";
export const INDEXER_KEY = "the-indexers-key";
const POSTER = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

const EPISODES = ["Low Water", "The Gatekeeper", "Silt", "Both Banks"];
/** None is ever complete. */
const TICKS = 1_000;
const FAR_AWAY = "2999-01-01";

export interface Cinema extends Pages {
  readonly metadata: TmdbServer;
  readonly indexer: TorznabServer;
  readonly client: QbittorrentServer;
  readonly folder: string;
  /** For whatever a test needs on a disk; gone when it closes. */
  readonly room: string;
}

export async function openCinema(): Promise<Cinema> {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-cinema-"));
  const downloads = path.join(folder, "downloads");
  mkdirSync(downloads);
  const metadata = new TmdbServer({ key: TMDB_KEY, ...titles(), images: new Map([["/metropolis.png", POSTER]]) });
  const indexer = new TorznabServer({ apiKey: INDEXER_KEY, title: "the little indexer" });
  const client = new QbittorrentServer("4.6", { folder: downloads, ticks: TICKS });
  for (const { offer, published } of releases()) {
    indexer.world.add(offer);
    client.world.publish(published);
  }
  const [database] = await Promise.all([startServer(), metadata.up(), indexer.up(), client.start()]);
  const opened = Promise.withResolvers<Tables>();
  const keyring = readKeys(newKeyText());
  const media = mediaApp({
    tables: () => opened.promise,
    secrets: {
      get: async (name, db) => await new Secrets(await opened.promise, keyring).get(name, db),
      put: async (db, name, text) => await new Secrets(await opened.promise, keyring).put(db, name, text),
      forget: async (db, name) => await new Secrets(await opened.promise, keyring).forget(db, name),
    },
    encodes: path.join(folder, "encodes"),
    limits: { every: "1s" },
  });
  const { pipelines, services } = media;
  const sluice = await openSluice({ pipelines, services, database: database.url(), log: quiet });
  await prepareMediaTables(sluice.tables);
  opened.resolve(sluice.tables);
  const pages = await servePages(sluice, { media, keyring });
  return {
    ...{ ...pages, metadata, indexer, client, folder: downloads, room: folder },
    async close() {
      await pages.close();
      await sluice.close();
      await Promise.all([database.stop(), metadata.down(), indexer.down(), client.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const quiet = { info() {}, warn() {}, error() {} };

function titles() {
  const airDate = (index: number) => (index === EPISODES.length - 1 ? FAR_AWAY : "2019-03-01");
  return {
    films: [
      {
        ...{ id: 19, title: "Metropolis", date: "1927-01-10", runtimeMinutes: 60, originalLanguage: "en" },
        ...{ overview: "A city, and those who built it.", posterPath: "/metropolis.png" },
      },
      { id: 20, title: "Metropolis Found", date: "2010-02-12", runtimeMinutes: 60, originalLanguage: "en" },
    ],
    series: [
      {
        ...{ id: 7, title: "The Sluice Keepers", date: "2019-03-01", originalLanguage: "en" },
        seasons: [
          {
            season: 1,
            episodes: EPISODES.map((name, index) => ({ episode: index + 1, name, airDate: airDate(index) })),
          },
          { season: 2, episodes: [{ episode: 1, name: "Flood Mark", airDate: "2020-03-01" }] },
        ],
      },
    ],
  };
}

/** One that is taken, one that comes after it, and one that the standard profile refuses; and an episode. */
function releases() {
  return [
    release("Metropolis.1927.1080p.BluRay.x264-ONE", { seeders: 30 }),
    release("Metropolis.1927.720p.WEB-DL.x264-TWO", { seeders: 20 }),
    release("Metropolis.1927.2160p.BluRay.x265-THREE", { seeders: 10 }),
    release("The.Sluice.Keepers.S01E01.1080p.WEB-DL.x264-ONE", { seeders: 5, season: 1, episode: 1 }),
  ];
}

interface Told {
  readonly seeders: number;
  readonly season?: number;
  readonly episode?: number;
}

function release(title: string, told: Told) {
  const files = [{ path: `${title}.mkv`, content: Buffer.from(title) }];
  const { infohash, file } = makeTorrent({ name: title, files, announce: "http://127.0.0.1:9/announce" });
  const offer = {
    ...{ id: infohash.slice(0, 12), title, torrent: { file }, bytes: 2_000_000_000, ...told },
    category: told.season === undefined ? 2_000 : 5_000,
  };
  const bytes = 2_000_000_000;
  return { offer, published: { infohash, name: title, files: [{ path: `${title}/${title}.mkv`, bytes }] } };
}
