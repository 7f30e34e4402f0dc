// The services of media as little servers on the loopback: two indexers, a metadata service and a qBittorrent.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { QbittorrentServer } from "../../sandbox/media/qbittorrent-server.ts";
import { TmdbServer } from "../../sandbox/media/tmdb-server.ts";
import { TorznabServer } from "../../sandbox/media/torznab-server.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";

export const INDEXER_KEY = "Kanarie7indexer4xQ9";
export const TMDB_KEY = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";

export class MediaServices {
  readonly folder = temporaryFolder("sluice-media");
  readonly indexer = new TorznabServer({ title: "Proof", apiKey: INDEXER_KEY });
  readonly other = new TorznabServer({ title: "Other", apiKey: "another" });
  readonly metadata = new TmdbServer({ key: TMDB_KEY, films: [{ id: 19, title: "Metropolis", date: "1927-01-10" }] });
  readonly client = new QbittorrentServer("4.6", { folder: "/downloads" });

  async start(): Promise<void> {
    mkdirSync(join(this.folder, "films"));
    this.client.doors.password = "Kanarie7client4xQ9";
    await Promise.all([this.indexer.up(), this.other.up(), this.metadata.up(), this.client.start()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.indexer.down(), this.other.down(), this.metadata.down(), this.client.stop()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
