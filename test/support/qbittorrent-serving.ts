// Little qBittorrents of every dialect, and clients of them.

import { makeTorrent } from "../../sandbox/media/make-torrent.ts";
import { QbittorrentServer } from "../../sandbox/media/qbittorrent-server.ts";
import type { Dialect } from "../../sandbox/media/qbittorrent-words.ts";
import { type QbittorrentOptions, qbittorrent } from "../../src/connectors/index.ts";

export const DIALECTS: readonly Dialect[] = ["4.6", "5.1", "5.2"];
const servers: QbittorrentServer[] = [];

/** For `afterEach`. */
export async function stopServing(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop();
}

export async function serving(dialect: Dialect = "4.6"): Promise<QbittorrentServer> {
  const server = new QbittorrentServer(dialect);
  servers.push(server);
  await server.start();
  return server;
}

export function clientOf(server: QbittorrentServer, options: Partial<QbittorrentOptions> = {}) {
  const { username, password } = server.doors;
  return qbittorrent({ service: "downloads:one", baseUrl: server.url, username, password, ...options });
}

export function film(name: string, bytes = 50_000) {
  const content = Buffer.alloc(bytes, name);
  const made = makeTorrent({ name, files: [{ content }], announce: "http://127.0.0.1:1/announce" });
  return { ...made, torrent: { infohash: made.infohash, source: { file: made.file }, tag: "sluice-a", folder: "/d" } };
}
