// Secrets, sealed. What seals them is not in the database.

import type { TableMigration } from "../../engine/index.ts";

export const SECRET_TABLES: TableMigration = {
  name: "0005-secrets",
  up: `
create table sluice_server.secret (
  name text primary key,
  key_id text not null,
  nonce text not null,
  box text not null,
  changed_at timestamptz not null);
`,
};
