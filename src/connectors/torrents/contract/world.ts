// What the cases need of a client and of the world around it.

import { ok } from "node:assert/strict";
import { Fault } from "../../../engine/index.ts";
import type { NewTorrent, SeenTorrent, Torrents } from "../torrents.ts";

export type SeenTorrents = ReadonlyMap<string, SeenTorrent>;

export interface MadeTorrent {
  readonly infohash: string;
  readonly name: string;
  readonly bytes: number;
  readonly file: Uint8Array;
  readonly magnet: string;
}

export interface TorrentsContractWorld {
  readonly client: Torrents;
  /** As the client sees its disk. */
  readonly folder: string;
  /** A torrent of some files that are all its own, which peers have or nobody has. */
  make(name: string, options: { readonly isSeeded: boolean }): Promise<MadeTorrent>;
  /** Time passes until a look shows it; rejects when it never does. */
  until(isSo: (seen: SeenTorrents) => boolean): Promise<SeenTorrents>;
  /** A person does it, at the client itself. */
  readonly person: {
    add(torrent: MadeTorrent, folder: string): Promise<void>;
    remove(infohash: string): Promise<void>;
    pause(infohash: string): Promise<void>;
  };
  /** Whether the client has it, with or without a tag of ours. */
  has(infohash: string): Promise<boolean>;
  /** Whether what lies on the disk is whole and right. */
  isOnDisk(torrent: MadeTorrent, folder: string): boolean;
  /** Whether the client can be reached. */
  down(isDown: boolean): Promise<void>;
}

export interface TorrentsContractCase {
  readonly name: string;
  readonly run: (world: TorrentsContractWorld) => Promise<void>;
}

export const byFile = ({ infohash, file }: MadeTorrent, tag: string, folder: string): NewTorrent => ({
  infohash,
  source: { file },
  tag,
  folder,
});
export const byMagnet = ({ infohash, magnet }: MadeTorrent, tag: string, folder: string): NewTorrent => ({
  infohash,
  source: { magnet },
  tag,
  folder,
});

export function isFault(kind: string, code?: string): (error: unknown) => boolean {
  return (error) => error instanceof Fault && error.kind === kind && (code === undefined || error.code === code);
}

export const isComplete = (infohash: string) => (seen: SeenTorrents) => seen.get(infohash)?.state === "complete";
export const isState = (infohash: string, state: SeenTorrent["state"]) => (seen: SeenTorrents) =>
  seen.get(infohash)?.state === state;

export async function download(world: TorrentsContractWorld, torrent: NewTorrent): Promise<SeenTorrent> {
  await world.client.add(torrent);
  const seen = (await world.until(isComplete(torrent.infohash))).get(torrent.infohash);
  ok(seen);
  return seen;
}
