// The media application whole: its pipelines, clients of what is set, and what its routes ask.

import { lstat } from "node:fs/promises";
import { videoProbe } from "../../connectors/index.ts";
import { prepareTables, type Tables } from "../../engine/index.ts";
import { type EmbeddedPlace, mediaClients } from "./clients/clients.ts";
import type { MediaLimits } from "./limits.ts";
import { mediaPipelines } from "./pipeline.ts";
import type { SecretKeeper } from "./secrets.ts";
import { mediaStore } from "./store/store.ts";
import { MEDIA_TABLES } from "./store/tables.sql.ts";

export interface MediaOptions {
  /** Asked for when it is needed: a stage may run where no engine is open. */
  readonly tables: () => Promise<Tables>;
  readonly secrets: SecretKeeper;
  readonly embedded?: EmbeddedPlace;
  readonly limits?: Partial<MediaLimits>;
}

export type MediaApp = ReturnType<typeof mediaApp>;

export function mediaApp({ tables, secrets, embedded = async () => undefined, limits }: MediaOptions) {
  const store = mediaStore(tables);
  const { media, series } = mediaPipelines({ store, probe: videoProbe(), fileBytes }, limits);
  return {
    ...{ media, series, store, tables, secrets },
    pipelines: [media, series],
    services: mediaClients({ db: tables, secrets, embedded }),
  };
}

export async function prepareMediaTables(tables: Tables): Promise<void> {
  await prepareTables(tables, "media", MEDIA_TABLES);
}

async function fileBytes(file: string): Promise<number | null> {
  try {
    const found = await lstat(file);
    return found.isFile() ? found.size : null;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  }
}
