// A torrent in qBittorrent's words → a torrent as a stage sees it. Pure. Nothing of it is trusted to be there, or to be sensible.

import { isTagOfOurs, OWN_TAG } from "../tags.ts";
import type { SeenTorrent, TorrentState } from "../torrents.ts";

export type RawTorrent = Readonly<Record<string, unknown>>;

const STATES: ReadonlyMap<string, TorrentState> = new Map<string, TorrentState>([
  ["metaDL", "metadata"],
  ["forcedMetaDL", "metadata"],
  ["checkingResumeData", "checking"],
  ["checkingDL", "checking"],
  // All of it is there, and none of it is sure until the check is over.
  ["checkingUP", "checking"],
  ["queuedDL", "queued"],
  ["pausedDL", "paused"],
  ["stoppedDL", "paused"],
  ["downloading", "downloading"],
  ["forcedDL", "downloading"],
  // No bytes at this instant. Whether it stands still is judged by its bytes, over time.
  ["stalledDL", "downloading"],
  ["moving", "moving"],
  ["uploading", "complete"],
  ["stalledUP", "complete"],
  ["forcedUP", "complete"],
  ["queuedUP", "complete"],
  ["pausedUP", "complete"],
  ["stoppedUP", "complete"],
  ["error", "failed"],
  ["missingFiles", "missing-files"],
]);

const PROBLEMS: Partial<Record<TorrentState, string>> = {
  failed: "qBittorrent stopped it with an error, mostly of its disk: its log says which",
  "missing-files": "qBittorrent does not find the files that it had downloaded",
};

/** The name everybody knows it by. qBittorrent's own for a hybrid is made of its second infohash. */
export function infohashIn(id: string, raw: RawTorrent): string {
  const v1 = text(raw.infohash_v1).toLowerCase();
  return /^[0-9a-f]{40}$/.test(v1) ? v1 : id.toLowerCase();
}

export function tagsOf(raw: RawTorrent): readonly string[] {
  return text(raw.tags)
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

export function toSeenTorrent(id: string, raw: RawTorrent): SeenTorrent {
  const clientState = text(raw.state);
  const state = STATES.get(clientState) ?? "unknown";
  const hasMetadata = count(raw.total_size) > 0;
  const tags = tagsOf(raw);
  const doneBytes = count(raw.completed);
  return {
    infohash: infohashIn(id, raw),
    name: text(raw.name),
    state,
    clientState,
    tags: tags.filter(isTagOfOurs),
    isOurs: tags.includes(OWN_TAG),
    doneBytes,
    wantedBytes: hasMetadata ? count(raw.size) : null,
    receivedBytes: count(raw.downloaded),
    seeds: typeof raw.num_seeds === "number" ? count(raw.num_seeds) : null,
    ratio: amount(raw.ratio),
    seededMs: count(raw.seeding_time) * 1_000,
    ...placeOf(raw, hasMetadata && state !== "moving" && clientState !== "checkingResumeData"),
    problem: PROBLEMS[state] ?? null,
  };
}

/** Before it has loaded its own notes qBittorrent tells half a path, and while it moves files either end may be wrong. */
function placeOf(raw: RawTorrent, isCertain: boolean): Pick<SeenTorrent, "path" | "folder"> {
  const path = withoutSlash(text(raw.content_path));
  const folders = [raw.save_path, raw.download_path].map(text).map(withoutSlash);
  // Where its files have no folder of their own, the path is the folder itself.
  const folder = folders.find((each) => each !== "" && (path === each || path.startsWith(`${each}/`)));
  return isCertain && folder !== undefined ? { path, folder } : { path: null, folder: null };
}

function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Bytes, seconds, heads: -1 and the like say that it is not known. */
export function count(value: unknown): number {
  return Math.floor(Math.min(amount(value), Number.MAX_SAFE_INTEGER));
}

export function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
