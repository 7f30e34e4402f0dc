// The BitTorrent client: all torrents of one folder, in one process, on one clock.

import { statfs } from "node:fs/promises";
import path from "node:path";
import { type Clock, type Logger, type Loop, loop, type Random, safeText } from "../../../kit/index.ts";
import type { SeenTorrent, TorrentFile, TorrentsAbout } from "../torrents.ts";
import { type Addition, folderWithin, readSource } from "./additions.ts";
import { Budget } from "./budget.ts";
import { Checks } from "./checks.ts";
import { Connections } from "./connections.ts";
import type { ClientOptions } from "./options.ts";
import { TorrentRefused } from "./paths.ts";
import { StateFolder, type StoredTorrent } from "./state.ts";
import { isDiskFull } from "./storage.ts";
import { Torrent } from "./torrent.ts";
import type { TorrentDeps } from "./torrent-options.ts";
import { trackers } from "./trackers.ts";

export interface ClientPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly version: string;
  /** Twenty bytes that tell it from all others. */
  readonly peerId: Buffer;
}

const TICK_MS = 100;
const SAVE_MS = 2_000;
export const STATE_FOLDER = ".sluice-torrents";

export class BitTorrentClient {
  readonly #options: ClientOptions;
  readonly #ports: ClientPorts;
  readonly #torrents = new Map<string, Torrent>();
  readonly #state: StateFolder;
  readonly #connections: Connections;
  readonly #deps: TorrentDeps;
  readonly #loops: readonly Loop[];
  #number = 0;
  #change: Promise<unknown> = Promise.resolve();
  readonly #checks = new Checks(() => this.#torrents.values());

