// A torrent of the world in qBittorrent's words, and what changed between two looks at all of them.

import type { TorrentState, TorrentWorld, WorldTorrent } from "../../src/connectors/index.ts";

export type Dialect = "4.6" | "5.1" | "5.2";

export type Fields = Readonly<Record<string, unknown>>;

/** What one answer of sync/maindata was made from. */
export interface Snapshot {
  readonly torrents: ReadonlyMap<string, Fields>;
  readonly tags: readonly string[];
  readonly server: Fields;
}

/** The version of the program, and of its Web API. */
export const VERSIONS: Readonly<Record<Dialect, readonly [string, string]>> = {
  "4.6": ["v4.6.7", "2.9.3"],
  "5.1": ["v5.1.4", "2.11.4"],
  "5.2": ["v5.2.3", "2.15.1"],
};

export function fieldsOf(world: TorrentWorld, torrent: WorldTorrent, dialect: Dialect): Fields {
  const seen = world.seen(torrent);
  const total = seen.wantedBytes ?? -1;
  return {
    infohash_v1: seen.infohash,
    infohash_v2: "",
    name: seen.name,
    state: wordOf(seen.state, dialect, seen.seeds ?? 0),
    tags: [...torrent.tags].join(", "),
    completed: seen.doneBytes,
    downloaded: seen.receivedBytes,
    size: Math.max(0, total),
    total_size: total,
    amount_left: Math.max(0, total - seen.doneBytes),
    progress: total > 0 ? seen.doneBytes / total : 0,
    num_seeds: seen.seeds,
    ratio: seen.ratio,
    seeding_time: seen.seededMs / 1_000,
    save_path: torrent.folder,
    download_path: "",
    content_path: seen.path ?? (seen.state === "moving" ? `${torrent.folder}/${seen.name}` : ""),
  };
}

function wordOf(state: TorrentState, dialect: Dialect, seeds: number): string {
  switch (state) {
    case "metadata":
      return "metaDL";
    case "checking":
      return "checkingDL";
    case "queued":
      return "queuedDL";
    case "paused":
      return dialect === "4.6" ? "pausedDL" : "stoppedDL";
    case "downloading":
      return seeds > 0 ? "downloading" : "stalledDL";
    case "moving":
      return "moving";
    case "complete":
      return "stalledUP";
    case "failed":
      return "error";
    case "missing-files":
      return "missingFiles";
    case "unknown":
      return "unheardOf";
  }
}

export function whole(now: Snapshot): Record<string, unknown> {
  const { torrents, tags, server } = now;
  return { full_update: true, torrents: Object.fromEntries(torrents), tags, server_state: server };
}

/** Changed fields alone; what did not change is not mentioned at all. */
export function difference(before: Snapshot, now: Snapshot): Record<string, unknown> {
  const torrents = [...now.torrents].flatMap(([id, fields]) => {
    const changed = changedFields(before.torrents.get(id) ?? {}, fields);
    return Object.keys(changed).length > 0 ? [[id, changed] as const] : [];
  });
  const gone = [...before.torrents.keys()].filter((id) => !now.torrents.has(id));
  const tags = now.tags.filter((tag) => !before.tags.includes(tag));
  const tagsGone = before.tags.filter((tag) => !now.tags.includes(tag));
  const server = changedFields(before.server, now.server);
  return {
    ...(torrents.length > 0 ? { torrents: Object.fromEntries(torrents) } : {}),
    ...(gone.length > 0 ? { torrents_removed: gone } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...(tagsGone.length > 0 ? { tags_removed: tagsGone } : {}),
    ...(Object.keys(server).length > 0 ? { server_state: server } : {}),
  };
}

function changedFields(before: Fields, now: Fields): Fields {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => before[name] !== value));
}
