// Films and series for a server's tests: a metadata service and an indexer in memory.

import { makeTorrent } from "../../sandbox/media/make-torrent.ts";
import { Setbacks } from "../../src/apps/media/index.ts";
import {
  type FakeIndexer,
  type FakeMetadata,
  fakeIndexer,
  fakeMetadata,
  fakeTorrents,
} from "../../src/connectors/index.ts";

export const POSTER = Buffer.from("ffd8ffe000104a464946", "hex");

export interface PretendMedia {
  readonly metadata: FakeMetadata;
  readonly indexer: FakeIndexer;
}

/** Everything there is of it is refused by the standard profile: films wait until somebody chooses. */
export function pretendMedia(): PretendMedia {
  const metadata = fakeMetadata({
    films: ["Metropolis", "Nosferatu", "Faust", "Sunrise", "Tabu", "Nathan", "Phantom"].map((title, index) => ({
      ...{ id: 19 + index, title, date: "1927-01-10", runtimeMinutes: 60, originalLanguage: "en" },
      ...{ overview: `About ${title}.`, posterPath: "/poster.jpg" },
    })),
    series: [
      {
        ...{ id: 7, title: "The Sluice Keepers", date: "2019-03-01", originalLanguage: "en" },
        seasons: [1, 2].map((season) => ({
          ...{ season, airDate: "2019-03-01" },
          episodes: [1, 2, 3].map((episode) => ({ episode, name: `Part ${episode}`, airDate: "2019-03-01" })),
        })),
      },
    ],
    images: new Map([["/poster.jpg", POSTER]]),
  });
  const indexer = fakeIndexer({ title: "pretended", service: "indexer:pretended" });
  for (const title of ["Metropolis", "Nosferatu", "Faust", "Sunrise", "Tabu"]) {
    const name = `${title}.1927.CAM.x264-BAD`;
    const files = [{ path: `${name}.mkv`, content: Buffer.from(name) }];
    const { file } = makeTorrent({ name, files, announce: "http://127.0.0.1:9/announce" });
    indexer.world.add({
      id: name,
      title: name,
      torrent: { file },
      bytes: 2_000_000_000,
      seeders: 3,
      category: 2_000,
    });
  }
  return { metadata, indexer };
}

/** A download client that nobody ever sends anything. */
export function idleClient() {
  const { client } = fakeTorrents({ folder: "/downloads", service: "torrents:idle" });
  return { torrents: client, setbacks: new Setbacks(), place: async () => ({ folder: "/downloads", paths: [] }) };
}
