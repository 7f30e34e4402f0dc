// The embedded client with a tracker and a seeder on the loopback, as the contract wants it.

import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeTorrent } from "../../sandbox/media/make-torrent.ts";
import { Tracker } from "../../sandbox/media/tracker.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import type { MadeTorrent, TorrentsContractWorld } from "../../src/connectors/index.ts";
import type { DownloadWorld } from "./download-world.ts";
import { TorrentsProcess } from "./torrents-process.ts";
import { seenUntil, until } from "./until.ts";

interface MadeContent {
  readonly made: MadeTorrent;
  readonly files: readonly { readonly path: string; readonly content: Buffer }[];
}

export class EmbeddedWorld implements DownloadWorld {
  readonly tracker = new Tracker();
  readonly root = temporaryFolder("sluice-torrents");
  readonly leecher = new TorrentsProcess(join(this.root, "leecher"));
  readonly seeder = new TorrentsProcess(join(this.root, "seeder"), "--seed-ratio", "1000");
  readonly #contents = new Map<string, MadeContent>();
  #number = 0;

  get folder(): string {
    return this.root;
  }

  get downloads(): string {
    return this.leecher.folder;
  }

  get place() {
    return { kind: "embedded" as const, url: this.leecher.url, token: this.leecher.token };
  }

  async start(): Promise<void> {
    await this.tracker.start();
    await Promise.all([this.leecher.start(), this.seeder.start()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.leecher.stop(), this.seeder.stop()]);
    await this.tracker.stop();
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Nothing is left of what a case before has begun. */
  async empty(): Promise<void> {
    for (const infohash of await this.all()) await this.leecher.ask("DELETE", `torrents/${infohash}?withFiles=true`);
  }

  async all(): Promise<readonly string[]> {
    return [...(await this.tags()).keys()];
  }

  async tags(): Promise<ReadonlyMap<string, readonly string[]>> {
    const answer = await this.leecher.ask("GET", "torrents?all=true");
    const { torrents } = (await answer.json()) as { torrents: { infohash: string; tags: string[] }[] }; // the API's own shape
    return new Map(torrents.map(({ infohash, tags }) => [infohash, tags]));
  }

  async personAdds({ infohash, file }: MadeTorrent, folder: string): Promise<void> {
    const source = { infohash, file: Buffer.from(file).toString("base64") };
    await this.leecher.ask("POST", "torrents", { ...source, tag: null, folder });
  }

  contentOf(infohash: string): MadeContent {
    const content = this.#contents.get(infohash);
    if (content === undefined) throw new Error(`${infohash} was not made here`);
    return content;
  }

  async make(name: string, options: { readonly isSeeded: boolean; readonly bytes?: number }): Promise<MadeTorrent> {
    const { isSeeded, bytes = 60_000 } = options;
    const first = Math.floor((bytes * 2) / 3);
    const files = [
      { path: "part one.bin", content: randomBytes(first) },
      { path: "more/part two.bin", content: randomBytes(bytes - first) },
    ];
    return await this.makeOf(name, files, isSeeded);
  }

  async makeOf(name: string, files: MadeContent["files"], isSeeded: boolean): Promise<MadeTorrent> {
    const { announceUrl: announce } = this.tracker;
    const bytes = files.reduce((sum, { content }) => sum + content.byteLength, 0);
    const made = { ...makeTorrent({ name, files, announce }), name, bytes };
    this.#contents.set(made.infohash, { made, files });
    if (isSeeded) await this.seed(made);
    return made;
  }

  /** By the second client of our own, which has the files in its folder. */
  async seed({ infohash }: Pick<MadeTorrent, "infohash">): Promise<void> {
    const { made } = this.contentOf(infohash);
    this.#number += 1;
    const folder = join(this.seeder.folder, String(this.#number));
    this.writeTo(infohash, folder);
    const client = this.seeder.client();
    await client.add({ infohash, source: { file: made.file }, tag: "sluice-seed", folder });
    await seenUntil(client, (seen) => seen.get(infohash)?.state === "complete");
    await until(() => this.tracker.peers(infohash).length > 0, "the seeder announces itself");
  }

  writeTo(infohash: string, folder: string): void {
    const { made, files } = this.contentOf(infohash);
    for (const { path, content } of files) {
      const place = join(folder, made.name, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
    }
  }

  isOnDisk(infohash: string, folder: string): boolean {
    const { made, files } = this.contentOf(infohash);
    return files.every(({ path, content }) => {
      const place = join(folder, made.name, path);
      return existsSync(place) && sha256(readFileSync(place)) === sha256(content);
    });
  }

  contract(): TorrentsContractWorld {
    const client = this.leecher.client();
    const { folder } = this.leecher;
    return {
      client,
      folder,
      make: (name, options) => this.make(name, options),
      until: (isSo) => seenUntil(client, isSo),
      person: {
        add: (made, place) => this.personAdds(made, place),
        remove: async (infohash) => void (await this.leecher.ask("DELETE", `torrents/${infohash}`)),
        pause: async (infohash) => void (await this.leecher.ask("POST", `torrents/${infohash}/pause`)),
      },
      has: async (infohash) => (await this.all()).includes(infohash),
      isOnDisk: ({ infohash }, place) => this.isOnDisk(infohash, place),
      down: async (isDown) => (isDown ? await this.leecher.stop() : await this.leecher.start()),
    };
  }
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
