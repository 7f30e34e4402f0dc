// The media pipelines on real services, all on the loopback: PostgreSQL, qBittorrent with a tracker and a seeder, two indexers and a
// metadata service over HTTP, and films that ffmpeg made.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { lstat } from "node:fs/promises";
import path from "node:path";
import { makeFilm, makePattern } from "../../sandbox/media/films.ts";
import { TmdbServer } from "../../sandbox/media/tmdb-server.ts";
import { TorznabServer } from "../../sandbox/media/torznab-server.ts";
import {
  MEDIA_TABLES,
  mediaPipelines,
  mediaStore,
  Setbacks,
  setClient,
  setIndexer,
} from "../../src/apps/media/index.ts";
import { type MadeTorrent, tmdb, torznab, videoProbe } from "../../src/connectors/index.ts";
import { openSluice, prepareTables, type Sluice } from "../../src/engine/index.ts";
import { QbittorrentWorld } from "../support/qbittorrent-world.ts";
import { startServer, type TestServer } from "../support/server.ts";

const TMDB_KEY = "0123456789abcdef0123456789abcdef";
const GIGABYTES = 2_000_000_000;

export class RealMediaWorld {
  readonly qbittorrent = new QbittorrentWorld();
  readonly first = new TorznabServer({ title: "first", apiKey: "one" });
  readonly second = new TorznabServer({ title: "second", apiKey: "two" });
  readonly metadata = new TmdbServer({ key: TMDB_KEY });
  readonly #films: string;
  #database: TestServer | undefined;
  #sluice: Sluice | undefined;

  /** With limits that somebody can wait for. */
  readonly #pipelines = mediaPipelines(
    {
      store: mediaStore(async () => this.sluice.tables),
      probe: videoProbe(),
      fileBytes: async (file) => {
        const found = await lstat(file).catch(() => null);
        return found?.isFile() === true ? found.size : null;
      },
    },
    {
      ...{ every: "500ms", stallNever: "6s", stallStopped: "6s", indexerRate: "100/s" },
      backoff: { base: "1s", cap: "2s", jitter: "0%" },
      breaker: { failures: 1, items: 1, cooldown: "2s" },
    },
  );
  readonly media = this.#pipelines.media;
  readonly series = this.#pipelines.series;

  constructor() {
    this.#films = path.join(this.qbittorrent.folder, "films");
  }

  get sluice(): Sluice {
    if (this.#sluice === undefined) throw new Error("not open");
    return this.#sluice;
  }

  async start(): Promise<void> {
    mkdirSync(this.#films, { recursive: true });
    const pattern = makePattern(path.join(this.#films, "pattern.mkv"), { seconds: 6, kilobytes: 400 });
    [this.#database] = await Promise.all([startServer(), this.qbittorrent.start(), pattern]);
    await Promise.all([this.first.up(), this.second.up(), this.metadata.up()]);
    await this.open();
    await prepareTables(this.sluice.tables, "media", MEDIA_TABLES);
    for (const name of ["first", "second"])
      await setIndexer(this.sluice.tables, {
        ...{ name, url: "", has_key: false, categories: [], links: "public", priority: 25, is_on: true },
      });
    await setClient(this.sluice.tables, {
      ...{ name: "main", kind: "qbittorrent", url: "", username: null, has_password: false, paths: [] },
      ...{ folder: this.qbittorrent.leecher.downloads, priority: 25, is_on: true },
    });
  }

  async open(): Promise<void> {
    const indexers = { first: this.first, second: this.second };
    const setbacks = new Setbacks();
    this.#sluice = await openSluice({
      pipelines: [this.media, this.series],
      database: this.#database?.url() ?? "",
      services: {
        metadata: tmdb({ key: TMDB_KEY, baseUrl: `${this.metadata.url}` }),
        indexer: (name: "first" | "second") =>
          torznab({
            service: `indexer:${name}`,
            baseUrl: indexers[name].url,
            apiKey: indexers[name].apiKey,
            links: "lan",
            limits: { totalMs: 3_000 },
          }),
        torrents: () => ({
          ...{
            torrents: this.qbittorrent.client({ service: "torrents:main" }),
            place: async () => ({ folder: this.qbittorrent.leecher.downloads, paths: [] }),
            setbacks,
          },
        }),
      },
    });
  }

  async stop(): Promise<void> {
    await this.#sluice?.close();
    await Promise.all([this.first.down(), this.second.down(), this.metadata.down(), this.qbittorrent.stop()]);
    await this.#database?.stop();
  }

  /** A film of its own content under each of these names, as one torrent that an indexer has. */
  async release(
    indexer: TorznabServer,
    name: string,
    { files = [`${name}.mkv`], isSeeded = true, ...of }: ReleaseMaking = {},
  ): Promise<MadeTorrent & { readonly hashes: ReadonlySet<string> }> {
    const made = await Promise.all(
      files.map(async (file) => {
        const target = path.join(this.#films, `${createHash("sha1").update(`${name}/${file}`).digest("hex")}.mkv`);
        await makeFilm(path.join(this.#films, "pattern.mkv"), target, `${name} ${file}`);
        return { path: file, content: readFileSync(target) };
      }),
    );
    const torrent = await this.qbittorrent.makeOf(name, made, isSeeded);
    indexer.world.add({
      ...{ id: torrent.infohash.slice(0, 16), title: name, torrent: { file: torrent.file } },
      ...{ bytes: GIGABYTES, seeders: 5, category: of.season === undefined ? 2000 : 5000, ...of },
    });
    return { ...torrent, hashes: new Set(made.map(({ content }) => sha256(content))) };
  }
}

interface ReleaseMaking {
  readonly files?: readonly string[];
  readonly isSeeded?: boolean;
  readonly season?: number;
  readonly episode?: number;
}

export const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
