// The download: a torrent in one of the configured clients, known by its infohash and owned by its tags.

import type { SeenTorrent, TorrentSource, Torrents } from "../../../connectors/index.ts";
import {
  type KnownMarks,
  type Listed,
  type NotYet,
  permanent,
  type Seen,
  type SeenState,
  transient,
} from "../../../engine/index.ts";
import type { PathMapping } from "../local-path.ts";
import { formatRef, parseRef, tagOf } from "../torrent-ref.ts";
import { keepsSeeding, type SeedGoal } from "./seeding.ts";
import type { Setbacks } from "./setbacks.ts";

/** A configured client, and what we know about where it puts things. */
export interface DownloadClient {
  readonly torrents: Torrents;
  place(): Promise<ClientPlace>;
  /** Throws where what it downloads could not be found here. */
  ready?(): Promise<void>;
  readonly setbacks: Setbacks;
}

export interface ClientPlace {
  /** Where to, as the client sees its disk. */
  readonly folder: string;
  readonly paths: readonly PathMapping[];
}

/** Each torrent has a folder of its own: two of the same name must not meet. */
export const folderFor = ({ folder }: Pick<ClientPlace, "folder">, infohash: string): string =>
  `${folder.replace(/\/+$/, "")}/${infohash}`;

export async function startTorrent(
  client: DownloadClient,
  { infohash, source, key }: { readonly infohash: string; readonly source: TorrentSource; readonly key: string },
  signal: AbortSignal,
): Promise<string> {
  const tag = tagOf(key);
  await client.ready?.();
  const folder = folderFor(await client.place(), infohash);
  await client.torrents.add({ infohash, source, tag, folder }, signal);
  return formatRef({ infohash, tag });
}

export async function adoptTorrent({ torrents }: DownloadClient, key: string): Promise<string | null> {
  const tag = tagOf(key);
  for (const seen of (await torrents.look()).values())
    if (seen.tags.includes(tag)) return formatRef({ infohash: seen.infohash, tag });
  return null;
}

export async function lookAtTorrents(
  client: DownloadClient,
  refs: readonly string[],
  known: KnownMarks,
): Promise<readonly Seen[]> {
  const all = await client.torrents.look();
  const marks = client.setbacks.marksOf(all);
  return refs.map((ref) => {
    const { infohash, tag } = parseRef(ref);
    const torrent = all.get(infohash);
    // What carries our tag no longer is gone as far as its item goes, whoever took the tag off.
    if (torrent === undefined || !torrent.tags.includes(tag)) return { ref, state: "missing" };
    return { ref, ...seenAs(torrent), marks: marks(torrent, known(ref)) };
  });
}

function seenAs({ infohash, doneBytes, wantedBytes, folder, ...torrent }: SeenTorrent): Omit<Seen, "ref" | "marks"> {
  const state = STATES[torrent.state];
  const said = torrent.problem ?? torrent.clientState;
  return {
    state,
    ...(wantedBytes === null || wantedBytes === 0 ? {} : { progress: (100 * doneBytes) / wantedBytes }),
    ...(state === "done" ? { output: { infohash, folder } } : {}),
    ...(state === "failed" ? { fault: transient("TORRENT_FAILED", `the download client says: ${said}`) } : {}),
  };
}

const STATES: Readonly<Record<SeenTorrent["state"], SeenState>> = {
  metadata: "running",
  checking: "queued",
  queued: "queued",
  paused: "paused",
  downloading: "running",
  moving: "queued",
  complete: "done",
  failed: "failed",
  "missing-files": "failed",
  unknown: "running",
};

/** What is whole gives back first what it has to. */
export async function releaseTorrent(
  { torrents }: DownloadClient,
  ref: string,
  goalsOf: (infohash: string) => Promise<readonly SeedGoal[]>,
): Promise<NotYet | undefined> {
  const { infohash, tag } = parseRef(ref);
  const goals = await goalsOf(infohash);
  const seen = goals.length === 0 ? undefined : (await torrents.look()).get(infohash);
  const early = seen === undefined ? undefined : keepsSeeding(seen, tag, goals);
  if (early === undefined) await torrents.release(infohash, tag, { withFiles: true });
  return early;
}

/** Tags are keys with other signs; those that begin alike are ours. */
export async function listTorrents({ torrents }: DownloadClient, prefix: string): Promise<readonly Listed[]> {
  const listed: Listed[] = [];
  for (const seen of (await torrents.look()).values()) {
    for (const tag of seen.tags.filter((one) => one.startsWith(tagOf(prefix))))
      listed.push({
        ref: formatRef({ infohash: seen.infohash, tag }),
        key: tag.slice("sluice-".length),
        // What is being checked or moved may be whole, and then it is no orphan; if it is none, that is seen when it goes on.
        state: seen.state === "checking" || seen.state === "moving" ? "done" : STATES[seen.state],
      });
  }
  return listed;
}

/** Of a row that was written before any client was told of the torrent. */
export function sourceOf(row: { magnet: string | null; file: Uint8Array | null } | undefined): TorrentSource {
  if (row?.file != null) return { file: row.file };
  if (row?.magnet != null) return { magnet: row.magnet };
  throw permanent("FILE_NOT_FOUND", "the torrent that was chosen is no longer kept; search again");
}
