// The applications a process is started with: their pipelines beside those of a module, and what their routes ask.

import type { DocumentsApp } from "../apps/documents/index.ts";
import type { MediaApp } from "../apps/media/index.ts";
import type { Tables } from "../engine/index.ts";
import type { Config } from "./config/settings.ts";
import { UsageError } from "./exit.ts";
import type { Loaded } from "./load-module.ts";
import type { SecretKey } from "./secret-key.ts";

export interface Apps {
  /** Of the module and of the applications together. */
  readonly loaded: Loaded;
  readonly media: MediaApp | undefined;
  readonly documents: DocumentsApp | undefined;
  /** Once the database is open: their tables are made, and whoever waits for them goes on. */
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

export async function loadApps({ config, own, key, keepsTorrents, ...ports }: AppPorts): Promise<Apps> {
  const opened = Promise.withResolvers<Tables>();
  const tables = ports.tables ?? (() => opened.promise);
  const has = (name: string) => config.apps.includes(name);
  const media = has("media")
    ? await (await import("./media-app.ts")).loadMedia({ config, key, tables, keepsTorrents })
    : undefined;
  const documents = has("documents")
    ? await (await import("./documents-app.ts")).loadDocuments(config, tables)
    : undefined;
  return {
    loaded: [
      ...(media === undefined ? [] : [{ name: "media", ...media, schedules: [] }]),
      ...(documents === undefined ? [] : [{ name: "documents", ...documents, finders: [] }]),
    ].reduce(beside, own),
    media,
    documents,
    async opened(given) {
      await prepareAppTables(config, given);
      opened.resolve(given);
    },
  };
}

/** Of the applications that are configured. */
export async function prepareAppTables(config: Config, tables: Tables): Promise<void> {
  if (config.apps.includes("media")) await (await import("../apps/media/index.ts")).prepareMediaTables(tables);
  if (config.apps.includes("documents"))
    await (await import("../apps/documents/index.ts")).prepareDocumentTables(tables);
}

type OfApp = Pick<Loaded, "pipelines" | "services" | "schedules" | "finders"> & { readonly name: string };

function beside(own: Loaded, { name, pipelines, finders, services, schedules }: OfApp): Loaded {
  const taken = Object.keys(services).find((service) => service in own.services);
  if (taken !== undefined)
    throw new UsageError(
      `the module's services.${taken} is also a service of --apps ${name}`,
      "give the module's another name, or start the two apart",
    );
  return {
    ...own,
    pipelines: [...own.pipelines, ...pipelines],
    finders: [...own.finders, ...finders],
    services: { ...own.services, ...services },
    schedules: [...own.schedules, ...schedules],
  };
}
