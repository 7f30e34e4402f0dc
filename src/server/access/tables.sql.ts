// Who may come in: accounts, sessions, keys, and the link of the first start.

import type { TableMigration } from "../../engine/index.ts";

export const ACCESS_TABLES: TableMigration = {
  name: "0001-access",
  up: `
-- Never deleted: what somebody owns is owned by name, and nobody is to inherit it by taking the name.
create table sluice_server.account (
  name text primary key check (name ~ '^[a-z0-9][a-z0-9._-]{0,39}$'),
  role text not null check (role in ('viewer', 'member', 'admin')),
  password text,
  created_at timestamptz not null,
  disabled_at timestamptz);

create table sluice_server.session (
  hash text primary key,
  account text not null references sluice_server.account,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  address text);

create index session_account on sluice_server.session (account);

create table sluice_server.api_key (
  id bigint generated always as identity primary key,
  hash text not null unique,
  name text not null,
  account text not null references sluice_server.account,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  used_at timestamptz,
  revoked_at timestamptz);

create unique index api_key_name on sluice_server.api_key (account, name) where revoked_at is null;

create table sluice_server.setup (
  one boolean primary key default true check (one),
  hash text not null,
  created_at timestamptz not null);

create table sluice_server.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  address text,
  action text not null,
  subject text,
  detail jsonb);

create index audit_at on sluice_server.audit (at);
`,
};

/** Sessions get an id that can be shown, and tokens that are renewed. */
export const SESSION_TABLES: TableMigration = {
  name: "0007-sessions",
  up: `
alter table sluice_server.session
  add column id bigint generated always as identity,
  add column renewed_at timestamptz,
  add column past_hash text,
  add column past_until timestamptz,
  add column agent text,
  add column is_secure boolean not null default false;

update sluice_server.session set renewed_at = created_at;

alter table sluice_server.session alter column renewed_at set not null;

create unique index session_id on sluice_server.session (id);

create unique index session_past on sluice_server.session (past_hash) where past_hash is not null;

create index audit_actor on sluice_server.audit (actor, id);

create index audit_action on sluice_server.audit (action, id);
`,
};
