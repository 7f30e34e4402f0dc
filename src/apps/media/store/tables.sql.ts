// The application's own tables, in the schema media.

import type { TableMigration } from "../../../engine/index.ts";

const SETTINGS: TableMigration = {
  name: "0001-settings",
  up: `
create table media.indexer (
  name text primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'),
  url text not null,
  -- The key itself is among the server's secrets.
  has_key boolean not null default false,
  categories int[] not null default '{}',
  links text not null default 'public' check (links in ('public', 'lan')),
  -- Lower is asked for first among equals.
  priority smallint not null default 25 check (priority between 1 and 50),
  is_on boolean not null default true
);
create table media.download_client (
  name text primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'),
  kind text not null check (kind in ('qbittorrent', 'embedded')),
  -- Null: the embedded one that runs with the server.
  url text check (url is not null or kind = 'embedded'),
  username text,
  has_password boolean not null default false,
  -- Where to, as the client sees its disk; null: where it puts things by itself.
  folder text,
  -- [{ "theirs": "/downloads", "ours": "/mnt/downloads" }]
  paths jsonb not null default '[]',
  priority smallint not null default 25 check (priority between 1 and 50),
  is_on boolean not null default true
);
create table media.metadata (
  is_only boolean primary key default true check (is_only),
  has_key boolean not null default false,
  language text,
  url text
);
create table media.profile (
  name text primary key check (length(name) between 1 and 60),
  profile jsonb not null
);
`,
};

const TORRENTS: TableMigration = {
  name: "0002-torrents",
  up: `
-- What was chosen for somebody, before any client is told of it.
create table media.torrent (
  infohash text primary key check (infohash ~ '^[0-9a-f]{40}$'),
  magnet text,
  file bytea,
  found_at timestamptz not null,
  check ((magnet is null) <> (file is null))
);
-- Which file of a torrent is which episode; written once for all that are wanted of it.
create table media.pack_file (
  infohash text not null,
  season int not null,
  episode int not null,
  path text not null,
  bytes bigint not null check (bytes >= 0),
  primary key (infohash, season, episode)
);
`,
};

const SEEDING: TableMigration = {
  name: "0003-seeding",
  up: `
-- What the indexer asks to be given back before it goes.
alter table media.torrent add column seed_ratio float8, add column seed_ms bigint;
`,
};

export const MEDIA_TABLES: readonly TableMigration[] = [SETTINGS, TORRENTS, SEEDING];
