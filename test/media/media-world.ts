// The media pipelines on services in memory, in virtual time: metadata, two indexers and a download client, each with its own truth.

import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeTorrent } from "../../sandbox/media/make-torrent.ts";
import {
  ask,
  type DeliveryServer,
  type EncodeBoard,
  MEDIA_TABLES,
  type MediaLimits,
  mediaPipelines,
  mediaStore,
  type ServerRow,
  Setbacks,
  setClient,
  setIndexer,
  setServer,
} from "../../src/apps/media/index.ts";
import type { AskedFilm, AskedSeries } from "../../src/apps/media/requests/asked.ts";
import {
  type DestinationCall,
  type FakeIndexer,
  fakeDestination,
  fakeIndexer,
  fakeMetadata,
  fakeTorrents,
  type Offer,
} from "../../src/connectors/index.ts";
import { type Fault, prepareTables, type Tables } from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/index.ts";
import { boardOn } from "../support/boards.ts";

type WorldAsk =
  | (Pick<AskedFilm, "kind" | "tmdb"> & Partial<AskedFilm>)
  | (Pick<AskedSeries, "kind" | "tmdb"> & Partial<AskedSeries>);

export const FOLDER = "/downloads";
const MEGABYTE = 1_000_000;

export interface ReleaseMaking {
  /** The name of the release, without an extension. */
  readonly name: string;
  readonly files?: readonly string[];
  readonly season?: number;
  readonly episode?: number;
  readonly seeders?: number;
  readonly megabytes?: number;
  /** So many bytes behind its beginning. */
  readonly padBytes?: number;
  /** Different content under the same name. */
  readonly content?: string;
  /** What its indexer asks to be given back. */
  readonly minimumRatio?: number;
  readonly minimumSeedMs?: number;
}

/** A release as an indexer has it, and what peers have of it. */
export function makeRelease({ name, files, content = name, ...more }: ReleaseMaking) {
  const padding = Buffer.alloc(more.padBytes ?? 0, `${content}, again and again; `);
  const held = (files ?? [`${name}.mkv`]).map((path) => ({
    path,
    content: Buffer.concat([Buffer.from(`${path} of ${content}`), padding]),
  }));
  const torrent = makeTorrent({ name, files: held, announce: "http://127.0.0.1:9/announce" });
  const offer: Offer = {
    ...{ id: torrent.infohash.slice(0, 12), title: name, torrent: { file: torrent.file } },
    bytes: (more.megabytes ?? 2_000) * MEGABYTE,
    seeders: more.seeders ?? 10,
    ...(more.season === undefined ? {} : { season: more.season }),
    ...(more.episode === undefined ? {} : { episode: more.episode }),
    category: more.season === undefined ? 2_000 : 5_000,
    ...(more.minimumRatio === undefined ? {} : { minimumRatio: more.minimumRatio }),
    ...(more.minimumSeedMs === undefined ? {} : { minimumSeedMs: more.minimumSeedMs }),
  };
  const published = {
    infohash: torrent.infohash,
    name,
    files: held.map((file) => ({
      path: `${name}/${file.path}`,
      bytes: file.content.byteLength,
      content: file.content,
    })),
  };
  return { offer, published, infohash: torrent.infohash };
}
/** A server in memory, and what its media server was told. */
function fakeServer(name: string) {
  const fake = fakeDestination({ service: `server:${name}` });
  const told: string[] = [];
  const trouble: { code: string | null } = { code: null };
  const faults: { readonly call: DestinationCall; readonly fault: Fault }[] = [];
  const checked =
    <Given extends unknown[], T>(call: DestinationCall, act: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      const place = faults.findIndex((one) => one.call === call);
      const [planned] = place < 0 ? [] : faults.splice(place, 1);
      if (planned !== undefined) throw planned.fault;
      return await act(...given);
    };
  const { about, bytesAt, sha256At, send, publish, remove } = fake.client;
  const client: DeliveryServer = {
    destination: {
      about: checked("about", about),
      bytesAt: checked("bytesAt", bytesAt),
      sha256At: checked("sha256At", sha256At),
      send: checked("send", send),
      publish: checked("publish", publish),
      remove: checked("remove", remove),
    },
    async announce(path) {
      if (trouble.code !== null) return { ok: false, code: trouble.code, sentence: "it does not listen" };
      told.push(path);
      return { ok: true, code: null, sentence: null };
    },
  };
  /** The next call of this kind ends so. */
  const fails = (call: DestinationCall, fault: Fault) => void faults.push({ call, fault });
  return { ...fake, told, announcing: trouble, client, fails };
}
export type FakeServer = ReturnType<typeof fakeServer>;

const SERVER: ServerRow = {
  ...{ name: "", kind: "folder", host: null, port: 22, username: null, has_password: false, has_private_key: false },
  ...{ host_key: null, root: "/nowhere", films: "Films", series: "Series", bytes_per_second: null, encoding: null },
  ...{ is_default: false, media_kind: null, media_url: null, has_media_key: false, media_root: null },
};
export type MadeRelease = ReturnType<typeof makeRelease>;

