// A qBittorrent as the other end: it seeds, and it downloads.

import { QbittorrentProcess } from "../../sandbox/media/qbittorrent-process.ts";
import type { MadeTorrent } from "../../src/connectors/index.ts";
import { Person } from "./qbittorrent-world.ts";
import { until } from "./until.ts";

export class OtherClient {
  readonly #process: QbittorrentProcess;
  readonly #person: Person;

  constructor(folder: string) {
    this.#process = new QbittorrentProcess({ folder });
    this.#person = new Person(this.#process);
  }

  get downloads(): string {
    return this.#process.downloads;
  }

  start(): Promise<void> {
    return this.#process.start();
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  add(made: MadeTorrent, folder: string): Promise<void> {
    return this.#person.add(made, folder);
  }

  /** What lies in the folder is checked, and announced. */
  async seed(made: MadeTorrent, folder: string): Promise<void> {
    await this.add(made, folder);
    await until(async () => {
      const [torrent] = JSON.parse(await this.#person.ask(`torrents/info?hashes=${made.infohash}`));
      return torrent?.progress === 1;
    }, `qBittorrent has ${made.name}`);
    await this.#person.ask("torrents/reannounce", { hashes: made.infohash });
  }
}
