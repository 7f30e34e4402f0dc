// What a torrent is given by the client it belongs to.

import type { Random } from "../../../kit/index.ts";
import type { TorrentLimits } from "./metainfo.ts";
import type { StateFolder } from "./state.ts";
import type { SwarmOptions } from "./swarm-options.ts";
import type { Announce } from "./trackers.ts";

export interface TorrentDeps {
  readonly state: StateFolder;
  readonly announce: Announce;
  readonly now: () => number;
  readonly random: Random;
  readonly swarm: Omit<SwarmOptions, "infohash" | "exchanges">;
  readonly isPublic: boolean;
  readonly limits: TorrentLimits;
  readonly goals: { readonly ratio: number; readonly ms: number };
  /** Another torrent puts its files there. */
  readonly isTaken: (path: string, infohash: string) => boolean;
}
