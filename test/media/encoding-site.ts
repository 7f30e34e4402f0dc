// Films that are found and downloaded at once, so that they can be encoded for real: what is searched and downloaded is in memory, the
// files, the database, ffmpeg and the encoders are not. Any number of processes may open the same one.

import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type MediaLimits, mediaApp, Setbacks } from "../../src/apps/media/index.ts";
import { fakeIndexer, fakeMetadata, fakeTorrents } from "../../src/connectors/index.ts";
import { openSluice, type Tables } from "../../src/engine/index.ts";
import { silentLogger } from "../../src/kit/index.ts";
import { makeRelease } from "./media-world.ts";

export interface SitePlaces {
  readonly database: string;
  /** Where downloads are, and where films are encoded to. */
  readonly downloads: string;
  readonly encodes: string;
  readonly limits?: Partial<MediaLimits>;
}

export const FILMS = 30;
const releases = Array.from({ length: FILMS }, (_, at) =>
  makeRelease({ name: `Film${at}.2001.1080p.BluRay.x264-GOOD` }),
);

/** Where the file of a film is once it is downloaded. */
export function fileOf({ downloads }: Pick<SitePlaces, "downloads">, film: number): string {
  const release = releases[film] ?? releases[0];
  if (release === undefined) throw new Error("there are films");
  return join(downloads, release.infohash, release.published.files[0]?.path ?? "");
}

export function layDown(places: SitePlaces, film: number, from: string): void {
  const file = fileOf(places, film);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(from, file);
}

const QUICK: Partial<MediaLimits> = {
  ...{ every: "100ms", encodeEvery: "200ms", encodeStopped: "1m", encoderLost: "6s", encoderSays: "300ms" },
  ...{
    attempts: 5,
    backoff: { base: "200ms", cap: "1s", jitter: "0%" },
    indexerRate: "1000/s",
    metadataRate: "1000/s",
  },
};

export async function openSite(places: SitePlaces, { isIdle = false }: { readonly isIdle?: boolean } = {}) {
  const metadata = fakeMetadata({
    films: releases.map((_, at) => ({
      ...{ id: at + 1, title: `Film${at}`, date: "2001-01-01", runtimeMinutes: 60, originalLanguage: "en" },
    })),
    series: [],
  });
  const indexer = fakeIndexer({ title: "one", service: "indexer:one" });
  const torrents = fakeTorrents({ folder: places.downloads, service: "torrents:main" });
  for (const [film, { offer, published }] of releases.entries()) {
    indexer.world.add(offer);
    const file = published.files[0]?.path ?? "";
    const bytes = statSync(fileOf(places, film), { throwIfNoEntry: false })?.size ?? 1;
    torrents.world.publish({ ...published, files: [{ path: file, bytes }] }, 1);
  }
  const look = async (signal?: AbortSignal) => {
    torrents.world.tick();
    return await torrents.client.look(signal);
  };
  const client = {
    setbacks: new Setbacks(),
    place: async () => ({ folder: places.downloads, paths: [] }),
    torrents: { ...torrents.client, look },
  };
  const opened = Promise.withResolvers<Tables>();
  const noSecrets = () => Promise.reject(new Error("there are no secrets here"));
  const app = mediaApp({
    ...{ tables: () => opened.promise, encodes: places.encodes, limits: { ...QUICK, ...places.limits } },
    secrets: { get: noSecrets, put: noSecrets, forget: noSecrets },
  });
  const sluice = await openSluice({
    ...{ pipelines: app.pipelines, database: places.database, log: silentLogger },
    ...(isIdle ? { worker: false as const } : {}),
    services: {
      encoders: app.services.encoders,
      metadata: metadata.metadata,
      indexer: () => indexer.indexer,
      torrents: () => client,
    },
  });
  opened.resolve(sluice.tables);
  return { app, sluice };
}
export type Site = Awaited<ReturnType<typeof openSite>>;
