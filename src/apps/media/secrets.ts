// What the application's secrets are called, and what keeps them for it.

import type { Queryable } from "../../engine/index.ts";

/** Sealed in the database, by name. */
export interface SecretKeeper {
  get(name: string, db?: Queryable): Promise<string>;
  put(db: Queryable, name: string, text: string): Promise<void>;
  forget(db: Queryable, name: string): Promise<void>;
}

export const indexerSecret = (name: string): string => `media.indexer.${name}`;
export const clientSecret = (name: string): string => `media.client.${name}`;
export const METADATA_SECRET = "media.metadata";
export const serverSecret = (name: string, what: "password" | "privateKey" | "mediaKey"): string =>
  `media.server.${name}.${what}`;
