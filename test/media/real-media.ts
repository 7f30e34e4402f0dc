// The media pipelines with clients of real services, by their addresses alone: so that another process can have the same.

import { lstat } from "node:fs/promises";
import {
  type DownloadClient,
  type MediaLimits,
  mediaPipelines,
  mediaStore,
  Setbacks,
} from "../../src/apps/media/index.ts";
import { embeddedTorrents, qbittorrent, type Torrents, tmdb, torznab, videoProbe } from "../../src/connectors/index.ts";
import { openSluice, openTables, type Sluice } from "../../src/engine/index.ts";
import { boardOn } from "../support/boards.ts";

export interface RealPlaces {
  readonly database: string;
  readonly metadata: { readonly url: string; readonly key: string };
  readonly indexers: Readonly<Record<string, { readonly url: string; readonly apiKey: string }>>;
  readonly client: QbittorrentPlace | EmbeddedPlace;
  /** Where downloads go. */
  readonly folder: string;
}
interface QbittorrentPlace {
  readonly kind: "qbittorrent";
  readonly url: string;
  readonly username: string;
  readonly password: string;
}
interface EmbeddedPlace {
  readonly kind: "embedded";
  readonly url: string;
  readonly token: string;
}

/** Those that somebody can wait for. */
const QUICK_LIMITS: Partial<MediaLimits> = {
  ...{ every: "500ms", stallNever: "6s", stallStopped: "6s", indexerRate: "100/s" },
  backoff: { base: "1s", cap: "2s", jitter: "0%" },
  breaker: { failures: 1, items: 1, cooldown: "2s" },
};

const SERVICE = "torrents:main";

export function torrentsAt({ client }: Pick<RealPlaces, "client">): Torrents {
  if (client.kind === "embedded")
    return embeddedTorrents({ service: SERVICE, baseUrl: client.url, token: client.token });
  const { url, username, password } = client;
  return qbittorrent({ service: SERVICE, baseUrl: url, username, password });
}

export interface RealMedia {
  close(): Promise<void>;
  readonly sluice: Sluice;
  readonly media: ReturnType<typeof mediaPipelines>["media"];
  readonly series: ReturnType<typeof mediaPipelines>["series"];
}

export interface OpenOptions {
  readonly limits?: Partial<MediaLimits>;
  readonly torrents?: Torrents;
  /** Only hands in and looks on. */
  readonly isIdle?: boolean;
}

export async function openRealMedia(
  places: RealPlaces,
  { limits = {}, torrents = torrentsAt(places), isIdle = false }: OpenOptions = {},
): Promise<RealMedia> {
  // Its own: a visit may be made in a child process, which has no engine.
  let opened: ReturnType<typeof openTables> | undefined;
  const tables = async () => {
    opened ??= openTables({ database: places.database });
    return (await opened).tables;
  };
  const [store, board] = [mediaStore(tables), boardOn(tables)];
  const given = { store, probe: videoProbe(), fileBytes, board };
  const { media, series } = mediaPipelines(given, { ...QUICK_LIMITS, ...limits });
  const client: DownloadClient = {
    torrents,
    place: async () => ({ folder: places.folder, paths: [] }),
    setbacks: new Setbacks(),
  };
  const sluice = await openSluice({
    pipelines: [media, series],
    database: places.database,
    ...(isIdle ? { worker: false as const } : {}),
    services: {
      encoders: board,
      metadata: tmdb({ key: places.metadata.key, baseUrl: places.metadata.url }),
      indexer: (name: string) => {
        const { url = "", apiKey = "" } = places.indexers[name] ?? {};
        const where = { service: `indexer:${name}`, baseUrl: url, apiKey };
        return torznab({ ...where, links: "lan", limits: { totalMs: 3_000 } });
      },
      torrents: () => client,
    },
  });
  const close = async () => {
    await sluice.close();
    await (await opened)?.close();
  };
  return { sluice, media, series, close };
}

async function fileBytes(file: string): Promise<number | null> {
  const found = await lstat(file).catch(() => null);
  return found?.isFile() === true ? found.size : null;
}
