// What a swarm is given, and by whom.

import type { Random } from "../../../kit/index.ts";
import type { Budget } from "./budget.ts";
import type { Dial } from "./dialler.ts";
import type { Peer } from "./peer.ts";
import type { Block, Picker } from "./picker.ts";

/** What the torrent does for its swarm. */
export interface SwarmHost {
  readonly picker: Picker<Peer> | undefined;
  readonly info: Buffer | undefined;
  read(block: Block): Promise<Buffer | undefined>;
  received(bytes: number): void;
  uploaded(bytes: number): void;
  whole(piece: number, data: Buffer, givers: readonly Peer[]): void;
  described(info: Buffer): void;
}

export interface SwarmOptions {
  readonly infohash: string;
  readonly peerId: Buffer;
  readonly port: () => number;
  readonly now: () => number;
  readonly random: Random;
  readonly dial: Dial;
  readonly download: Budget;
  readonly upload: Budget;
  /** Peers may name each other. */
  readonly exchanges: () => boolean;
  readonly mostPeers: number;
  readonly mostMetadataBytes: number;
}
