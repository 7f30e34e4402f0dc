// What the stages of media are given: what was set, what was kept, and how a file is looked at.

import type { VideoFacts } from "../../connectors/index.ts";
import type { ItemId, RequestId } from "../../engine/index.ts";
import type { Clock } from "../../kit/index.ts";
import type { DeliveryStore } from "./delivery/store.ts";
import type { Encoded } from "./encoded.ts";
import type { EncodeBoard } from "./encoding/board.ts";
import type { Choice, Listing } from "./found.ts";
import type { MediaLimits } from "./limits.ts";
import type { NamedTarget, WhoWantsWhat } from "./requests/who-wants-what.ts";
import type { MediaServices } from "./services.ts";
import type { MadeOf } from "./stages/made-before.sql.ts";
import type { Answers } from "./store/answers.ts";
import type { PackFile, TorrentRow } from "./store/torrents.sql.ts";
import type { LookUps } from "./titles/look-ups.ts";
import type { SeriesAsked, WantedItem } from "./wanted.ts";

/** What somebody who opens the pipelines brings along. */
export interface MediaGiven {
  readonly store: MediaStore;
  readonly probe: { facts(file: string, signal?: AbortSignal): Promise<VideoFacts> };
  /** Null where there is no such file. Links are not followed. */
  readonly fileBytes: (path: string) => Promise<number | null>;
  readonly board: EncodeBoard;
  /** By which a delivery is found to stand still. Default: the system's. */
  readonly clock?: Clock;
}

export interface MediaPorts extends MediaGiven {
  readonly deliveries: DeliveryStore;
  readonly wishes: WhoWantsWhat;
  readonly clock: Clock;
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
  /** All that anybody named who asked for it. */
  namedTargets(request: RequestId): Promise<readonly NamedTarget[]>;
  /** What was encoded of it before and is kept, the newest first. */
  madeBefore(item: ItemId, of: Omit<MadeOf, "item">): Promise<readonly Encoded[]>;
  /** Whose a name at a server is. */
  readonly deliveries: DeliveryStore;
  readonly lookUps: LookUps;
  readonly answers: Answers;
  /** So that it stands among what people asked for, however it was handed in. */
  noteRequest(request: RequestId, input: WantedItem | SeriesAsked): Promise<void>;
  listing(item: ItemId): Promise<Listing | undefined>;
  /** With whether indexers were asked for it. */
  keepListing(item: ItemId, listing: Listing, isSearched: boolean): Promise<void>;
  /** What a person wants of it; `key` is the stay in the search that it counts for. */
  choice(item: ItemId, key: string): Promise<Choice | undefined>;
  useChoice(item: ItemId, key: string): Promise<void>;
  dropChoice(item: ItemId): Promise<void>;
  /** An item of the same request that has not told its episodes yet, and came before this one. */
  earlierAsk(request: RequestId, item: ItemId): Promise<ItemId | undefined>;
  /** Episodes of a series that a request has, and those that are there. */
  heldEpisodes(request: RequestId, tmdb: number): Promise<HeldEpisodes>;
}

export interface HeldEpisodes {
  /** Of this request, however they stand. */
  readonly here: readonly { readonly season: number; readonly episode: number }[];
  /** Completed, in whatever request. */
  readonly there: readonly { readonly season: number; readonly episode: number }[];
}
