// The application's own tables, in the schema media.

import type { TableMigration } from "../../../engine/index.ts";
import { ENCODER_KEYS, ENCODING_TABLES } from "../encoding/tables.sql.ts";
import { DELIVERING, DELIVERY_TURNS } from "./delivery-tables.sql.ts";

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

const REQUESTS: TableMigration = {
  name: "0003-requests",
  up: `
-- What somebody asked for. What was handed in past the application's own routes is noted when it is first visited.
create table media.request (
  request_id bigint primary key references sluice.request (id) on delete cascade,
  kind text not null check (kind in ('film', 'series')),
  tmdb int not null,
  profile text not null,
  policy text not null
);
create index request_of_title on media.request (kind, tmdb, request_id);
-- All that anybody asked for who joined it, too.
create table media.request_target (
  request_id bigint not null references media.request (request_id) on delete cascade,
  name text not null,
  encoding text,
  added_at timestamptz not null,
  primary key (request_id, name)
);
-- What the last search of an item came to: what was taken, what comes next, what was refused and why.
create table media.listing (
  item_id bigint primary key references sluice.item (id) on delete cascade,
  searched_at timestamptz,
  listing jsonb not null
);
-- What a person wants of it: a release, or another search.
create table media.choice (
  item_id bigint primary key references sluice.item (id) on delete cascade,
  choice jsonb not null,
  -- The stay in the search that took it; a later one takes no notice of it.
  used_key text
);
`,
};

const LOOK_UPS: TableMigration = {
  name: "0004-look-ups",
  up: `
create table media.title (
  kind text not null check (kind in ('film', 'series')),
  tmdb int not null,
  title text not null,
  year int,
  poster text,
  overview text,
  known jsonb not null,
  fresh_until timestamptz not null,
  primary key (kind, tmdb)
);
create table media.season (
  tmdb int not null,
  season int not null,
  known jsonb not null,
  fresh_until timestamptz not null,
  primary key (tmdb, season)
);
-- What an indexer said a short while ago, for whoever asks the same.
create table media.answer (
  indexer text not null,
  question text not null,
  releases jsonb not null,
  fresh_until timestamptz not null,
  primary key (indexer, question)
);
create index answer_old on media.answer (fresh_until);
create table media.poster (
  file text primary key,
  type text not null,
  bytes bytea not null,
  kept_at timestamptz not null
);
create index poster_old on media.poster (kept_at);
`,
};

const FIRST_CLIENT: TableMigration = {
  name: "0005-first-client",
  up: `
-- That the embedded download client was set by us: whoever removes it does not get it again with the next start.
create table media.first_client (is_only boolean primary key default true check (is_only), at timestamptz not null);
`,
};

const SEEDING: TableMigration = {
  name: "0006-seeding",
  up: `
-- What the indexer asks to be given back before it goes.
alter table media.torrent add column seed_ratio float8, add column seed_ms bigint;
`,
};

export const MEDIA_TABLES: readonly TableMigration[] = [
  ...[SETTINGS, TORRENTS, REQUESTS, LOOK_UPS, FIRST_CLIENT, SEEDING],
  ENCODING_TABLES,
  ...[DELIVERING, DELIVERY_TURNS, ENCODER_KEYS],
];
