// Alerts, the channels that tell of them, what was sent where, and what each server sees of its disks.

import type { TableMigration } from "../../engine/index.ts";

export const ALERT_TABLES: TableMigration = {
  name: "0006-alerts",
  up: `
create table sluice_server.channel (
  id bigint generated always as identity primary key,
  name text not null unique,
  type text not null check (type in ('webhook', 'ntfy', 'discord')),
  host text not null,
  is_on boolean not null,
  created_at timestamptz not null,
  changed_at timestamptz not null);

-- Pending: seen, and not for long enough to tell anybody.
create table sluice_server.alert (
  id bigint generated always as identity primary key,
  key text not null,
  rule text not null,
  state text not null check (state in ('pending', 'open', 'resolved')),
  seen_at timestamptz not null,
  since timestamptz not null,
  opened_at timestamptz,
  absent_since timestamptz,
  resolved_at timestamptz,
  told_at timestamptz,
  told_count integer not null default 0,
  reminders integer not null default 0,
  snoozed_until timestamptz,
  count integer not null,
  most integer not null,
  title text not null,
  sentence text not null,
  by_itself text not null,
  examples jsonb not null,
  check ((state = 'pending') = (opened_at is null)),
  check ((state = 'resolved') = (resolved_at is not null)));

-- One alert for a cause, whoever decides.
create unique index alert_live on sluice_server.alert (key) where state <> 'resolved';

create index alert_opened on sluice_server.alert (key, opened_at) where opened_at is not null;

create table sluice_server.delivery (
  id bigint generated always as identity primary key,
  message_id text not null unique,
  channel_id bigint not null references sluice_server.channel on delete cascade,
  alert_id bigint references sluice_server.alert on delete cascade,
  message jsonb not null,
  kind text not null,
  state text not null check (state in ('waiting', 'sent', 'given-up', 'overtaken')),
  created_at timestamptz not null,
  next_at timestamptz not null,
  tries integer not null default 0,
  tried_at timestamptz,
  status integer,
  code text,
  answer text,
  took_ms integer,
  remote_id text);

create index delivery_waiting on sluice_server.delivery (channel_id, id) where state = 'waiting';

create index delivery_alert on sluice_server.delivery (alert_id, channel_id);

create index delivery_created on sluice_server.delivery (created_at);
`,
};

export const DISK_TABLES: TableMigration = {
  name: "0008-disks",
  up: `
create table sluice_server.disks (
  server text primary key,
  host text not null,
  disks jsonb not null,
  seen_at timestamptz not null);
`,
};
