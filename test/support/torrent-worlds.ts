// The world around a client in memory, as the contract wants it.

import { randomBytes } from "node:crypto";
import { makeTorrent } from "../../sandbox/media/make-torrent.ts";
import {
  readTorrent,
  type Torrents,
  type TorrentsContractWorld,
  type TorrentWorld,
} from "../../src/connectors/index.ts";

const ENOUGH_TICKS = 50;

export function contractWorld(
  client: Torrents,
  world: TorrentWorld,
  down: (isDown: boolean) => void | Promise<void>,
): TorrentsContractWorld {
  return {
    client,
    folder: world.folder,
    async make(name, { isSeeded }) {
      const files = [
        { path: "part one.bin", content: randomBytes(40_000) },
        { path: "more/part two.bin", content: randomBytes(20_000) },
      ];
      const made = makeTorrent({ name, files, announce: "http://127.0.0.1:1/announce" });
      const content = readTorrent(made.file);
      world.publish(content, isSeeded ? 1 : 0);
      return { ...made, name, bytes: content.bytes };
    },
    async until(isSo) {
      for (let ticks = 0; ticks < ENOUGH_TICKS; ticks += 1) {
        const seen = await client.look();
        if (isSo(seen)) return seen;
        world.tick();
      }
      throw new Error("it never came to that");
    },
    person: {
      add: async ({ infohash, file }, folder) => void world.add(infohash, folder, ["theirs"], readTorrent(file)),
      remove: async (infohash) => world.vanish(infohash),
      pause: async (infohash) => world.pause(infohash),
    },
    has: async (infohash) => world.get(infohash) !== undefined,
    isOnDisk: ({ infohash }) => world.truth().onDisk.has(infohash),
    down: async (isDown) => down(isDown),
  };
}
