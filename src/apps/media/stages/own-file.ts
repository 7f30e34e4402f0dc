// The file an item was after, in a torrent that is complete: found by the map of the torrent's files, on our own disk.

import { z } from "zod";
import type { TorrentFile } from "../../../connectors/index.ts";
import { back, done, type Outcome, transient, type Visit } from "../../../engine/index.ts";
import { type Found, giveBack } from "../found.ts";
import { localPath } from "../local-path.ts";
import { mapFor, mappedEpisodes, ownFile, type Sought } from "../mapping.ts";
import type { MediaPorts } from "../ports.ts";
import type { PackFile } from "../store/torrents.sql.ts";
import type { WantedItem } from "../wanted.ts";
import type { ClientPlace } from "./download.ts";

export interface Downloaded {
  readonly infohash: string;
  /** On our own disk. */
  readonly path: string;
  readonly bytes: number;
}

const complete = z.object({ infohash: z.string(), folder: z.string().nullable() });

export async function finishDownload(
  visit: Visit<WantedItem, { search: Found }>,
  output: unknown,
  { store, services: { clients } }: MediaPorts,
): Promise<Outcome<Downloaded>> {
  const { infohash, folder } = complete.parse(output);
  const { sought, taken } = visit.out.search;
  const service = visit.because.ended?.service ?? "";
  const instance = clients(service.slice(service.indexOf(":") + 1));
  const files = await visit.call(instance, ({ torrents }) => torrents.files(infohash, visit.signal));
  const own = await ownOf(sought, { infohash, title: taken.title, files }, store);
  if ("reason" in own) return back("search", giveBack(visit.out.search, own.reason));
  const ours = await visit.call(instance, async (client) => placeOf(await client.place(), folder, own.path));
  return done({ infohash, path: ours, bytes: own.bytes });
}

interface Complete {
  readonly infohash: string;
  readonly title: string;
  readonly files: readonly TorrentFile[];
}

/** A pack is mapped once for all its episodes, and every one of them goes by that map. */
async function ownOf(
  sought: Sought,
  { infohash, title, files }: Complete,
  store: MediaPorts["store"],
): Promise<Pick<PackFile, "path" | "bytes"> | { readonly reason: string }> {
  const { season, episode } = sought;
  const isEpisode = season !== undefined && episode !== undefined;
  const known = isEpisode ? await store.mappedFile(infohash, { season, episode }) : undefined;
  if (known !== undefined) return known;
  const map = mapFor(sought, title, files);
  const at = (index: number) => files.find((file) => file.index === index);
  const pack = mappedEpisodes(sought, map).flatMap(({ file: index, ...of }) => {
    const file = at(index);
    return file === undefined ? [] : [{ ...of, path: file.path, bytes: file.bytes }];
  });
  if (pack.length > 0) await store.mapPack(infohash, pack);
  const own = ownFile(sought, map);
  if (!("file" in own)) return own;
  return at(own.file) ?? { reason: "the download client no longer lists its file" };
}

function placeOf({ paths }: Pick<ClientPlace, "paths">, folder: string | null, file: string): string {
  if (folder === null)
    throw transient("FILE_NOT_FOUND", "the download client does not say where it has put it", { breaker: "none" });
  const ours = localPath(`${folder}/${file}`, paths);
  if (ours !== null) return ours;
  const why = `the download client has put it to ${folder}, and no path mapping says where that is here`;
  throw transient("PATH_NOT_MAPPED", why, { breaker: "none" });
}