  constructor(options: ClientOptions, ports: ClientPorts) {
    this.#options = options;
    this.#ports = ports;
    const { clock, random, log, peerId } = ports;
    const now = () => clock.monotonic();
    this.#state = new StateFolder(path.join(options.folder, STATE_FOLDER));
    this.#connections = new Connections(options, now, (infohash) => this.#torrents.get(infohash)?.swarm);
    this.#deps = {
      state: this.#state,
      announce: trackers({ egress: options.reach, clock, random }),
      now,
      random,
      isPublic: options.isPublic,
      limits: { files: options.mostFiles, metadataBytes: options.mostMetadataBytes },
      isTaken: (place, infohash) => this.#isTaken(place, infohash),
      goals: { ratio: options.seedRatio, ms: options.seedMs },
      swarm: {
        peerId,
        port: () => this.#connections.port,
        now,
        random,
        dial: (address, connected) => this.#connections.dial(address, connected),
        download: new Budget(options.downloadLimit),
        upload: new Budget(options.uploadLimit),
        mostPeers: options.connectionsPerTorrent,
        mostMetadataBytes: options.mostMetadataBytes,
      },
    };
    const failed = (error: unknown) => log.error("torrents.step-failed", { error: safeText(error, 1_000) });
    this.#loops = [loop(clock, TICK_MS, () => this.#tick(), failed), loop(clock, SAVE_MS, () => this.#save(), failed)];
  }

  get peerPort(): number {
    return this.#connections.port;
  }

  async start(): Promise<void> {
    await this.#state.prepare();
    const { log } = this.#ports;
    const loaded = await this.#state.load((file, error) =>
      log.error("torrents.unreadable", { file, error: safeText(error, 500) }),
    );
    for (const one of loaded) {
      this.#number = Math.max(this.#number, one.record.number);
      const torrent = new Torrent(this.#deps, one);
      if (one.record.leaving === null) this.#torrents.set(one.record.infohash, torrent);
      else await this.#remove(torrent, one.record.leaving.withFiles);
    }
    await this.#connections.listen();
    for (const each of this.#loops) await each.start();
  }

  async stop(): Promise<void> {
    for (const each of this.#loops) await each.stop();
    await this.#checks.stop();
    await this.#save();
    const all = [...this.#torrents.values()];
    await Promise.all(all.flatMap((torrent) => [torrent.leave(), torrent.sayGoodbye()]));
    await this.#connections.close();
  }

  #tick(): void {
    let turns = this.#options.atATime;
    for (const torrent of this.#torrents.values()) {
      if (torrent.isUnfinished) {
        torrent.setTurn(turns > 0);
        turns -= 1;
      }
      torrent.tick();
    }
    this.#connections.tick();
    this.#checks.tick();
  }

  async #save(): Promise<void> {
    for (const torrent of this.#torrents.values()) await torrent.save();
  }

  async about(): Promise<TorrentsAbout> {
    const { folder } = this.#options;
    const { bavail, bsize } = await statfs(folder);
    const { version } = this.#ports;
    const isConnected = this.#connections.wasReached ? true : null;
    return { client: "Sluice", version, folder, freeBytes: bavail * bsize, isConnected };
  }

  /** Changes come one after the other, and are on the disk before they are answered. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#change.then(change);
    this.#change = done.catch(() => undefined);
    return done;
  }

  add(addition: Addition): Promise<{ readonly wasThere: boolean }> {
    return this.#inTurn(async () => {
      const { infohash, tag } = addition;
      const known = this.#torrents.get(infohash);
      if (known === undefined) return await this.#begin(addition);
      if (tag !== null && !known.record.tags.includes(tag)) {
        await this.#write(known, { tags: [...known.record.tags, tag] });
      }
      return { wasThere: true };
    });
  }

  async #begin({ infohash, source, tag, folder }: Addition): Promise<{ readonly wasThere: boolean }> {
    const what = readSource(source, this.#deps.limits);
    if (what.infohash !== infohash)
      throw new TorrentRefused(`the torrent is ${what.infohash} and not ${infohash}`, "WRONG_TORRENT");
    const { name, trackers, info } = what;
    const place = await folderWithin(this.#options.folder, folder);
    const target = path.join(place, name ?? "");
    if (info !== undefined && this.#isTaken(target, infohash))
      throw new TorrentRefused(`another torrent is at ${target}; a folder of its own helps`, "PLACE_TAKEN");
    const tags = tag === null ? [] : [tag];
    const number = this.#number + 1;
    const record = { infohash, name, trackers: [...trackers], tags, isOurs: tag !== null, number };
    const stored: StoredTorrent = { ...record, folder: place, isPaused: false, leaving: null };
    // The record last: without it the rest means nothing.
    if (info !== undefined) await this.#state.writeInfo(infohash, info);
    await this.#state.writeRecord(stored);
    this.#number = number;
    this.#torrents.set(infohash, new Torrent(this.#deps, { record: stored, info, progress: undefined }));
    this.#ports.log.info("torrents.added", { infohash, tag });
    return { wasThere: false };
  }

  /** Those with a tag, or all there are. */
  look(isAll = false): readonly SeenTorrent[] {
    const all = [...this.#torrents.values()];
    return all.filter(({ record }) => isAll || record.tags.length > 0).map((torrent) => torrent.seen());
  }

  files(infohash: string): readonly TorrentFile[] | undefined {
    return this.#torrents.get(infohash)?.files();
  }

  /** Also ends a pause. */
  nudge(infohash: string): Promise<void> {
    return this.#inTurn(async () => {
      const torrent = this.#torrents.get(infohash);
      if (torrent?.record.isPaused) await this.#write(torrent, { isPaused: false });
      torrent?.nudge();
    });
  }

  pause(infohash: string): Promise<void> {
    return this.#inTurn(async () => {
      const torrent = this.#torrents.get(infohash);
      if (torrent !== undefined) await this.#write(torrent, { isPaused: true });
    });
  }

  async #write(torrent: Torrent, change: Partial<StoredTorrent>): Promise<void> {
    const record = { ...torrent.record, ...change };
    await this.#state.writeRecord(record);
    torrent.record = record;
  }

  release(infohash: string, tag: string, withFiles: boolean): Promise<void> {
    return this.#inTurn(async () => {
      const torrent = this.#torrents.get(infohash);
      if (torrent === undefined) return;
      const { record } = torrent;
      const tags = record.tags.filter((one) => one !== tag);
      if (tags.length === record.tags.length) return;
      if (tags.length === 0 && record.isOurs) await this.#remove(torrent, withFiles);
      else await this.#write(torrent, { tags });
    });
  }

  /** Whoever it belongs to. */
  remove(infohash: string, withFiles: boolean): Promise<void> {
    return this.#inTurn(async () => {
      const torrent = this.#torrents.get(infohash);
      if (torrent !== undefined) await this.#remove(torrent, withFiles);
    });
  }

  #isTaken(place: string, infohash: string): boolean {
    const same = (other: string | null) => other?.toLowerCase() === place.toLowerCase();
    return [...this.#torrents.values()].some(({ path, record }) => record.infohash !== infohash && same(path));
  }

  async #remove(torrent: Torrent, withFiles: boolean): Promise<void> {
    const { infohash } = torrent.record;
    // On a full disk it cannot be noted, and must go all the same: nothing else would make room.
    await this.#write(torrent, { leaving: { withFiles } }).catch((error: unknown) => {
      if (!isDiskFull(error)) throw error;
    });
    this.#torrents.delete(infohash);
    void torrent.sayGoodbye();
    await torrent.leave();
    if (withFiles) await torrent.removeFiles();
    await this.#state.remove(infohash);
    this.#ports.log.info("torrents.removed", { infohash, withFiles });
  }
}
