// The tables of encoding, among the application's own.

import type { TableMigration } from "../../../engine/index.ts";

export const ENCODING_TABLES: TableMigration = {
  name: "0007-encoding",
  up: `
create table media.encoding (
  name text primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$'),
  profile jsonb not null
);
-- Who encodes: the server itself, or a program elsewhere that asks for work. Each is here from its first word on.
create table media.encoder (
  name text primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'),
  place text not null check (place in ('local', 'remote')),
  -- Which of its lives spoke last: one that was started later under the same name takes its place.
  life text not null,
  version text not null,
  -- What it said of its program: { program, version, codecs, audioCodecs, hasNoNetwork }
  about jsonb not null,
  codecs text[] not null,
  audio_codecs text[] not null,
  slots int not null check (slots between 1 and 1000),
  is_on boolean not null default true,
  added_at timestamptz not null,
  heard_at timestamptz not null,
  -- It said goodbye; nobody is alarmed about it.
  left_at timestamptz,
  -- How it last came to a source and brought back a film: seen or sent.
  reads text check (reads in ('seen', 'sent')),
  writes text check (writes in ('seen', 'sent')),
  -- A test that somebody asked for, and what it came to.
  trial text,
  tried jsonb
);
-- The board. A job is one encode of one item for one profile.
create table media.encode_job (
  key text primary key,
  item_id bigint not null,
  encoding text not null,
  profile jsonb not null,
  codec text not null,
  -- Null where sound is copied.
  audio text,
  source text not null,
  source_bytes bigint not null,
  -- Of this job alone; what each turn makes has a name of its own in it.
  folder text not null,
  -- What lies in it, so that an encoder can tell that it sees it.
  marker text not null,
  state text not null default 'waiting' check (state in ('waiting', 'given', 'done', 'failed')),
  encoder text,
  turn int not null default 0,
  -- Encoders that let it stand still before.
  excluded text[] not null default '{}',
  put_at timestamptz not null,
  not_before timestamptz,
  given_at timestamptz,
  ended_at timestamptz,
  -- How its encoder says it stands.
  report jsonb,
  -- Why it was put back, in words.
  trouble text,
  outcome jsonb,
  fault jsonb,
  check ((state = 'given') <= (encoder is not null)),
  check ((state = 'done') = (outcome is not null)),
  check ((state = 'failed') = (fault is not null))
);
create index encode_job_open on media.encode_job (put_at) where state in ('waiting', 'given');
create index encode_job_item on media.encode_job (item_id);
-- The encoding whole, as it was when the target was named: who joins later may name one that the items know nothing of.
alter table media.request_target add column profile jsonb;
-- Who let which item stand still. It gets it again only while no other could do it.
create table media.encode_still (
  item_id bigint not null,
  encoder text not null,
  at timestamptz not null,
  primary key (item_id, encoder)
);
`,
};

export const ENCODER_KEYS: TableMigration = {
  name: "0012-encoder-keys",
  up: `
-- The key that it speaks with. A key is one encoder's; null for the server's own, and before it has spoken with one.
alter table media.encoder add column key_id text unique;
`,
};
