// The media pipelines on real services, all on the loopback: PostgreSQL, a download client with a tracker and a seeder, two indexers
// and a metadata service over HTTP, and films that ffmpeg made.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { makeFilm, makePattern } from "../../sandbox/media/films.ts";
import { TmdbServer } from "../../sandbox/media/tmdb-server.ts";
import { TorznabServer } from "../../sandbox/media/torznab-server.ts";
import { MEDIA_TABLES, setClient, setIndexer } from "../../src/apps/media/index.ts";
import { standardProfile } from "../../src/apps/media/releases/index.ts";
import type { MadeTorrent } from "../../src/connectors/index.ts";
import { type ItemId, prepareTables, type RequestId, type Sluice } from "../../src/engine/index.ts";
import type { DownloadWorld } from "../support/download-world.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type OpenOptions, openRealMedia, type RealMedia, type RealPlaces } from "./real-media.ts";

const TMDB_KEY = "0123456789abcdef0123456789abcdef";
const GIGABYTES = 2_000_000_000;

export interface Asked {
  readonly id: ItemId;
  readonly request: RequestId;
}
export interface NewFilm {
  readonly id: number;
  readonly title: string;
  /** What its releases begin with. */
  readonly name: string;
}

export class RealMediaWorld<World extends DownloadWorld> {
  readonly downloads: World;
  readonly first = new TorznabServer({ title: "first", apiKey: "one" });
  readonly second = new TorznabServer({ title: "second", apiKey: "two" });
  readonly metadata = new TmdbServer({ key: TMDB_KEY });
  readonly #options: OpenOptions;
  readonly #films: string;
  #count = 0;
  #database: TestServer | undefined;
  #open: RealMedia | undefined;

  constructor(downloads: World, options: OpenOptions = {}) {
    this.downloads = downloads;
    this.#options = options;
    this.#films = path.join(downloads.folder, "films");
  }

  get sluice(): Sluice {
    return this.#opened.sluice;
  }

  get media(): RealMedia["media"] {
    return this.#opened.media;
  }

  get series(): RealMedia["series"] {
    return this.#opened.series;
  }

  get #opened(): RealMedia {
    if (this.#open === undefined) throw new Error("not open");
    return this.#open;
  }

  /** For another process as well. */
  get places(): RealPlaces {
    const at = ({ url, apiKey }: TorznabServer) => ({ url, apiKey });
    return {
      ...{ database: this.#database?.url() ?? "", metadata: { url: this.metadata.url, key: TMDB_KEY } },
      ...{ indexers: { first: at(this.first), second: at(this.second) } },
      ...{ client: this.downloads.place, folder: this.downloads.downloads },
    };
  }

  async start(): Promise<void> {
    mkdirSync(this.#films, { recursive: true });
    const pattern = makePattern(path.join(this.#films, "pattern.mkv"), { seconds: 6, kilobytes: 400 });
    [this.#database] = await Promise.all([startServer(), this.downloads.start(), pattern]);
    await Promise.all([this.first.up(), this.second.up(), this.metadata.up()]);
    this.#open = await openRealMedia(this.places, this.#options);
    await prepareTables(this.sluice.tables, "media", MEDIA_TABLES);
    for (const name of ["first", "second"])
      await setIndexer(this.sluice.tables, {
        ...{ name, url: "", has_key: false, categories: [], links: "public", priority: 25, is_on: true },
      });
    await setClient(this.sluice.tables, {
      ...{ name: "main", kind: "qbittorrent", url: "", username: null, has_password: false, paths: [] },
      ...{ folder: this.downloads.downloads, priority: 25, is_on: true },
    });
  }

  async stop(): Promise<void> {
    await this.#open?.close();
    await Promise.all([this.first.down(), this.second.down(), this.metadata.down(), this.downloads.stop()]);
    await this.#database?.stop();
  }

  /** One that nobody asked for before. */
  newFilm(): NewFilm {
    this.#count += 1;
    const film = { id: 900_000 + this.#count, title: `Harbour ${this.#count}`, date: "1999-05-01", runtimeMinutes: 60 };
    this.metadata.world.addFilm({ ...film, originalLanguage: "en" });
    return { id: film.id, title: film.title, name: `Harbour.${this.#count}.1999` };
  }

  async ask({ id, title }: Pick<NewFilm, "id" | "title">): Promise<Asked> {
    const input = { kind: "film" as const, tmdb: id, title, profile: standardProfile };
    const { request, items } = await this.sluice.submit(this.media, [input]);
    return { id: items[0] as ItemId, request };
  }

  /** The content of a film that nobody else has. */
  async film(title: string): Promise<Buffer> {
    const target = path.join(this.#films, `${createHash("sha1").update(title).digest("hex")}.mkv`);
    await makeFilm(path.join(this.#films, "pattern.mkv"), target, title);
    return readFileSync(target);
  }

  /** A torrent that an indexer has: a film of its own content under each of the names, unless their content is given. */
  async release(
    indexer: TorznabServer,
    name: string,
    { files = [`${name}.mkv`], isSeeded = true, torrentName = name, asMagnet = false, ...of }: ReleaseMaking = {},
  ): Promise<MadeRelease> {
    const made = await Promise.all(
      files.map(async (file) =>
        typeof file === "string" ? { path: file, content: await this.film(`${name} ${file}`) } : file,
      ),
    );
    const torrent = await this.downloads.makeOf(torrentName, made, isSeeded);
    indexer.world.add({
      ...{ id: torrent.infohash.slice(0, 16), title: name, bytes: GIGABYTES, seeders: 5 },
      ...{ torrent: asMagnet ? { magnet: torrent.magnet } : { file: torrent.file } },
      ...{ category: of.season === undefined ? 2000 : 5000, ...of },
    });
    return { ...torrent, hashes: new Set(made.map(({ content }) => sha256(content))) };
  }
}

export type MadeRelease = MadeTorrent & { readonly hashes: ReadonlySet<string> };

interface ReleaseMaking {
  readonly files?: readonly (string | { readonly path: string; readonly content: Buffer })[];
  readonly isSeeded?: boolean;
  readonly torrentName?: string;
  /** What it holds is known when a peer tells. */
  readonly asMagnet?: boolean;
  readonly season?: number;
  readonly episode?: number;
  readonly minimumRatio?: number;
  readonly minimumSeedMs?: number;
}

export const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