export interface MediaWorldOptions {
  readonly start?: Date;
  readonly limits?: Partial<MediaLimits>;
  /** Where encodes are put; by itself a board that nobody takes from. */
  readonly board?: (db: () => Promise<Tables>) => EncodeBoard;
  /** Where what is downloaded really lies, for what is to be delivered. */
  readonly disk?: string;
}

export async function openMedia(options: MediaWorldOptions = {}) {
  const metadata = fakeMetadata({
    films: [
      { id: 19, title: "Metropolis", date: "1927-01-10", runtimeMinutes: 60, originalLanguage: "en" },
      { id: 20, title: "Nosferatu", date: "1922-03-04", runtimeMinutes: 60, originalLanguage: "en" },
    ],
    series: [
      {
        ...{ id: 7, title: "The Sluice Keepers", date: "2019-03-01", originalLanguage: "en" },
        seasons: [
          {
            season: 1,
            episodes: Array.from({ length: 10 }, (_, index) => ({ episode: index + 1, airDate: "2019-03-01" })),
          },
          { season: 2, episodes: [1, 2].map((episode) => ({ episode, airDate: "2020-03-01" })) },
        ],
      },
    ],
  });
  const first = fakeIndexer({ title: "first", service: "indexer:first" });
  const second = fakeIndexer({ title: "second", service: "indexer:second" });
  const torrents = fakeTorrents({ folder: FOLDER, service: "torrents:main" });
  const bad = new Set<string>();
  const client = {
    setbacks: new Setbacks(),
    place: async () => ({
      folder: FOLDER,
      paths: options.disk === undefined ? [] : [{ theirs: FOLDER, ours: options.disk }],
    }),
    torrents: {
      ...torrents.client,
      look: async (signal?: AbortSignal) => {
        torrents.world.tick();
        return await torrents.client.look(signal);
      },
    },
  };
  const names = new Map<string, number>();
  let t: TestSluice | undefined;
  const tables = async () => {
    if (t === undefined) throw new Error("not open yet");
    return t.db;
  };
  const [store, board] = [mediaStore(tables), options.board?.(tables) ?? boardOn(tables)];
  const servers = new Map<string, FakeServer>();
  const serverOf = (name: string) => {
    const made = servers.get(name) ?? fakeServer(name);
    servers.set(name, made);
    return made;
  };
  const { media, series, leftovers } = mediaPipelines(
    {
      store,
      board,
      fileBytes: async (path) =>
        names.get(path.split("/").slice(-2).join("/")) ?? statSync(path, { throwIfNoEntry: false })?.size ?? null,
      probe: {
        facts: async (path) => ({
          ...{ format: "matroska,webm", durationMs: 60_000 },
          streams: [{ kind: "video", codec: "h264", width: 320, height: 180, language: null, isPicture: false }],
          lastPacketMs: [...bad].some((name) => path.includes(name)) ? 30_000 : 59_960,
        }),
      },
    },
    // Looked for every minute, a week of virtual time would take minutes of ours.
    { leftoversEvery: "24h", ...options.limits },
  );
  const indexers: Record<string, FakeIndexer> = { first, second };
  t = await testSluice({
    pipelines: [media, series, leftovers.pipeline],
    finders: [leftovers.finder],
    services: {
      encoders: board,
      server: (name: string) => serverOf(name).client,
      metadata: metadata.metadata,
      indexer: (name: string) => indexers[name]?.indexer,
      torrents: () => client,
    },
    ...(options.start === undefined ? {} : { start: options.start }),
  });
  await prepareTables(t.db, "media", MEDIA_TABLES);
  for (const [place, name] of ["first", "second"].entries())
    await setIndexer(t.db, {
      ...{ name, url: `http://${name}`, has_key: false, categories: [], links: "public", priority: 10 + place },
      is_on: true,
    });
  await setClient(t.db, {
    ...{ name: "main", kind: "qbittorrent", url: "http://main", username: null, has_password: false },
    ...{ folder: FOLDER, paths: [], priority: 25, is_on: true },
  });
  const ports = { sluice: t.sluice, media, series, store, services: { metadata: metadata.metadata } };
  return {
    ...{ t, media, series, server: serverOf, names, metadata, first, second, torrents, bad, ports },
    setServer: (name: string, changed: Partial<ServerRow> = {}) => setServer(t.db, { ...SERVER, name, ...changed }),
    /** As the server asks. */
    ask: (asked: WorldAsk, owner = "mia", dryRun = false) =>
      ask(ports, { targets: [], policy: "best-effort", ...asked }, { owner, dryRun }),
    /** An indexer has it, and somebody seeds it. */
    offer(indexer: FakeIndexer, made: MadeRelease, seeds = 1): void {
      indexer.world.add(made.offer);
      torrents.world.publish(made.published, seeds);
      for (const { path, bytes, content } of made.published.files) {
        names.set(path, bytes);
        if (options.disk === undefined) continue;
        const file = `${options.disk}/${made.infohash}/${path}`;
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, content);
      }
    },
  };
}
export type MediaWorld = Awaited<ReturnType<typeof openMedia>>;
