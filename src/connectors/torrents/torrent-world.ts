// A download client, its disk and its peers, in memory, with its own ground truth. Behind the fake it is called directly, behind the
// demo's server over HTTP. Time in it passes by `tick()` alone.

import { type Random, seededRandom } from "../../kit/index.ts";
import { isTagOfOurs, OWN_TAG } from "./tags.ts";
import {
  bytesOf,
  goBack,
  type Published,
  type Swarm,
  stepTorrent,
  type TorrentLie,
  type WorldTorrent,
} from "./torrent-step.ts";
import type { SeenTorrent, TorrentFile } from "./torrents.ts";

export interface TorrentWorldOptions {
  readonly seed?: number;
  /** From the first byte to the last. */
  readonly ticks?: number;
  /** Where things go that are not told otherwise. */
  readonly folder?: string;
  /** Its last byte came: the place to write files where somebody is to read them. */
  readonly onComplete?: (torrent: Published & { readonly folder: string; readonly isWrong: boolean }) => void;
}

export interface TorrentsTruth {
  /** Calls to add, by infohash. */
  readonly adds: ReadonlyMap<string, number>;
  /** Torrents begun, by infohash. */
  readonly begun: ReadonlyMap<string, number>;
  /** In the client, whosever they are. */
  readonly alive: readonly string[];
  /** Begun by us, and nobody's any more. */
  readonly orphans: readonly string[];
  /** Whose files are on the disk, whole. */
  readonly onDisk: ReadonlySet<string>;
  /** Removed, though somebody else had begun them. */
  readonly stolen: readonly string[];
}

export class TorrentWorld {
  readonly folder: string;
  readonly #options: TorrentWorldOptions;
  readonly #random: Random;
  readonly #wholeTicks: number;
  readonly #published = new Map<string, Swarm>();
  readonly #torrents = new Map<string, WorldTorrent>();
  readonly #lies = new Map<string, TorrentLie>();
  readonly #adds = new Map<string, number>();
  readonly #begun = new Map<string, number>();
  readonly #onDisk = new Set<string>();
  readonly #stolen: string[] = [];

  constructor(options: TorrentWorldOptions = {}) {
    this.#options = options;
    this.#random = seededRandom(options.seed ?? 1);
    this.#wholeTicks = options.ticks ?? 4;
    this.folder = options.folder ?? "/downloads";
  }

  /** There are peers who have it, so many. */
  publish(what: Published, seeds = 1): void {
    this.#published.set(what.infohash, { what, seeds });
  }

  /** What this torrent will do, or does from now on. */
  lie(infohash: string, lie: TorrentLie): void {
    this.#lies.set(infohash, lie);
  }

  /** False where it is there already; then nothing of it changes. Without `metadata` where it came as a link. */
  add(infohash: string, folder: string, tags: readonly string[], metadata?: Published): boolean {
    count(this.#adds, infohash);
    if (metadata !== undefined && !this.#published.has(infohash)) this.publish(metadata, 0);
    if (this.#torrents.has(infohash)) return false;
    count(this.#begun, infohash);
    this.#torrents.set(infohash, {
      infohash,
      folder,
      tags: new Set(tags),
      state: metadata === undefined ? "metadata" : "downloading",
      ticks: 0,
      doneBytes: 0,
      receivedBytes: 0,
      seededTicks: 0,
    });
    return true;
  }

  all(): readonly WorldTorrent[] {
    return [...this.#torrents.values()];
  }

  get(infohash: string): WorldTorrent | undefined {
    return this.#torrents.get(infohash);
  }

  remove(infohash: string, withFiles: boolean): void {
    const torrent = this.#torrents.get(infohash);
    if (torrent !== undefined && !torrent.tags.has(OWN_TAG)) this.#stolen.push(infohash);
    this.vanish(infohash);
    if (withFiles) this.#onDisk.delete(infohash);
  }

  /** A person at the client removes it. */
  vanish(infohash: string): void {
    this.#torrents.delete(infohash);
  }

  pause(infohash: string): void {
    const torrent = this.#torrents.get(infohash);
    if (torrent !== undefined && torrent.state !== "complete") torrent.state = "paused";
  }

  /** Goes on with what stands still. */
  resume(infohash: string): void {
    const torrent = this.#torrents.get(infohash);
    if (torrent?.state === "paused" || torrent?.state === "failed")
      torrent.state = this.files(infohash).length > 0 ? "downloading" : "metadata";
  }

  /** The client is killed, and comes back with what it had noted last: nothing, of what is not complete. */
  crash(): void {
    for (const torrent of this.#torrents.values()) if (torrent.state === "downloading") goBack(torrent);
  }

  tick(times = 1): void {
    for (let i = 0; i < times; i += 1) for (const torrent of this.all()) this.#step(torrent);
  }

  #step(torrent: WorldTorrent): void {
    const { infohash } = torrent;
    const swarm = this.#published.get(infohash);
    const lie = this.#lies.get(infohash);
    const facts = { lie, swarm, wholeTicks: this.#wholeTicks, share: 0.5 + this.#random.fraction() / 2 };
    switch (stepTorrent(torrent, facts)) {
      case "came":
        this.#onDisk.add(infohash);
        if (swarm !== undefined)
          this.#options.onComplete?.({ ...swarm.what, folder: torrent.folder, isWrong: lie === "wrong-content" });
        return;
      case "lost":
        this.#onDisk.delete(infohash);
        return;
      case "vanished":
        this.vanish(infohash);
        return;
      case "went-back":
        this.#lies.delete(infohash);
        return;
      case "nothing":
        return;
    }
  }

  /** Empty as long as the client does not know them. */
  files(infohash: string): readonly TorrentFile[] {
    const torrent = this.#torrents.get(infohash);
    const what = this.#published.get(infohash)?.what;
    if (torrent === undefined || torrent.state === "metadata" || what === undefined) return [];
    const share = torrent.doneBytes / Math.max(1, bytesOf(what));
    return what.files.map((file, index) => ({ ...file, index, doneBytes: Math.floor(file.bytes * share) }));
  }

  seen(torrent: WorldTorrent): SeenTorrent {
    const swarm = this.#published.get(torrent.infohash);
    const wantedBytes = torrent.state === "metadata" || swarm === undefined ? null : bytesOf(swarm.what);
    const isCertain = wantedBytes !== null && torrent.state !== "moving";
    const name = wantedBytes === null ? torrent.infohash : (swarm?.what.name ?? torrent.infohash);
    return {
      infohash: torrent.infohash,
      name,
      state: torrent.state,
      clientState: torrent.state,
      tags: [...torrent.tags].filter(isTagOfOurs),
      isOurs: torrent.tags.has(OWN_TAG),
      doneBytes: torrent.doneBytes,
      wantedBytes,
      receivedBytes: torrent.receivedBytes,
      seeds: swarm?.seeds ?? 0,
      ratio: torrent.seededTicks / 10,
      seededMs: torrent.seededTicks * 1_000,
      path: isCertain ? `${torrent.folder}/${name}` : null,
      folder: isCertain ? torrent.folder : null,
      problem: torrent.state === "failed" || torrent.state === "missing-files" ? "it broke" : null,
    };
  }

  truth(): TorrentsTruth {
    const isOrphan = ({ tags }: WorldTorrent) => tags.has(OWN_TAG) && ![...tags].some(isTagOfOurs);
    return {
      adds: this.#adds,
      begun: this.#begun,
      alive: [...this.#torrents.keys()],
      orphans: this.all()
        .filter(isOrphan)
        .map(({ infohash }) => infohash),
      onDisk: this.#onDisk,
      stolen: this.#stolen,
    };
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
