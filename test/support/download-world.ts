// A download client with a tracker, a seeder, and a person at it: what cases need that hold for every client.

import type { MadeTorrent } from "../../src/connectors/index.ts";

export interface DownloadWorld {
  /** All that it writes is below. */
  readonly folder: string;
  /** Where downloads go. */
  readonly downloads: string;
  /** How it is reached. */
  readonly place:
    | { readonly kind: "qbittorrent"; readonly url: string; readonly username: string; readonly password: string }
    | { readonly kind: "embedded"; readonly url: string; readonly token: string };
  start(): Promise<void>;
  stop(): Promise<void>;
  makeOf(
    name: string,
    files: readonly { readonly path: string; readonly content: Buffer }[],
    isSeeded: boolean,
  ): Promise<MadeTorrent>;
  seed(made: MadeTorrent): Promise<void>;
  /** Whosever they are: each torrent's tags by its infohash. */
  tags(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** A person begins it, without a tag of ours. */
  personAdds(made: MadeTorrent, folder: string): Promise<void>;
  isOnDisk(infohash: string, folder: string): boolean;
}
