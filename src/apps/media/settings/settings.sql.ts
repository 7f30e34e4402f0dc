// Indexers, download clients, the metadata service and profiles, as somebody set them. Their secrets are the server's.

import type { Queryable, Statement } from "../../../engine/index.ts";
import type { PathMapping } from "../local-path.ts";
import type { QualityProfile } from "../releases/index.ts";

export interface IndexerRow {
  readonly name: string;
  readonly url: string;
  readonly has_key: boolean;
  readonly categories: readonly number[];
  readonly links: "public" | "lan";
  readonly priority: number;
  readonly is_on: boolean;
}

const indexerColumns = "name, url, has_key, categories, links, priority, is_on";

const INDEXERS: Statement = {
  name: "media-indexers",
  text: `select ${indexerColumns} from media.indexer order by priority, name limit 200`,
};

export async function listIndexers(db: Queryable): Promise<IndexerRow[]> {
  return await db.query<IndexerRow>(INDEXERS, []);
}

const INDEXER: Statement = {
  name: "media-indexer",
  text: `select ${indexerColumns} from media.indexer where name = $1`,
};

export async function findIndexer(db: Queryable, name: string): Promise<IndexerRow | undefined> {
  const [row] = await db.query<IndexerRow>(INDEXER, [name]);
  return row;
}

const SET_INDEXER: Statement = {
  name: "media-set-indexer",
  text: `
insert into media.indexer (${indexerColumns}) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (name) do update set url = excluded.url, has_key = excluded.has_key, categories = excluded.categories,
  links = excluded.links, priority = excluded.priority, is_on = excluded.is_on`,
};

export async function setIndexer(db: Queryable, row: IndexerRow): Promise<void> {
  const { name, url, has_key, categories, links, priority, is_on } = row;
  await db.query(SET_INDEXER, [name, url, has_key, categories, links, priority, is_on]);
}

const DROP_INDEXER: Statement = {
  name: "media-drop-indexer",
  text: "delete from media.indexer where name = $1 returning name",
};

export async function dropIndexer(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(DROP_INDEXER, [name])).length === 1;
}

export interface ClientRow {
  readonly name: string;
  readonly kind: "qbittorrent" | "embedded";
  /** Null: the embedded one that runs with the server. */
  readonly url: string | null;
  readonly username: string | null;
  readonly has_password: boolean;
  /** Null: where it puts things by itself. */
  readonly folder: string | null;
  readonly paths: readonly PathMapping[];
  readonly priority: number;
  readonly is_on: boolean;
}

const clientColumns = "name, kind, url, username, has_password, folder, paths, priority, is_on";

const CLIENTS: Statement = {
  name: "media-clients",
  text: `select ${clientColumns} from media.download_client order by priority, name limit 50`,
};

export async function listClients(db: Queryable): Promise<ClientRow[]> {
  return await db.query<ClientRow>(CLIENTS, []);
}

const CLIENT: Statement = {
  name: "media-client",
  text: `select ${clientColumns} from media.download_client where name = $1`,
};

export async function findClient(db: Queryable, name: string): Promise<ClientRow | undefined> {
  const [row] = await db.query<ClientRow>(CLIENT, [name]);
  return row;
}

const SET_CLIENT: Statement = {
  name: "media-set-client",
  text: `
insert into media.download_client (${clientColumns}) values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9)
on conflict (name) do update set kind = excluded.kind, url = excluded.url, username = excluded.username,
  has_password = excluded.has_password, folder = excluded.folder, paths = excluded.paths, priority = excluded.priority,
  is_on = excluded.is_on`,
};

export async function setClient(db: Queryable, row: ClientRow): Promise<void> {
  const { name, kind, url, username, has_password, folder, paths, priority, is_on } = row;
  const values = [name, kind, url, username, has_password, folder, JSON.stringify(paths), priority, is_on];
  await db.query(SET_CLIENT, values);
}

const FIRST_CLIENT: Statement = {
  name: "media-first-client",
  text: `
with first as (insert into media.first_client (at) values (sluice.now()) on conflict do nothing returning at)
insert into media.download_client (name, kind)
select 'embedded', 'embedded' from first
where not exists (select from media.download_client)
on conflict do nothing`,
};

/** The embedded client, where nobody has ever set one; once for a database. */
export async function setEmbeddedOnce(db: Queryable): Promise<void> {
  await db.query(FIRST_CLIENT, []);
}

const DROP_CLIENT: Statement = {
  name: "media-drop-client",
  text: "delete from media.download_client where name = $1 returning name",
};

export async function dropClient(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(DROP_CLIENT, [name])).length === 1;
}

export interface MetadataRow {
  readonly has_key: boolean;
  readonly language: string | null;
  /** Null: TMDB's own. */
  readonly url: string | null;
}

const METADATA: Statement = { name: "media-metadata", text: "select has_key, language, url from media.metadata" };

export async function findMetadata(db: Queryable): Promise<MetadataRow> {
  const [row] = await db.query<MetadataRow>(METADATA, []);
  return row ?? { has_key: false, language: null, url: null };
}

const SET_METADATA: Statement = {
  name: "media-set-metadata",
  text: `
insert into media.metadata (has_key, language, url) values ($1, $2, $3)
on conflict (is_only) do update set has_key = excluded.has_key, language = excluded.language, url = excluded.url`,
};

export async function setMetadata(db: Queryable, { has_key, language, url }: MetadataRow): Promise<void> {
  await db.query(SET_METADATA, [has_key, language, url]);
}

export interface ProfileRow {
  readonly name: string;
  readonly profile: QualityProfile;
}

const PROFILES: Statement = {
  name: "media-profiles",
  text: "select name, profile from media.profile order by name limit 100",
};

export async function listProfiles(db: Queryable): Promise<ProfileRow[]> {
  return await db.query<ProfileRow>(PROFILES, []);
}

const SET_PROFILE: Statement = {
  name: "media-set-profile",
  text: `
insert into media.profile (name, profile) values ($1, $2::jsonb)
on conflict (name) do update set profile = excluded.profile`,
};

export async function setProfile(db: Queryable, { name, profile }: ProfileRow): Promise<void> {
  await db.query(SET_PROFILE, [name, JSON.stringify(profile)]);
}

const DROP_PROFILE: Statement = {
  name: "media-drop-profile",
  text: "delete from media.profile where name = $1 returning name",
};

export async function dropProfile(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(DROP_PROFILE, [name])).length === 1;
}
