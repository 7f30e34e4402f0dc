// Indexers, download clients and profiles, as somebody set them.

import type { Queryable, Statement } from "../../../engine/index.ts";
import type { PathMapping } from "../local-path.ts";

export interface IndexerRow {
  readonly name: string;
  readonly url: string;
  /** Sealed. */
  readonly api_key: string | null;
  readonly priority: number;
  readonly is_on: boolean;
}

const indexerColumns = "name, url, api_key, priority, is_on";

const INDEXERS: Statement = {
  name: "media-indexers",
  text: `select ${indexerColumns} from media.indexer order by priority, name limit 200`,
};

export async function listIndexers(db: Queryable): Promise<IndexerRow[]> {
  return await db.query<IndexerRow>(INDEXERS, []);
}

const SET_INDEXER: Statement = {
  name: "media-set-indexer",
  text: `
insert into media.indexer (${indexerColumns}) values ($1, $2, $3, $4, $5)
on conflict (name) do update set url = excluded.url, api_key = excluded.api_key, priority = excluded.priority, is_on = excluded.is_on`,
};

export async function setIndexer(db: Queryable, row: IndexerRow): Promise<void> {
  await db.query(SET_INDEXER, [row.name, row.url, row.api_key, row.priority, row.is_on]);
}

const DROP_INDEXER: Statement = { name: "media-drop-indexer", text: "delete from media.indexer where name = $1" };

export async function dropIndexer(db: Queryable, name: string): Promise<void> {
  await db.query(DROP_INDEXER, [name]);
}

export interface ClientRow {
  readonly name: string;
  readonly kind: "qbittorrent" | "embedded";
  readonly url: string;
  readonly username: string | null;
  /** Sealed. */
  readonly password: string | null;
  readonly folder: string;
  readonly paths: readonly PathMapping[];
  readonly priority: number;
  readonly is_on: boolean;
}

const clientColumns = "name, kind, url, username, password, folder, paths, priority, is_on";

const CLIENTS: Statement = {
  name: "media-clients",
  text: `select ${clientColumns} from media.download_client order by priority, name limit 50`,
};

export async function listClients(db: Queryable): Promise<ClientRow[]> {
  return await db.query<ClientRow>(CLIENTS, []);
}

const SET_CLIENT: Statement = {
  name: "media-set-client",
  text: `
insert into media.download_client (${clientColumns}) values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9)
on conflict (name) do update set kind = excluded.kind, url = excluded.url, username = excluded.username, password = excluded.password,
  folder = excluded.folder, paths = excluded.paths, priority = excluded.priority, is_on = excluded.is_on`,
};

export async function setClient(db: Queryable, row: ClientRow): Promise<void> {
  const { name, kind, url, username, password, folder, paths, priority, is_on } = row;
  await db.query(SET_CLIENT, [name, kind, url, username, password, folder, JSON.stringify(paths), priority, is_on]);
}

const DROP_CLIENT: Statement = { name: "media-drop-client", text: "delete from media.download_client where name = $1" };

export async function dropClient(db: Queryable, name: string): Promise<void> {
  await db.query(DROP_CLIENT, [name]);
}
