// A real qBittorrent, a second one that seeds, and a tracker between them, all on the loopback; and a person at the first one.

import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeTorrent } from "../../sandbox/media/make-torrent.ts";
import { QbittorrentProcess } from "../../sandbox/media/qbittorrent-process.ts";
import { Tracker } from "../../sandbox/media/tracker.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import {
  type MadeTorrent,
  type QbittorrentOptions,
  qbittorrent,
  type Torrents,
  type TorrentsContractWorld,
} from "../../src/connectors/index.ts";
import type { DownloadWorld } from "./download-world.ts";
import { seenUntil, until } from "./until.ts";

/** What somebody does in the pages of qBittorrent. */
export class Person {
  readonly #process: QbittorrentProcess;
  #cookie = "";

  constructor(process: QbittorrentProcess) {
    this.#process = process;
  }

  async ask(what: string, form?: FormData | Readonly<Record<string, string>>): Promise<string> {
    const body = form === undefined || form instanceof FormData ? form : new URLSearchParams(form);
    const ask = async () =>
      fetch(`${this.#process.url}/api/v2/${what}`, {
        headers: { cookie: this.#cookie },
        ...(body === undefined ? {} : { method: "POST", body }),
      });
    const first = await ask();
    if (first.status === 403) await this.#logIn();
    const answer = first.status === 403 ? await ask() : first;
    if (!answer.ok) throw new Error(`${what}: ${answer.status}`);
    return answer.text();
  }

  async #logIn(): Promise<void> {
    const { url, username, password } = this.#process;
    const body = new URLSearchParams({ username, password });
    const { headers } = await fetch(`${url}/api/v2/auth/login`, { method: "POST", body });
    this.#cookie = (headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";
  }

  async add({ file }: MadeTorrent, folder: string): Promise<void> {
    const form = new FormData();
    form.append("torrents", new Blob([new Uint8Array(file)]), "theirs.torrent");
    form.append("savepath", folder);
    await this.ask("torrents/add", form);
  }

  async torrents(): Promise<
    readonly {
      readonly hash: string;
      readonly infohash_v1: string;
      readonly state: string;
      readonly tags: string;
      readonly downloaded: number;
      readonly progress: number;
      readonly seeding_time: number;
    }[]
  > {
    return JSON.parse(await this.ask("torrents/info"));
  }

  async empty(): Promise<void> {
    await this.ask("torrents/delete", { hashes: "all", deleteFiles: "true" });
    await until(async () => (await this.torrents()).length === 0, "an empty qBittorrent");
  }
}

export class QbittorrentWorld implements DownloadWorld {
  readonly folder = temporaryFolder("sluice-qbittorrent");
  readonly tracker = new Tracker();
  readonly leecher = new QbittorrentProcess({ folder: join(this.folder, "leecher") });
  readonly seeder = new QbittorrentProcess({ folder: join(this.folder, "seeder") });
  readonly person = new Person(this.leecher);
  readonly #atSeeder = new Person(this.seeder);
  readonly #contents = new Map<string, ReadonlyMap<string, Buffer>>();
  #made = 0;

  get downloads(): string {
    return this.leecher.downloads;
  }

  get place() {
    const { url, username, password } = this.leecher;
    return { kind: "qbittorrent" as const, url, username, password };
  }

  async tags(): Promise<ReadonlyMap<string, readonly string[]>> {
    const listed = (tags: string) => tags.split(",").map((tag) => tag.trim());
    return new Map((await this.person.torrents()).map(({ infohash_v1, tags }) => [infohash_v1, listed(tags)]));
  }

  personAdds(made: MadeTorrent, folder: string): Promise<void> {
    return this.person.add(made, folder);
  }

  async start(): Promise<void> {
    await this.tracker.start();
    await Promise.all([this.leecher.start(), this.seeder.start()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.leecher.stop(), this.seeder.stop()]);
    await this.tracker.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  client(options: Partial<QbittorrentOptions> = {}, of: QbittorrentProcess = this.leecher): Torrents {
    const { url, username, password } = of;
    return qbittorrent({ service: "downloads:real", baseUrl: url, username, password, ...options });
  }

  async make(
    name: string,
    { isSeeded, bytes = 300_000 }: { readonly isSeeded: boolean; readonly bytes?: number },
  ): Promise<MadeTorrent> {
    const files = [
      { path: "part one.bin", content: randomBytes(bytes) },
      { path: "more/part two.bin", content: randomBytes(50_000) },
    ];
    return await this.makeOf(name, files, isSeeded);
  }

  async makeOf(
    name: string,
    files: readonly { readonly path: string; readonly content: Buffer }[],
    isSeeded: boolean,
  ): Promise<MadeTorrent> {
    const made = makeTorrent({ name, files, announce: this.tracker.announceUrl });
    this.#contents.set(made.infohash, new Map(files.map(({ path, content }) => [`${name}/${path}`, content])));
    if (isSeeded) await this.seed(made);
    return { ...made, name, bytes: files.reduce((sum, { content }) => sum + content.byteLength, 0) };
  }

  async seed({ infohash, file }: { readonly infohash: string; readonly file: Uint8Array }): Promise<void> {
    this.#made += 1;
    // Of one name there may be several.
    const folder = join(this.seeder.downloads, String(this.#made));
    for (const [path, content] of this.#contents.get(infohash) ?? []) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    await this.client({}, this.seeder).add({ infohash, source: { file }, tag: "sluice-seed", folder });
    await until(() => this.tracker.peers(infohash).some(({ isSeed }) => isSeed), `${infohash} is seeded`);
  }

  /** Bytes a second, of one torrent. */
  async limitSeeder(hashes: string, limit: number): Promise<void> {
    await this.#atSeeder.ask("torrents/setUploadLimit", { hashes, limit: String(limit) });
  }

  async unseed(hashes: string): Promise<void> {
    await this.#atSeeder.ask("torrents/delete", { hashes, deleteFiles: "false" });
  }

  isOnDisk(infohash: string, folder: string): boolean {
    return [...(this.#contents.get(infohash) ?? [])].every(([path, content]) => {
      try {
        return readFileSync(join(folder, path)).equals(content);
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
        throw error;
      }
    });
  }

  contract(): TorrentsContractWorld {
    const client = this.client();
    return {
      client,
      folder: this.leecher.downloads,
      make: (name, options) => this.make(name, options),
      until: (isSo) => seenUntil(client, isSo),
      person: {
        add: (torrent, folder) => this.person.add(torrent, folder),
        remove: async (hashes) => void (await this.person.ask("torrents/delete", { hashes, deleteFiles: "true" })),
        pause: async (hashes) => void (await this.person.ask("torrents/pause", { hashes })),
      },
      has: async (infohash) => (await this.person.torrents()).some(({ hash }) => hash === infohash),
      isOnDisk: ({ infohash }, folder) => this.isOnDisk(infohash, folder),
      down: (isDown) => (isDown ? this.leecher.stop() : this.leecher.start()),
    };
  }
}
