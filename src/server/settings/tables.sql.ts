// What is set while the server runs, by people or by the server itself.

import type { TableMigration } from "../../engine/index.ts";

export const SETTING_TABLES: TableMigration = {
  name: "0003-setting",
  up: `
create table sluice_server.setting (
  name text primary key,
  value jsonb not null,
  changed_at timestamptz not null,
  changed_by text not null);
`,
};
