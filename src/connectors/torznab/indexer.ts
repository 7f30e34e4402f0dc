// What an indexer does for a stage: says what it can be asked, finds releases, hands out a torrent.

import type { CallOptions } from "../kit/index.ts";

export interface Indexer {
  /** What it can be asked. */
  caps(call?: CallOptions): Promise<IndexerCaps>;
  /** Nothing found is an answer; whoever could not be asked is a fault. */
  search(wanted: Wanted, call?: CallOptions): Promise<FoundReleases>;
  /** The torrent's file or its magnet, and nothing else. */
  fetchTorrent(release: Downloadable, call?: CallOptions): Promise<FetchedTorrent>;
}

export interface IndexerCaps {
  /** How it calls itself. */
  readonly title: string;
  /** Releases in one answer. */
  readonly pageSize: number;
  /** Null where it has no such search. */
  readonly search: SearchAbility | null;
  readonly film: SearchAbility | null;
  readonly tv: SearchAbility | null;
  readonly categories: readonly { readonly id: number; readonly name: string }[];
}

export interface SearchAbility {
  readonly parameters: readonly string[];
  /** It compares texts as they are, and wants the punctuation of a title. */
  readonly isRaw: boolean;
}

interface WantedIds {
  /** As in "tt0017136". */
  readonly imdbId?: string | null;
  readonly tmdbId?: number | null;
  readonly tvdbId?: number | null;
}

export type Wanted = WantedIds & { readonly title: string } & (
    | { readonly kind: "film"; readonly year: number | null }
    | { readonly kind: "episode"; readonly season: number; readonly episode: number }
    | { readonly kind: "season"; readonly season: number }
  );

export interface FoundReleases {
  /** Each once. An indexer may answer with more than it was asked for. */
  readonly releases: readonly Release[];
  /** Entries without a title, or with nothing to download. */
  readonly unreadable: number;
  /** There were more than are read. */
  readonly isCut: boolean;
}

/** As much of a release as it takes to get its torrent. */
export type Downloadable = Pick<
  Release,
  "guid" | "indexer" | "title" | "protocol" | "magnet" | "infohash" | "downloadUrl"
>;

/** What an indexer says of a release: nothing of it is proved. What it does not say, or not in a way that makes sense, is null. */
export interface Release {
  /** Without control characters and turns of direction. */
  readonly title: string;
  /** The indexer's name for it. */
  readonly guid: string;
  /** Who has it; behind Prowlarr or Jackett the indexer they asked. */
  readonly indexer: string;
  readonly protocol: "torrent" | "usenet";
  readonly bytes: number | null;
  /** 40 hex digits in lower case. */
  readonly infohash: string | null;
  readonly magnet: string | null;
  /** For `fetchTorrent` alone. Where the indexer's key stood in it there is a mark. */
  readonly downloadUrl: string | null;
  /** A page about it, for people. */
  readonly infoUrl: string | null;
  readonly seeders: number | null;
  readonly leechers: number | null;
  readonly grabs: number | null;
  readonly categories: readonly number[];
  readonly imdbId: string | null;
  readonly tmdbId: number | null;
  readonly tvdbId: number | null;
  /** As in "2026-03-01T12:00:00.000Z". */
  readonly published: string | null;
  /** What has to be seeded before it may go. */
  readonly minimumRatio: number | null;
  readonly minimumSeedMs: number | null;
  readonly isFreeleech: boolean;
}

export type FetchedTorrent =
  | { readonly file: Uint8Array; readonly magnet?: undefined }
  | { readonly magnet: string; readonly file?: undefined };
