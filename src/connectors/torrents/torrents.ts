// What a download client does for a stage, whichever client it is.
//
// A torrent says by its tags whose it is: every download of ours has one that begins with "sluice-", and what was begun by us has the
// tag "sluice" besides. What somebody else began never gets that one, and is never removed by us.

export interface Torrents {
  /** Who answers, and how it stands. */
  about(signal?: AbortSignal): Promise<TorrentsAbout>;
  /**
   * Begins a download, under a tag that says whose it is. What is there already only gets the tag: somebody else may have begun it, and
   * then it stays theirs.
   */
  add(torrent: NewTorrent, signal?: AbortSignal): Promise<{ readonly wasThere: boolean }>;
  /** Every torrent that has a tag of ours, by its infohash, in one call. */
  look(signal?: AbortSignal): Promise<ReadonlyMap<string, SeenTorrent>>;
  /** Empty before the metadata is there. A transient fault TORRENT_GONE where there is no such torrent. */
  files(infohash: string, signal?: AbortSignal): Promise<readonly TorrentFile[]>;
  /** Asks the tracker for peers again, and goes on with what stands still. What is gone is left at that. */
  nudge(infohash: string, signal?: AbortSignal): Promise<void>;
  /**
   * Takes a tag away; with the last of ours the torrent goes too, with its files if asked, unless it was there before us.
   * What is gone already is a success.
   */
  release(infohash: string, tag: string, options: { readonly withFiles: boolean }, signal?: AbortSignal): Promise<void>;
}

export interface TorrentsAbout {
  readonly client: string;
  readonly version: string;
  /** Where it puts things unless told otherwise, as the client sees its disk. */
  readonly folder: string;
  readonly freeBytes: number | null;
  /** It can be reached by peers, as far as it knows. */
  readonly isConnected: boolean | null;
}

export type TorrentSource =
  | { readonly magnet: string; readonly file?: undefined }
  | { readonly file: Uint8Array; readonly magnet?: undefined };

export interface NewTorrent {
  /** Of the source, 40 hex digits in lower case. */
  readonly infohash: string;
  readonly source: TorrentSource;
  /** "sluice-" and letters, digits, - and _. */
  readonly tag: string;
  /** Where to, as the client sees its disk. */
  readonly folder: string;
}

/**
 * `metadata`: it does not know yet what it is to download. `checking`, `moving`: it is busy with its own files. `queued`, `paused`: its
 * user's doing. `failed`, `missing-files`: nothing goes on by itself.
 */
export type TorrentState =
  | "metadata"
  | "checking"
  | "queued"
  | "paused"
  | "downloading"
  | "moving"
  | "complete"
  | "failed"
  | "missing-files"
  | "unknown";

export interface SeenTorrent {
  readonly infohash: string;
  readonly name: string;
  readonly state: TorrentState;
  /** The word the client itself has for its state. */
  readonly clientState: string;
  /** Ours, without those of other people. */
  readonly tags: readonly string[];
  /** It was begun by us, and goes with the last of our tags. */
  readonly isOurs: boolean;
  /** Of what is wanted, what is there and checked; may go backwards after a crash of the client. */
  readonly doneBytes: number;
  /** Null before the metadata is there. */
  readonly wantedBytes: number | null;
  /** All that ever came in; what a stall is judged by. Never falls, but for a crash of the client. */
  readonly receivedBytes: number;
  /** Those it is connected to. */
  readonly seeds: number | null;
  readonly ratio: number;
  readonly seededMs: number;
  /** The file, or the folder of its files, as the client sees its disk; null while that is not certain. */
  readonly path: string | null;
  /** What the paths of its files begin at, as the client sees its disk; null while that is not certain. */
  readonly folder: string | null;
  /** What the client says is wrong. */
  readonly problem: string | null;
}

export interface TorrentFile {
  readonly index: number;
  /** With the torrent's folder, separated by "/". Anything may be in it. */
  readonly path: string;
  readonly bytes: number;
  readonly doneBytes: number;
}
