// The applications a process is started with: their pipelines beside those of a module, and what their routes ask.

import path from "node:path";
import type { MediaApp, SecretKeeper } from "../apps/media/index.ts";
import type { Tables } from "../engine/index.ts";
import type { Config } from "./config/settings.ts";
import { encodesFolder } from "./encodes-folder.ts";
import { UsageError } from "./exit.ts";
import type { Loaded } from "./load-module.ts";
import { ownFolder } from "./own-folder.ts";
import type { SecretKey } from "./secret-key.ts";

export interface Apps {
  /** Of the module and of the applications together. */
  readonly loaded: Loaded;
  readonly media: MediaApp | undefined;
  /** Once the database is open: its tables are made, and whoever waits for them goes on. */
  opened(tables: Tables): Promise<void>;
}

export interface AppPorts {
  readonly config: Config;
  /** Of the module. */
  readonly own: Loaded;
  /** The embedded download client is started with it. */
  readonly keepsTorrents: boolean;
  /** Not before the database is open: it may be a file beside it. */
  readonly key: () => Promise<SecretKey>;
  /** Where no engine is opened; else those that `opened` is given. */
  readonly tables?: () => Promise<Tables>;
}

/** A start, or one after a crash with its pause, and some patience. */
const EMBEDDED_MS = 10_000;

export async function loadApps({ config, own, key, keepsTorrents, ...ports }: AppPorts): Promise<Apps> {
  if (!config.apps.includes("media")) return { loaded: own, media: undefined, opened: async () => {} };
  const [{ mediaApp, prepareMediaTables }, { findTorrents }, { Secrets }] = await Promise.all([
    import("../apps/media/index.ts"),
    import("../connectors/index.ts"),
    import("../server/secrets/secrets.ts"),
  ]);
  const opened = Promise.withResolvers<Tables>();
  const tables = ports.tables ?? (() => opened.promise);
  const secrets = async () => new Secrets(await tables(), (await key()).keyring);
  const keeper: SecretKeeper = {
    get: async (name, db) => (await secrets()).get(name, db),
    put: async (db, name, text) => (await secrets()).put(db, name, text),
    forget: async (db, name) => (await secrets()).forget(db, name),
  };
  const folder = downloadsFolder(config);
  const media = mediaApp({
    ...{ tables, secrets: keeper, embedded: () => findTorrents(folder) },
    encodes: encodesFolder(config),
    embeddedMs: keepsTorrents && config["media.embedded"] ? EMBEDDED_MS : 0,
  });
  return {
    loaded: beside(own, media),
    media,
    async opened(given) {
      await prepareMediaTables(given);
      opened.resolve(given);
    },
  };
}

/** Where the embedded download client puts things. */
export function downloadsFolder(config: Config): string {
  return path.resolve(config["media.downloads"] ?? path.join(ownFolder(config) ?? "./data", "downloads"));
}

function beside(own: Loaded, media: Pick<MediaApp, "pipelines" | "finders" | "services">): Loaded {
  const { pipelines, finders, services } = media;
  const taken = Object.keys(services).find((name) => name in own.services);
  if (taken !== undefined)
    throw new UsageError(
      `the module's services.${taken} is also a service of --apps media`,
      "give the module's another name, or start the two apart",
    );
  return {
    ...{ ...own, pipelines: [...own.pipelines, ...pipelines], finders: [...own.finders, ...finders] },
    services: { ...own.services, ...services },
  };
}
