// What was asked under an Idempotency-Key, and what was answered.

import type { TableMigration } from "../../engine/index.ts";

export const IDEMPOTENCY_TABLES: TableMigration = {
  name: "0004-idempotency",
  up: `
create table sluice_server.idempotency (
  account text not null,
  key text not null,
  -- A hash of the whole request: the same key for another one is a mistake.
  fingerprint text not null,
  begun_at timestamptz not null,
  -- Null while it is being done, and for ever where a server died over it.
  status smallint,
  location text,
  -- Null also where the answer is nothing to keep: it was shown once.
  body text,
  primary key (account, key));

create index idempotency_begun on sluice_server.idempotency (begun_at);
`,
};

/** Whoever does it says again and again that it still does; once this is past, its server is gone. */
export const IDEMPOTENCY_TERMS: TableMigration = {
  name: "0009-idempotency-terms",
  up: `alter table sluice_server.idempotency add column alive_until timestamptz;`,
};
