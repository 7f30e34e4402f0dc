// What the stages of media are given: what was set, what was kept, and how a file is looked at.

import type { VideoFacts } from "../../connectors/index.ts";
import type { MediaLimits } from "./limits.ts";
import type { MediaServices } from "./services.ts";
import type { PackFile, TorrentRow } from "./store/torrents.sql.ts";

/** What somebody who opens the pipelines brings along. */
export interface MediaGiven {
  readonly store: MediaStore;
  readonly probe: { facts(file: string, signal?: AbortSignal): Promise<VideoFacts> };
  /** Null where there is no such file. Links are not followed. */
  readonly fileBytes: (path: string) => Promise<number | null>;
}

export interface MediaPorts extends MediaGiven {
  readonly services: MediaServices;
  readonly limits: MediaLimits;
}

export interface MediaStore {
  /** By the database's clock. */
  now(): Promise<Date>;
  /** Those that are switched on, the preferred first. */
  indexers(): Promise<readonly { readonly name: string; readonly priority: number }[]>;
  clients(): Promise<readonly { readonly name: string }[]>;
  keepTorrent(row: TorrentRow): Promise<void>;
  findTorrent(infohash: string): Promise<TorrentRow | undefined>;
  mapPack(infohash: string, files: readonly PackFile[]): Promise<void>;
  mappedFile(
    infohash: string,
    of: { readonly season: number; readonly episode: number },
  ): Promise<PackFile | undefined>;
}
