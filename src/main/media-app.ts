// The media application, as it is configured.

import path from "node:path";
import type { MediaApp, SecretKeeper } from "../apps/media/index.ts";
import type { Tables } from "../engine/index.ts";
import type { Config } from "./config/settings.ts";
import { encodesFolder } from "./encodes-folder.ts";
import { ownFolder } from "./own-folder.ts";
import type { SecretKey } from "./secret-key.ts";

export interface MediaPorts {
  readonly config: Config;
  readonly key: () => Promise<SecretKey>;
  readonly tables: () => Promise<Tables>;
  readonly keepsTorrents: boolean;
}

/** A start, or one after a crash with its pause, and some patience. */
const EMBEDDED_MS = 10_000;

export async function loadMedia({ config, key, tables, keepsTorrents }: MediaPorts): Promise<MediaApp> {
  const [{ mediaApp }, { findTorrents }, { Secrets }] = await Promise.all([
    import("../apps/media/index.ts"),
    import("../connectors/index.ts"),
    import("../server/secrets/secrets.ts"),
  ]);
  const secrets = async () => new Secrets(await tables(), (await key()).keyring);
  const keeper: SecretKeeper = {
    get: async (name, db) => (await secrets()).get(name, db),
    put: async (db, name, text) => (await secrets()).put(db, name, text),
    forget: async (db, name) => (await secrets()).forget(db, name),
  };
  const folder = downloadsFolder(config);
  return mediaApp({
    ...{ tables, secrets: keeper, embedded: () => findTorrents(folder) },
    encodes: encodesFolder(config),
    embeddedMs: keepsTorrents && config["media.embedded"] ? EMBEDDED_MS : 0,
  });
}

/** Where the embedded download client puts things. */
export function downloadsFolder(config: Config): string {
  return path.resolve(config["media.downloads"] ?? path.join(ownFolder(config) ?? "./data", "downloads"));
}
