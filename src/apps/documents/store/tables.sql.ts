// The application's own tables, in the schema documents.

import type { TableMigration } from "../../../engine/index.ts";

const files = (name: string) => `
create table documents.${name} (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null check (bytes > 0),
  -- When it was last put there. What nobody refers to goes a while after that.
  touched_at timestamptz not null
);
create index ${name}_touched on documents.${name} (touched_at);
`;

export const DOCUMENT_TABLES: readonly TableMigration[] = [
  {
    name: "0001-documents",
    up: `
-- Files by their hash: a row is there before its file is, and goes after it. Whoever refers to one keeps it.
${files("source")}
${files("result")}
create table documents.document (
  item_id bigint primary key references sluice.item (id) on delete cascade,
  owner text not null,
  name text not null,
  mapping text not null,
  bytes bigint not null check (bytes > 0),
  sha256 text not null,
  source text references documents.source (sha256),
  source_gone_at timestamptz,
  result text references documents.result (sha256),
  result_bytes bigint,
  pages int,
  completed_at timestamptz,
  expired_at timestamptz,
  -- Of several uploads of the same file by one owner for one mapping, the one that another upload finds.
  is_current boolean not null default true,
  check ((source is null) = (source_gone_at is not null)),
  check (result is null or (completed_at is not null and expired_at is null))
);
create unique index document_current on documents.document (owner, sha256, mapping) where is_current;
create index document_owner on documents.document (owner, item_id desc);
create index document_source on documents.document (source) where source is not null;
create index document_result on documents.document (result) where result is not null;
create index document_completed on documents.document (completed_at) where result is not null;
`,
  },
];
