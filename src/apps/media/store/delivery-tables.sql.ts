// The tables of delivering: servers as they are set, and what lies there, or is on its way, on behalf of which item.

import type { TableMigration } from "../../../engine/index.ts";

export const DELIVERING: TableMigration = {
  name: "0010-delivering",
  up: `
create table media.server (
  name text primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'),
  kind text not null check (kind in ('folder', 'sftp')),
  host text check ((host is null) = (kind = 'folder')),
  port int not null default 22 check (port between 1 and 65535),
  username text,
  -- The secrets themselves are among the server's.
  has_password boolean not null default false,
  has_private_key boolean not null default false,
  -- As it was shown at the first visit; null where nobody has been there yet.
  host_key text,
  root text not null,
  -- Below the root; empty for the root itself.
  films text not null default '',
  series text not null default '',
  bytes_per_second bigint check (bytes_per_second >= 16384),
  -- Of a target that names none.
  encoding text,
  is_default boolean not null default false,
  media_kind text check (media_kind in ('jellyfin', 'emby', 'plex')),
  media_url text,
  has_media_key boolean not null default false,
  -- The same root, as the media server sees it.
  media_root text,
  check ((media_kind is null) = (media_url is null) and (media_kind is null) = (media_root is null))
);
-- A name at a server, and whose it is. Written before anything is sent, so that what is left there is always known. It outlives its
-- item: what an item left behind has to be removed when the item is gone, too.
create table media.delivery (
  server text not null,
  path text not null,
  item_id bigint not null,
  part_id text not null,
  state text not null check (state in ('sending', 'sent', 'published', 'kept')),
  -- All targets or none: what was published goes again if the item does not make it.
  is_whole boolean not null,
  bytes bigint not null check (bytes >= 0),
  sha256 text,
  changed_at timestamptz not null,
  primary key (server, path)
);
create index delivery_of_item on media.delivery (item_id, server);
create index delivery_unsettled on media.delivery (changed_at) where state <> 'kept';
`,
};

export const DELIVERY_TURNS: TableMigration = {
  name: "0011-delivery-turns",
  up: `
alter table media.delivery
  -- Counts who took it up: whoever did so before has nothing more to say of it.
  add column turn int not null default 0,
  -- Other items that have the same file there, such as the second episode in it.
  add column also bigint[] not null default '{}',
  -- Of which film or episodes it is, and of which download in which encoding; null in rows of earlier releases.
  add column title text,
  add column made_of text,
  -- So much of ours lies under the name while something else is on its way to it; of what is leaving, what goes with it.
  add column there_bytes bigint,
  drop constraint delivery_state_check,
  add constraint delivery_state_check check (state in ('sending', 'sent', 'published', 'kept', 'leaving'));
create index delivery_shared on media.delivery using gin (also) where also <> '{}';
`,
};
