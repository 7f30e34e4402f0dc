// What is to be added: what it is of, and where it may go.

import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { InputError, safeText } from "../../../kit/index.ts";
import { readMagnet } from "../infohash.ts";
import type { NewTorrent, TorrentSource } from "../torrents.ts";
import { readInfo, readTorrentFile, readTrackers, type TorrentLimits } from "./metainfo.ts";

/** `tag` null: begun by somebody else than us, and theirs. */
export type Addition = Omit<NewTorrent, "tag"> & { readonly tag: string | null };

export interface ReadSource {
  readonly infohash: string;
  readonly name: string | null;
  readonly trackers: readonly string[];
  /** Undefined of a magnet link: peers have to be asked. */
  readonly info: Buffer | undefined;
}

export function readSource(source: TorrentSource, limits: TorrentLimits): ReadSource {
  if (source.file === undefined) {
    const { infohash, name } = readMagnet(source.magnet);
    return { infohash, name: name?.slice(0, 300) ?? null, trackers: readTrackers(source.magnet), info: undefined };
  }
  const { info, trackers } = readTorrentFile(source.file);
  const { infohash, name } = readInfo(info, limits);
  return { infohash, name, trackers, info };
}

/** Whoever has our token says where to; still, nothing is written outside the folder that was given to us. */
export async function folderWithin(root: string, folder: string): Promise<string> {
  const wanted = path.resolve(folder);
  const refused = new InputError("folder", `folder must be ${root} or below it, got "${safeText(folder, 200)}"`);
  if (!isWithin(path.resolve(root), wanted)) throw refused;
  await mkdir(wanted, { recursive: true });
  // A link on the way may lead elsewhere.
  if (!isWithin(await realpath(root), await realpath(wanted))) throw refused;
  return wanted;
}

function isWithin(root: string, place: string): boolean {
  return place === root || place.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}
