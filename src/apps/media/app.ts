// The media application whole: its pipelines, clients of what is set, and what its routes ask.

import { lstat } from "node:fs/promises";
import { videoProbe } from "../../connectors/index.ts";
import { prepareTables, type Tables } from "../../engine/index.ts";
import { type Clock, systemClock } from "../../kit/index.ts";
import { type EmbeddedPlace, type Keyed, mediaClients, type PlacedClient } from "./clients/clients.ts";
import { soon } from "./clients/soon.ts";
import type { EncoderRow } from "./encoding/encoders.sql.ts";
import { encodingParts } from "./encoding/parts.ts";
import type { MediaLimits } from "./limits.ts";
import { mediaPipelines } from "./pipeline.ts";
import type { SecretKeeper } from "./secrets.ts";
import { DownloadClients } from "./settings/download-clients.ts";
import { Indexers } from "./settings/indexers.ts";
import { MetadataSetting } from "./settings/metadata.ts";
import { pinHostKey } from "./settings/servers.sql.ts";
import { type KeyedServer, Servers } from "./settings/servers.ts";
import type { IndexerRow, MetadataRow } from "./settings/settings.sql.ts";
import { mediaStore } from "./store/store.ts";
import { MEDIA_TABLES } from "./store/tables.sql.ts";
import { testClient } from "./trial/client.ts";
import { testEncoder } from "./trial/encoder.ts";
import { testIndexer } from "./trial/indexer.ts";
import { testMetadata } from "./trial/metadata.ts";
import { withProbe } from "./trial/probe-file.ts";
import { testServer } from "./trial/server.ts";

export interface MediaOptions {
  /** Asked for when it is needed: a stage may run where no engine is open. */
  readonly tables: () => Promise<Tables>;
  readonly secrets: SecretKeeper;
  readonly embedded?: EmbeddedPlace;
  /** How long stages wait for it to come up, where it is started with this process. */
  readonly embeddedMs?: number;
  /** Where films are encoded to. */
  readonly encodes?: string;
  readonly limits?: Partial<MediaLimits>;
  /** By which a test is given up, and the embedded client waited for. */
  readonly clock?: Clock;
}

export type MediaApp = ReturnType<typeof mediaApp>;

export function mediaApp(options: MediaOptions) {
  const { tables, secrets, embedded = async () => undefined, embeddedMs = 0, limits, clock = systemClock } = options;
  const store = mediaStore(tables);
  const { board, desk, encoders, trials } = encodingParts({ tables, folder: options.encodes, limits, clock });
  const given = { store, probe: videoProbe(), fileBytes, board, clock };
  const { media, series, leftovers } = mediaPipelines(given, limits);
  return {
    ...{ media, series, store, tables, secrets, desk, encoders },
    pipelines: [media, series, leftovers.pipeline],
    finders: [leftovers.finder],
    services: {
      ...mediaClients({ db: tables, secrets, embedded: () => soon(embedded, embeddedMs, clock) }),
      encoders: board,
    },
    settings: {
      indexers: new Indexers(secrets),
      clients: new DownloadClients(secrets),
      metadata: new MetadataSetting(secrets),
      servers: new Servers(secrets),
    },
    tests: {
      indexer: (keyed: Keyed<IndexerRow>) => testIndexer(keyed, { clock }),
      client: (set: PlacedClient) => testClient(set, { clock, embedded, isThere }),
      metadata: (keyed: Keyed<MetadataRow>) => testMetadata(keyed, { clock }),
      encoder: (row: EncoderRow) => testEncoder(row, { clock, ...trials }),
      server: (keyed: KeyedServer, isSaved: boolean) =>
        testServer(keyed, { clock, withProbe, ...(isSaved ? { pin: pinning(tables, keyed) } : {}) }),
    },
  };
}

const pinning =
  (tables: MediaOptions["tables"], { row }: KeyedServer) =>
  async (hostKey: string): Promise<void> =>
    pinHostKey(await tables(), row, hostKey);

export async function prepareMediaTables(tables: Tables): Promise<void> {
  await prepareTables(tables, "media", MEDIA_TABLES);
}

const isThere = async (path: string): Promise<boolean> => (await factsOf(path)) !== null;

async function fileBytes(file: string): Promise<number | null> {
  const found = await factsOf(file);
  return found?.isFile() === true ? found.size : null;
}

/** Null where there is nothing. Links are not followed. */
async function factsOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  }
}
