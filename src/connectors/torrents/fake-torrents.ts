// The fake client: the same functions on a world in memory, with troubles on demand.

import { permanent, transient } from "../../engine/index.ts";
import type { Clock } from "../../kit/index.ts";
import { type Trouble, Troubles } from "../kit/index.ts";
import { infohashOf, readTorrent } from "./infohash.ts";
import { checkNewTorrent, checkTag, isTagOfOurs, OWN_TAG } from "./tags.ts";
import { TorrentWorld, type TorrentWorldOptions } from "./torrent-world.ts";
import type { NewTorrent, Torrents } from "./torrents.ts";

export type TorrentsCall = keyof Torrents;

export interface FakeTorrentsOptions extends TorrentWorldOptions {
  readonly service?: string;
  readonly clock?: Clock;
}

export interface FakeTorrents {
  readonly client: Torrents;
  /** The other side, and what it knows. */
  readonly world: TorrentWorld;
  /** The next calls of this kind, one trouble each. */
  trouble(call: TorrentsCall, ...troubles: readonly Trouble[]): void;
  /** Nobody there until it is up again. */
  down(isDown?: boolean): void;
  /** Calls that were made, by kind. */
  readonly calls: Readonly<Record<TorrentsCall, number>>;
}

export function fakeTorrents(options: FakeTorrentsOptions = {}): FakeTorrents {
  const { service = "fake-torrents", clock } = options;
  const world = new TorrentWorld(options);
  const calls: Record<TorrentsCall, number> = { about: 0, add: 0, look: 0, files: 0, nudge: 0, release: 0 };
  const troubles = new Troubles<TorrentsCall>(service, calls, clock);
  return {
    client: {
      about: (signal) => troubles.answer("about", signal, () => ({ ...ABOUT, folder: world.folder })),
      add: async (torrent, signal) => {
        checkNewTorrent(torrent);
        checkSource(torrent, service);
        return troubles.answer("add", signal, () => add(world, torrent));
      },
      look: (signal) => troubles.answer("look", signal, () => look(world)),
      files: (infohash, signal) =>
        troubles.answer("files", signal, () => {
          if (world.get(infohash) !== undefined) return world.files(infohash);
          throw transient("TORRENT_GONE", `${service} has no torrent ${infohash}`, { service, breaker: "success" });
        }),
      nudge: (infohash, signal) => troubles.answer("nudge", signal, () => world.resume(infohash)),
      release: async (infohash, tag, { withFiles }, signal) => {
        checkTag(tag);
        return troubles.answer("release", signal, () => release(world, infohash, tag, withFiles));
      },
    },
    world,
    calls,
    trouble: (call, ...planned) => troubles.plan(call, ...planned),
    down: (isDown = true) => {
      troubles.isDown = isDown;
    },
  };
}

const ABOUT = { client: "fake", version: "1", freeBytes: 1_000_000_000_000, isConnected: true };

function checkSource({ infohash, source }: NewTorrent, service: string): void {
  const found = infohashOf(source);
  if (found !== infohash)
    throw permanent("WRONG_TORRENT", `the torrent is ${found} and not ${infohash}`, { service, breaker: "none" });
}

function add(world: TorrentWorld, { infohash, source, tag, folder }: NewTorrent): { readonly wasThere: boolean } {
  const metadata = source.magnet === undefined ? readTorrent(source.file) : undefined;
  const isNew = world.add(infohash, folder, [OWN_TAG, tag], metadata);
  world.get(infohash)?.tags.add(tag);
  return { wasThere: !isNew };
}

function look(world: TorrentWorld) {
  const ours = world.all().filter(({ tags }) => [...tags].some(isTagOfOurs));
  return new Map(ours.map((torrent) => [torrent.infohash, world.seen(torrent)]));
}

function release(world: TorrentWorld, infohash: string, tag: string, withFiles: boolean): void {
  const torrent = world.get(infohash);
  if (torrent === undefined) return;
  torrent.tags.delete(tag);
  if (torrent.tags.has(OWN_TAG) && ![...torrent.tags].some(isTagOfOurs)) world.remove(infohash, withFiles);
}
