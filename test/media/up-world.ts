// `sluice up --apps media` as somebody at home starts it: a process with a database and a download client of its own, and around it
// on the loopback a tracker, a seeder, an indexer and a metadata service.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFilm, makePattern } from "../../sandbox/media/films.ts";
import { makeTorrent } from "../../sandbox/media/make-torrent.ts";
import { TmdbServer } from "../../sandbox/media/tmdb-server.ts";
import { TorznabServer } from "../../sandbox/media/torznab-server.ts";
import { Tracker } from "../../sandbox/media/tracker.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { type Going, startCli } from "../support/cli.ts";
import { TorrentsProcess } from "../support/torrents-process.ts";
import { seenUntil, until } from "../support/until.ts";

const TMDB_KEY = "0123456789abcdef0123456789abcdef";
const INDEXER_KEY = "an-indexers-key";
const ADMIN = { name: "ann", password: "correct horse battery" };
const GIGABYTES = 2_000_000_000;

/** Peers are found on this machine alone. */
const ENVIRONMENT = {
  ...{ APPS: "media", SERVER_PORT: "0", WORKER_GRACE_SEC: "0", SERVER_ADMIN_NAME: ADMIN.name },
  ...{ SERVER_ADMIN_PASSWORD: ADMIN.password, MEDIA_LAN: "true", MEDIA_PEER_HOST: "127.0.0.1", MEDIA_PEER_PORT: "0" },
};

export interface MadeFilm {
  readonly infohash: string;
  readonly file: Uint8Array;
  readonly name: string;
  readonly content: Buffer;
}

export class UpWorld {
  readonly root = temporaryFolder("sluice-up-media");
  readonly home = path.join(this.root, "home");
  readonly downloads = path.join(this.home, "data", "downloads");
  readonly indexer = new TorznabServer({ title: "Proof", apiKey: INDEXER_KEY });
  readonly metadata = new TmdbServer({
    key: TMDB_KEY,
    films: [
      { id: 19, title: "Metropolis", date: "1927-01-10", runtimeMinutes: 60, originalLanguage: "en" },
      { id: 22, title: "Sunrise", date: "1927-09-23", runtimeMinutes: 60, originalLanguage: "en" },
      { id: 21, title: "Safety Last", date: "1923-04-01", runtimeMinutes: 60, originalLanguage: "en" },
      { id: 20, title: "Nosferatu", date: "1922-03-04", runtimeMinutes: 60, originalLanguage: "en" },
    ],
  });
  readonly tracker = new Tracker();
  readonly seeder = new TorrentsProcess(path.join(this.root, "seeder"), "--seed-ratio", "1000");
  #going: Going | undefined;
  #url = "";
  #token = "";

  get process(): Going {
    if (this.#going === undefined) throw new Error("it is not up");
    return this.#going;
  }

  async start(): Promise<void> {
    mkdirSync(this.home);
    const pattern = makePattern(path.join(this.root, "pattern.mkv"), { seconds: 6, kilobytes: 400 });
    await Promise.all([pattern, this.indexer.up(), this.metadata.up(), this.tracker.start()]);
    await this.seeder.start();
  }

  async stop(): Promise<void> {
    await this.#going?.end("SIGTERM");
    await this.seeder.stop();
    await Promise.all([this.indexer.down(), this.metadata.down(), this.tracker.stop()]);
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Signed in when it answers. */
  async up(): Promise<void> {
    this.#going = startCli(["up"], ENVIRONMENT, this.home);
    [, this.#url = ""] = await this.#going.says(/listening on (\S+)/);
    const response = await fetch(`${this.#url}/api/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: this.#url },
      body: JSON.stringify(ADMIN),
    });
    this.#token = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  }

  async api(method: string, at: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>> {
    const response = await fetch(`${this.#url}/api/v1${at}`, {
      method,
      headers: {
        ...{ cookie: this.#token, origin: this.#url },
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const said = await response.text();
    if (!response.ok) throw new Error(`${method} ${at} answered ${response.status}: ${said}`);
    return JSON.parse(said);
  }

  async setAll(): Promise<void> {
    await this.api("PUT", "/media/indexers/proof", { url: this.indexer.url, apiKey: INDEXER_KEY, links: "lan" });
    await this.api("PUT", "/media/metadata", { url: this.metadata.url, key: TMDB_KEY });
  }

  /** A film of its own content that the indexer has; somebody has to seed it. */
  async makeRelease(name: string): Promise<MadeFilm> {
    const target = path.join(this.root, `${name}.mkv`);
    await makeFilm(path.join(this.root, "pattern.mkv"), target, name);
    const content = readFileSync(target);
    const files = [{ path: `${name}.mkv`, content }];
    const { infohash, file } = makeTorrent({ name, files, announce: this.tracker.announceUrl });
    this.indexer.world.add({
      ...{ id: infohash.slice(0, 16), title: name, torrent: { file }, bytes: GIGABYTES, seeders: 5, category: 2000 },
    });
    return { infohash, file, name, content };
  }

  async seed({ infohash, file, name, content }: MadeFilm): Promise<void> {
    const folder = path.join(this.seeder.folder, infohash);
    mkdirSync(path.join(folder, name), { recursive: true });
    writeFileSync(path.join(folder, name, `${name}.mkv`), content);
    const client = this.seeder.client();
    await client.add({ infohash, source: { file }, tag: "sluice-seed", folder });
    await seenUntil(client, (seen) => seen.get(infohash)?.state === "complete");
    await until(() => this.tracker.peers(infohash).length > 0, "the seeder announces itself");
  }

  /** The id of its item. */
  async ask(tmdb: number): Promise<string> {
    const { request } = await this.api("POST", "/media/requests", { kind: "film", tmdb });
    return (await this.api("GET", `/media/requests/${request}`)).items[0].item;
  }

  async item(id: string): Promise<ReturnType<typeof JSON.parse>> {
    return await this.api("GET", `/items/${id}`);
  }

  /** Of the process that downloads, as it says itself. */
  torrents(): { readonly pid: number; readonly started: string; readonly url: string } {
    return JSON.parse(readFileSync(path.join(this.downloads, ".sluice-torrents", "address"), "utf8"));
  }
}
