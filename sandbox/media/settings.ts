// What somebody would set on the settings pages: where the services of this world are, and their keys.

import { type MediaApp, prepareMediaTables, setClient, setIndexer } from "../../src/apps/media/index.ts";
import { clientSecret, indexerSecret, METADATA_SECRET } from "../../src/apps/media/secrets.ts";
import { setMetadata } from "../../src/apps/media/settings/settings.sql.ts";
import { prepareServerTables } from "../../src/server/server-tables.ts";
import { INDEXERS } from "./releases.ts";
import { CLIENT_NAME } from "./services/client.ts";
import { INDEXER_PATH, indexerKey } from "./services/indexers.ts";
import { TMDB_KEY } from "./services/metadata.ts";

export interface MediaPlaces {
  /** Of each service, by its name. */
  readonly ports: ReadonlyMap<string, number>;
  readonly clientToken: string;
}

export async function setUpMedia(app: MediaApp, { ports, clientToken }: MediaPlaces): Promise<void> {
  const db = await app.tables();
  await prepareServerTables(db);
  await prepareMediaTables(db);
  const at = (name: string) => {
    const port = ports.get(name);
    if (port === undefined) throw new Error(`nobody said where ${name} is`);
    return `http://127.0.0.1:${port}`;
  };
  for (const name of INDEXERS) {
    await app.secrets.put(db, indexerSecret(name), indexerKey(name));
    await setIndexer(db, {
      ...{ name, url: `${at(name)}${INDEXER_PATH}`, has_key: true, categories: [], links: "lan" },
      ...{ priority: 25, is_on: true },
    });
  }
  await app.secrets.put(db, METADATA_SECRET, TMDB_KEY);
  await setMetadata(db, { has_key: true, language: null, url: `${at("metadata")}/3/` });
  await app.secrets.put(db, clientSecret(CLIENT_NAME), clientToken);
  await setClient(db, {
    ...{ name: CLIENT_NAME, kind: "embedded", url: `${at("client")}/`, username: null, has_password: true },
    ...{ folder: null, paths: [], priority: 25, is_on: true },
  });
}
