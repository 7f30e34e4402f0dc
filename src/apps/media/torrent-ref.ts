// What the engine keeps of a download: which torrent, and which tag on it is ours. Several items may share a torrent.

import { InputError } from "../../kit/index.ts";

export interface TorrentRef {
  readonly infohash: string;
  readonly tag: string;
}

/** Keys have signs that tags may not have. */
export const tagOf = (key: string): string => `sluice-${key.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;

export const formatRef = ({ infohash, tag }: TorrentRef): string => `${infohash}/${tag}`;

export function parseRef(ref: string): TorrentRef {
  const [, infohash, tag] = /^([0-9a-f]{40})\/(sluice-[A-Za-z0-9_-]{1,100})$/.exec(ref) ?? [];
  if (infohash === undefined || tag === undefined) throw new InputError("ref", "ref is no reference to a torrent");
  return { infohash, tag };
}
